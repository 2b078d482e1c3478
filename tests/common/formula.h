// Evaluates a formula in numbers with + - * / ( ), min(a,b,...) and max(a,b,...). Formula: whole numbers,
// division rounds down. RealFormula: real numbers.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

template <class Number>
class BasicFormula {
public:
    explicit BasicFormula(std::string text) : text_(std::move(text)) {
        text_.erase(std::remove(text_.begin(), text_.end(), ' '), text_.end());
    }
    Number value() {
        position_ = 0;
        return sum();
    }
    // After value(): nothing was left over.
    bool isWhole() const { return position_ == text_.size(); }

private:
    char here() const { return position_ < text_.size() ? text_[position_] : '\0'; }
    bool take(const std::string& word) {
        if (text_.compare(position_, word.size(), word) != 0) return false;
        position_ += word.size();
        return true;
    }
    Number sum() {
        Number result = product();
        for (;;)
            if (take("+"))
                result += product();
            else if (take("-"))
                result -= product();
            else
                return result;
    }
    Number product() {
        Number result = factor();
        for (;;)
            if (take("*"))
                result *= factor();
            else if (take("/"))
                result /= factor();
            else
                return result;
    }
    template <class Choose>
    Number chosen(Choose choose) {
        Number result = sum();
        while (take(",")) result = choose(result, sum());
        take(")");
        return result;
    }
    Number factor() {
        if (take("-")) return -factor();
        if (take("min(")) return chosen([](Number a, Number b) { return std::min(a, b); });
        if (take("max(")) return chosen([](Number a, Number b) { return std::max(a, b); });
        if (take("(")) return chosen([](Number a, Number) { return a; });
        std::string digits;
        while (std::isdigit(static_cast<unsigned char>(here())) || here() == '.' || here() == 'e')
            digits += text_[position_++];
        return digits.empty() ? Number{} : static_cast<Number>(std::stod(digits));
    }

    std::string text_;
    std::size_t position_ = 0;
};

using Formula = BasicFormula<int>;
using RealFormula = BasicFormula<double>;
