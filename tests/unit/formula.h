// Evaluates a formula in numbers with + - * / ( ) and min(a,b): whole numbers, division rounds down.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>

class Formula {
public:
    explicit Formula(std::string text) : text_(std::move(text)) {}
    int value() {
        position_ = 0;
        return sum();
    }

private:
    char here() const { return position_ < text_.size() ? text_[position_] : '\0'; }
    bool take(char c) {
        if (here() != c) return false;
        ++position_;
        return true;
    }
    int sum() {
        int result = product();
        for (;;)
            if (take('+'))
                result += product();
            else if (take('-'))
                result -= product();
            else
                return result;
    }
    int product() {
        int result = factor();
        for (;;)
            if (take('*'))
                result *= factor();
            else if (take('/'))
                result /= factor();
            else
                return result;
    }
    int factor() {
        if (text_.compare(position_, 4, "min(") == 0) {
            position_ += 4;
            const int first = sum();
            take(',');
            const int second = sum();
            take(')');
            return std::min(first, second);
        }
        if (take('(')) {
            const int result = sum();
            take(')');
            return result;
        }
        int number = 0;
        while (std::isdigit(static_cast<unsigned char>(here())))
            number = 10 * number + (text_[position_++] - '0');
        return number;
    }

    std::string text_;
    std::size_t position_ = 0;
};
