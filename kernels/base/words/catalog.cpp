#include "words/catalog.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "words/shown.h"

namespace bscope {

namespace builtin {
extern const std::string_view chinese_catalog;
}

namespace {

// "say \"hi\"" -> say "hi"
std::string unquoted(std::string_view line, int number) {
    const auto refuse = [number] {
        throw std::invalid_argument("line " + std::to_string(number) +
                                    " of the catalog is neither msgid nor msgstr with a quoted text");
    };
    if (line.size() < 2 || line.front() != '"' || line.back() != '"') refuse();
    std::string text;
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        if (line[i] == '\\') {
            if (++i + 1 >= line.size()) refuse();
            text += line[i] == 'n' ? '\n' : line[i];
        } else {
            text += line[i];
        }
    }
    return text;
}

}  // namespace

WordTable readPo(std::string_view text) {
    WordTable table;
    std::string id, translation;
    std::string* continued = nullptr;
    const auto finish = [&] {
        if (!id.empty()) table[id] = translation;
        id.clear();
        translation.clear();
    };
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (line.empty() || line.front() == '#') continue;
        if (line.starts_with("msgid ")) {
            finish();
            line.remove_prefix(6);
            continued = &id;
        } else if (line.starts_with("msgstr ")) {
            line.remove_prefix(7);
            continued = &translation;
        }
        const std::string part = unquoted(line, number);
        if (continued != nullptr) *continued += part;
    }
    finish();
    return table;
}

const WordTable& chineseWords() {
    static const WordTable table = readPo(builtin::chinese_catalog);
    return table;
}

std::string say(const Sentence& sentence, Language language) {
    // Alone in its sentence stands what the system or a library says, in as many lines as it likes.
    const Newlines newlines = sentence.id == "{0}" ? Newlines::Kept : Newlines::Escaped;
    std::vector<std::string> filled;
    for (const Argument& argument : sentence.arguments)
        filled.push_back(argument.words.empty() ? shown(argument.text, newlines)
                                                : say(argument.words.front(), language));
    if (language == Language::Chinese)
        if (const auto found = chineseWords().find(sentence.id); found != chineseWords().end())
            return fillTemplate(found->second, filled);
    return fillTemplate(shown(sentence.id, Newlines::Kept), filled);  // which a stream may have brought
}

}  // namespace bscope
