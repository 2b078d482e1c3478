// Bilingual: a text in both languages, plain: what shows it escapes it for its material. A value.
#pragma once

#include <string>

#include "words/catalog.h"
#include "words/sentence.h"

namespace bscope::page {

struct Bilingual {
    std::string english, chinese;

    Bilingual() = default;
    Bilingual(std::string same) : english(same), chinese(std::move(same)) {}
    Bilingual(const char* same) : Bilingual(std::string(same)) {}
    Bilingual(const Sentence& said)
        : english(say(said, Language::English)), chinese(say(said, Language::Chinese)) {}
    Bilingual(std::string in_english, std::string in_chinese)
        : english(std::move(in_english)), chinese(std::move(in_chinese)) {}

    const std::string& in(Language language) const {
        return language == Language::Chinese ? chinese : english;
    }
    bool empty() const { return english.empty(); }
    Bilingual& operator+=(const Bilingual& more) {
        english += more.english;
        chinese += more.chinese;
        return *this;
    }
    friend Bilingual operator+(Bilingual a, const Bilingual& b) { return a += b; }
    friend bool operator==(const Bilingual&, const Bilingual&) = default;
};

}  // namespace bscope::page
