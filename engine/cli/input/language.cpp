#include "cli/input/language.h"

#include <cstdlib>
#include <optional>
#include <string_view>

namespace bscope::cli {

Language languageOfLocale() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
            return std::string_view(value).starts_with("zh") ? Language::Chinese : Language::English;
    return Language::English;
}

Language languageOf(const Arguments& arguments) {
    std::optional<Language> named;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view word = arguments[i];
        const std::string_view value = word.starts_with("--lang=")                    ? word.substr(7)
                                       : word == "--lang" && i + 1 < arguments.size() ? arguments[i + 1]
                                                                                      : std::string_view();
        if (value == "en") named = Language::English;
        if (value == "zh") named = Language::Chinese;
    }
    return named.value_or(languageOfLocale());
}

}  // namespace bscope::cli
