#include "cli/input/screen_options.h"

#include <cstdlib>

namespace bscope::cli {

void addScreenOptions(CommandLine& line, terminal::ScreenOptions& options) {
    const char* none = std::getenv("NO_COLOR");
    options.colours = none == nullptr || *none == '\0';
    line.option("--theme", "light|dark",
                "for a terminal with a light or a dark ground (as COLORFGBG says, else dark)",
                [&options](const std::string& text) -> std::optional<std::string> {
                    if (text != "light" && text != "dark") return "light or dark";
                    options.dark_ground = text == "dark";
                    return std::nullopt;
                });
}

}  // namespace bscope::cli
