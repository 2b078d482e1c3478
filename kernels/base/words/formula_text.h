// Formulas within sentences, which no line may end in: "(m + p − 1)(F + B)". One rule for terminal, window and
// paper. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace bscope {

inline constexpr std::string_view kNoBreakSpace = "\u00a0";

// With no-break spaces in "p = 4", beside + − × between numbers, letters and parentheses, behind the operator
// alone where a parenthesis closes before it, and everywhere in parentheses that hold a formula:
// "(v·m + p − 1)", "min(m, p − r)". UTF-8.
std::string withFormulasHeld(std::string_view text);

}  // namespace bscope
