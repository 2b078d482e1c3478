#include "app/find/palette_entry.h"

#include <algorithm>
#include <tuple>

namespace bscope::ui {
namespace {

enum Rank { Same, Begins, WordBegins, Contains, AllWords, Loose, kRanks };

// "ZB-V" and "zb v" are the same.
QString folded(const QString& text) {
    QString plain;
    for (const QChar letter : text) plain += letter.isLetterOrNumber() ? letter.toLower() : QChar(u' ');
    return plain.simplified();
}

QString closed(const QString& folded_text) {
    return QString(folded_text).remove(u' ');
}

// All letters of the pattern in this order.
bool matchesLoosely(const QString& text, const QString& pattern) {
    qsizetype at = 0;
    for (const QChar letter : pattern) {
        at = text.indexOf(letter, at);
        if (at < 0) return false;
        ++at;
    }
    return true;
}

// A text without letters and digits, such as a key "/", stands for itself.
int rankOf(const QString& name, const QString& typed) {
    const QString text = folded(name), wanted = folded(typed);
    if (wanted.isEmpty()) return name.compare(typed, Qt::CaseInsensitive) == 0 ? Same : kRanks;
    const QString text_closed = closed(text), wanted_closed = closed(wanted);
    if (text_closed == wanted_closed) return Same;
    if (text_closed.startsWith(wanted_closed)) return Begins;
    if (text.contains(u' ' + wanted)) return WordBegins;
    if (text_closed.contains(wanted_closed)) return Contains;
    const QStringList words = wanted.split(u' ');
    if (std::ranges::all_of(words, [&](const QString& word) { return text.contains(word); })) return AllWords;
    return kRanks;
}

}  // namespace

int matchRank(const PaletteEntry& entry, const QString& typed) {
    const QString wanted = typed.trimmed();
    if (wanted.isEmpty()) return Same;
    int best = kRanks;
    for (const QString& word : entry.words + QStringList{entry.name})
        best = std::min(best, rankOf(word, wanted));
    for (const QString& key : entry.key.split(QStringLiteral(", "), Qt::SkipEmptyParts))
        if (key.compare(wanted, Qt::CaseInsensitive) == 0) best = Same;
    if (best < kRanks) return best;
    // What stands in no name as it is typed is looked for in the plain name only, or everything is found.
    const QString pattern = closed(folded(wanted));
    const bool loose = pattern.size() > 2 && matchesLoosely(closed(folded(entry.name)), pattern);
    return loose ? Loose : -1;
}

std::vector<std::size_t> ranked(const std::vector<PaletteEntry>& entries, const QString& typed) {
    using Place = std::tuple<int, bool, std::size_t>;
    std::vector<Place> places;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (const int rank = matchRank(entries[i], typed); rank >= 0)
            places.emplace_back(rank, !typed.trimmed().isEmpty() && !entries[i].why_not.isEmpty(), i);
    std::ranges::sort(places);
    std::vector<std::size_t> indices;
    for (const Place& place : places) indices.push_back(std::get<std::size_t>(place));
    return indices;
}

}  // namespace bscope::ui
