// Glossary: the field's terms in English and Chinese, with the other names they go by and one sentence each.
#pragma once

#include <QString>
#include <span>
#include <vector>

namespace bscope::ui {

struct GlossaryTerm {
    const char* english;
    const char* chinese;
    const char* aliases;  // other names, both languages; "" when none
    const char* meaning_en;
    const char* meaning_zh;
    const char* show;  // "lesson:ID" or "schedule:NAME", in which it is seen; "" when in none
};

std::span<const GlossaryTerm> glossary();
// Every word of the query occurs in a name, an alias or the meaning; case does not matter.
bool matches(const GlossaryTerm& term, const QString& query);
// The terms that a text of either language names, by any of their names, in their own order. A name of one
// letter is too short to be distinguished from other letters.
std::vector<const GlossaryTerm*> termsIn(const QString& text);

}  // namespace bscope::ui
