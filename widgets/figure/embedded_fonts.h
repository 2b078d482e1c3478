// The fonts of a text as cairo takes them, so that a file holds of each font the glyphs that were drawn, once
// for all sizes. A font file that stands for many fonts (a variable one), or that cannot be read, is held as
// outlines of its glyphs. Window thread only.
#pragma once

#include <cairo.h>

#include <QByteArray>
#include <QRawFont>

#include "widgets/figure/cff_charstrings.h"

namespace bscope::ui {

// Glyphs have the numbers that they have in `font`. Kept for the next file, one a font: cairo lets go of the
// fonts of former files late, and a Chinese one is of 16 MB.
cairo_font_face_t* embeddedFace(const QRawFont& font);
// Which glyphs cairo loses a part of when a file holds them. Valid as long as the thread lives; looked up by
// the font's tables, so ask once for many glyphs.
const CffCharstrings& charstringsOf(const QRawFont& font);

// The file of a font, from its tables; empty: a table is missing, or it is a variable font.
QByteArray fontFile(const QRawFont& font);

}  // namespace bscope::ui
