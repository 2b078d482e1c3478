// The outlines of an OpenType font as programs, and what cairo 1.16 does to some of them: of the font that it
// puts into a PDF it empties every subroutine that it does not see called, and it reads over a call that
// stands behind a hint mask that comes only after a part of the outline. Such a glyph, U+5982 of Noto Sans
// CJK for one, would be missing from the page. The CFF table is read as it is written in Adobe's technical
// notes 5176 and 5177. Pure; what does not fit is no glyph.
#pragma once

#include <QByteArray>

namespace bscope::ui {

class CffCharstrings {
public:
    CffCharstrings() = default;
    explicit CffCharstrings(const QByteArray& cff);  // empty or unreadable: no glyphs

    // Whether cairo would lose a part of the glyph.
    bool losesSubroutines(quint32 glyph) const;

private:
    QByteArrayView of(quint32 glyph) const;
    quint32 number(qsizetype at, int size) const;
    // The place of entry `index` of the INDEX at `at`, or of the end of its last one.
    qsizetype entry(qsizetype at, quint32 index) const;
    quint32 count(qsizetype at) const { return number(at, 2); }
    qsizetype endOf(qsizetype at) const { return count(at) == 0 ? at + 2 : entry(at, count(at)); }

    QByteArray cff_;
    qsizetype index_ = 0;  // of the charstrings; 0: none
};

}  // namespace bscope::ui
