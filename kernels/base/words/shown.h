// shown: a text from outside (a file, its name, a stream) made safe for a terminal or a window. Control
// letters, which drive a terminal, marks that turn the direction of writing, and bytes that are no UTF-8 are
// escaped: \x1b, \u009b. say() does so with every argument; what is printed without a sentence goes through
// here. Pure.
#pragma once

#include <string>
#include <string_view>

namespace bscope {

enum class Newlines { Escaped, Kept };

std::string shown(std::string_view text, Newlines newlines = Newlines::Escaped);

// JSON in UTF-8, made safe likewise: its strings mean what they meant (\u009b).
std::string shownJson(std::string_view json);

}  // namespace bscope
