#include "terminal/ground.h"

#include <cstdlib>
#include <string_view>

namespace bscope::terminal {

bool hasLightGround() {
    const char* value = std::getenv("COLORFGBG");
    if (value == nullptr) return false;
    const std::string_view text(value);
    const std::string_view ground = text.substr(text.rfind(';') + 1);
    return ground == "7" || (ground.size() == 2 && ground >= "10" && ground <= "15") || ground == "9";
}

}  // namespace bscope::terminal
