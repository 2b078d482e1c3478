#include "words/number_text.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace bscope {

namespace {

std::string printed(const char* format, int precision, double value) {
    const int size = std::snprintf(nullptr, 0, format, precision, value);
    std::string text(static_cast<std::size_t>(size), '\0');
    std::snprintf(text.data(), text.size() + 1, format, precision, value);
    return text;
}

}  // namespace

std::string fixedText(double value, int decimals) {
    std::string text = printed("%.*f", decimals, value);
    // What rounds to nothing has no sign.
    if (text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
    return text;
}

double roundedTo(double value, int decimals) {
    return std::strtod(fixedText(value, decimals).c_str(), nullptr);
}

std::string shortText(double value, int digits) {
    return printed("%.*g", digits, value);
}

int decimalsReaching(double value, int least, double reach) {
    constexpr int kMost = 6;
    int decimals = least;
    for (double digits = std::abs(value) * std::pow(10, least);
         decimals < kMost && digits > 0 && digits < reach; digits *= 10)
        ++decimals;
    return decimals;
}

int decimalsOf(double value) {
    return decimalsReaching(value, 1, 10);
}

std::string percentNumber(double share) {
    return fixedText(100 * share, 1);
}

std::string percentText(double share) {
    return percentNumber(share) + " %";
}

std::string millisecondsText(double ms) {
    return fixedText(ms, decimalsOf(ms));
}

std::string megabytesText(double bytes) {
    const double megabytes = bytes / 1e6;
    return fixedText(megabytes, decimalsOf(megabytes));
}

}  // namespace bscope
