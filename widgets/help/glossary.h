// Glossary: the field's terms in English and Chinese, with the other names they go by and one sentence each.
#pragma once

#include <QString>
#include <span>

namespace bscope::ui {

struct GlossaryTerm {
    const char* english;
    const char* chinese;
    const char* aliases;  // other names, both languages; "" when none
    const char* meaning_en;
    const char* meaning_zh;
};

std::span<const GlossaryTerm> glossary();
// Every word of the query occurs in a name, an alias or the meaning; case does not matter.
bool matches(const GlossaryTerm& term, const QString& query);

}  // namespace bscope::ui
