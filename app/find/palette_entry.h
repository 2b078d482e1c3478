// PaletteEntry: one thing that can be chosen by typing a part of its name, and how well a text names it.
// Plain values.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <vector>

namespace bscope::ui {

struct PaletteEntry {
    QString name;               // as it is listed: "Schedule: ZB-V"
    QString key;                // its key, "" = none
    QStringList words;          // what it is found by, in both languages; the first is its plain name
    QString why_not;            // why it is not possible now; empty = it is
    std::function<void()> run;  // none: only explained
};

// 0 = this very name or key, then: begins with it, a word of it begins with it, contains it, holds every word
// of it, holds its letters in this order; -1 = none of these. Case, hyphens and blanks do not matter.
int matchRank(const PaletteEntry& entry, const QString& typed);
// Indices of those that match, best first; of equally good ones what is possible now, then as they stand.
std::vector<std::size_t> ranked(const std::vector<PaletteEntry>& entries, const QString& typed);

}  // namespace bscope::ui
