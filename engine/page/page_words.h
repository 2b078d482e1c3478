// Words on a page, which holds both languages: static ones stand in it twice, one of them hidden by the
// style; those of the cards are data that the script puts into words, each template once. Everything from
// outside is escaped here. Values; any thread.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "page/bilingual.h"
#include "words/sentence.h"

namespace bscope::page {

// As text or attribute of HTML or SVG: control letters and what is no UTF-8 are made visible (shown.h).
std::string escaped(std::string_view text);
// Escaped, in an element of its own for each language; one without elements where both are the same.
std::string inBoth(const Bilingual& text, const char* element = "span");

class Templates {
public:
    // [number of the template, argument, ...]; an argument is a text or such an array.
    nlohmann::json of(const Sentence& said);
    // [[English, Chinese], ...] by number.
    const nlohmann::json& table() const { return table_; }

private:
    std::map<std::string, int> numbers_;
    nlohmann::json table_ = nlohmann::json::array();
};

// For an element that holds data: no tag can begin in it.
std::string inScript(const nlohmann::json& data);

}  // namespace bscope::page
