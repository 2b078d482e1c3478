// The fonts of a text as cairo takes them, so that a file holds of each font the glyphs that were drawn, once
// for all sizes. A font file that stands for many fonts (a variable one), or that cannot be read, is held as
// outlines of its glyphs. Window thread only.
#pragma once

#include <cairo.h>

#include <QByteArray>
#include <QRawFont>

namespace bscope::ui {

// Glyphs have the numbers that they have in `font`. Kept for the next file, one a font: cairo lets go of the
// fonts of former files late, and a Chinese one is of 16 MB.
cairo_font_face_t* embeddedFace(const QRawFont& font);
// Whether cairo loses a part of the glyph when a file holds it (cff_charstrings.h).
bool losesOutline(const QRawFont& font, quint32 glyph);

// The file of a font, from its tables; empty: a table is missing, or it is a variable font.
QByteArray fontFile(const QRawFont& font);

}  // namespace bscope::ui
