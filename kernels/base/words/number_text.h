// Numbers in sentences: a point before the decimals in every language; "nan" and "inf" for values without a
// number.
#pragma once

#include <string>

namespace bscope {

std::string fixedText(double value, int decimals);  // 0.25, 1 -> "0.2"; 12, 2 -> "12.00"
double roundedTo(double value, int decimals);       // what fixedText says of it
std::string shortText(double value,
                      int digits);  // significant digits, no zeros behind them: 0.25, 3 -> "0.25"

// The fewest decimals, `least` of them at least and six at most, with which the value without its point is
// `reach` or more. 0 asks for no more than `least`.
int decimalsReaching(double value, int least, double reach);
// Of milliseconds and megabytes: one; less than one has as many as show two digits, to the nanosecond or
// byte.
int decimalsOf(double value);
std::string percentNumber(double share);  // 0.2727 -> "27.3"
std::string percentText(double share);    // "27.3 %"
std::string millisecondsText(double ms);  // 12.34 -> "12.3"; 0.043 -> "0.043"
std::string megabytesText(double bytes);  // 1 MB = 1e6 bytes: 12.34e6 -> "12.3"; 43'210 -> "0.043"

}  // namespace bscope
