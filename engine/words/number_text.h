// Numbers in sentences: a point before the decimals in every language; "nan" and "inf" for what is none.
#pragma once

#include <string>

namespace bscope {

std::string fixedText(double value, int decimals);  // 0.25, 1 -> "0.2"; 12, 2 -> "12.00"
std::string shortText(double value,
                      int digits);  // significant digits, no zeros behind them: 0.25, 3 -> "0.25"

}  // namespace bscope
