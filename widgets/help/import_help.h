// What is said about runs of other programs: what can be opened and how it is recorded, what the badge means,
// and for every refusal what to do. In the window's language.
#pragma once

#include <QString>
#include <span>
#include <vector>

namespace bscope::ui {

struct HelpRow {
    QString keys, what;
};
struct HelpTable {
    QString head;
    std::vector<HelpRow> rows;
};
std::vector<HelpTable> importHelp();

// Refusals of the engine (ids of sentences) that one advice answers.
struct RefusalHelp {
    const char* advice;
    std::span<const char* const> refusals;
};
std::span<const RefusalHelp> refusalHelp();

}  // namespace bscope::ui
