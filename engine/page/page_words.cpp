#include "page/page_words.h"

#include "words/shown.h"

namespace bscope::page {

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : shown(text)) {
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            case '\'':
                safe += "&#39;";
                break;
            default:
                safe += c;
        }
    }
    return safe;
}

std::string inBoth(const Bilingual& text, const char* element) {
    if (text.english == text.chinese) return escaped(text.english);
    const std::string tag = element;
    return '<' + tag + " class=\"en\">" + escaped(text.english) + "</" + tag + "><" + tag + " class=\"zh\">" +
           escaped(text.chinese) + "</" + tag + '>';
}

nlohmann::json Templates::of(const Sentence& said) {
    const auto [known, is_new] = numbers_.try_emplace(said.id, static_cast<int>(table_.size()));
    if (is_new) {
        const auto chinese = chineseWords().find(said.id);
        table_.push_back({said.id, chinese == chineseWords().end() ? said.id : chinese->second});
    }
    nlohmann::json data = nlohmann::json::array({known->second});
    for (const Argument& each : said.arguments)
        data.push_back(each.words.empty() ? nlohmann::json(shown(each.text)) : of(each.words.front()));
    return data;
}

std::string inScript(const nlohmann::json& data) {
    std::string text;
    for (const char c : data.dump()) text += c == '<' ? std::string("\\u003c") : std::string(1, c);
    return text;
}

}  // namespace bscope::page
