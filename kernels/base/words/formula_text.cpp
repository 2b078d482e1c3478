#include "words/formula_text.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace bscope {

namespace {

constexpr std::size_t kLongest = 48;      // bytes between two parentheses; more is a sentence
constexpr std::size_t kLongestName = 3;   // "min", "PP"; more is a word
constexpr std::string_view kSigns[] = {"−", "·", "×", "≤", "≥", "⌊", "⌋", "²", "…"};

bool isLetter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool isOperand(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// What is no letter of a formula ends the look at it.
bool isFormula(std::string_view inside) {
    bool has_operator = false;
    std::size_t name = 0;
    for (std::size_t i = 0; i < inside.size();) {
        const char c = inside[i];
        name = isLetter(c) ? name + 1 : 0;
        if (name > kLongestName) return false;
        if ((static_cast<unsigned char>(c) & 0x80) == 0) {
            if (std::string_view("+=/<>,*-").find(c) != std::string_view::npos) has_operator = true;
            if (!isOperand(c) && std::string_view("+=/<>,*- .()&%").find(c) == std::string_view::npos)
                return false;
            ++i;
            continue;
        }
        const auto sign = std::ranges::find_if(
            kSigns, [&](std::string_view each) { return inside.substr(i).starts_with(each); });
        if (sign == std::end(kSigns)) return false;
        has_operator = true;
        i += sign->size();
    }
    return has_operator;
}

// Of the one that opens at `from`; npos: none.
std::size_t closingOf(std::string_view text, std::size_t from) {
    int depth = 0;
    for (std::size_t i = from; i < std::min(text.size(), from + kLongest); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0) return i;
    }
    return std::string_view::npos;
}

// The length of " + " and its like that begins here, between two operands; 0: nothing such.
std::size_t spacedOperator(std::string_view text, std::size_t from) {
    if (from == 0 || !(isOperand(text[from - 1]) || text[from - 1] == ')')) return 0;
    for (const std::string_view each : {" + ", " − ", " × ", " = "}) {
        if (!text.substr(from).starts_with(each)) continue;
        const std::size_t past = from + each.size();
        if (past >= text.size() || !(isOperand(text[past]) || text[past] == '(')) return 0;
        const bool of_one_letter = isLetter(text[from - 1]) && (from < 2 || !isOperand(text[from - 2]));
        const bool is_value = of_one_letter && !isLetter(text[past]) && text[past] != '(';
        return each != " = " || is_value ? each.size() : 0;
    }
    return 0;
}

}  // namespace

std::string withFormulasHeld(std::string_view text) {
    std::string held;
    std::size_t formula_end = 0, operator_end = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(' && i >= formula_end)
            if (const std::size_t end = closingOf(text, i);
                end != std::string_view::npos && isFormula(text.substr(i + 1, end - i - 1)))
                formula_end = end;
        const std::size_t length = text[i] == ' ' ? spacedOperator(text, i) : 0;
        if (length > 0) operator_end = i + length;
        // Behind a parenthesis a line may end before the operator, so that long formulas have where to end.
        const bool may_end = length > 0 && text[i - 1] == ')';
        if (text[i] == ' ' && (i < formula_end || (i < operator_end && !may_end)))
            held += kNoBreakSpace;
        else
            held += text[i];
    }
    return held;
}

}  // namespace bscope
