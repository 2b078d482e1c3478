#include "widgets/figure/embedded_fonts.h"

#include <cairo-ft.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <QPainterPath>
#include <QtEndian>
#include <map>
#include <memory>

#include "widgets/figure/cairo_path.h"

namespace bscope::ui {

namespace {

const cairo_user_data_key_t kOfFace{};

// What a face reads as long as it lives.
struct FileFace {
    QByteArray file;
    FT_Library library = nullptr;
    FT_Face face = nullptr;

    explicit FileFace(const QByteArray& bytes) : file(bytes) {
        if (FT_Init_FreeType(&library) != 0) library = nullptr;
        if (library == nullptr ||
            FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(file.constData()),
                               static_cast<FT_Long>(file.size()), 0, &face) != 0)
            face = nullptr;
    }
    ~FileFace() {
        if (face != nullptr) FT_Done_Face(face);
        if (library != nullptr) FT_Done_FreeType(library);
    }
    FileFace(const FileFace&) = delete;
    FileFace& operator=(const FileFace&) = delete;
};

template <typename Of>
void destroy(void* of_face) {
    delete static_cast<Of*>(of_face);
}

template <typename Of>
cairo_font_face_t* owning(cairo_font_face_t* face, std::unique_ptr<Of> of_face) {
    if (cairo_font_face_set_user_data(face, &kOfFace, of_face.get(), destroy<Of>) == CAIRO_STATUS_SUCCESS)
        static_cast<void>(of_face.release());
    return face;
}

void append(QByteArray& bytes, quint32 value, int size) {
    char big_endian[4];
    qToBigEndian(value, big_endian);
    bytes.append(big_endian + 4 - size, size);
}

// nullptr: FreeType cannot read it.
cairo_font_face_t* faceOfFile(const QByteArray& file) {
    if (file.isEmpty()) return nullptr;
    auto of_face = std::make_unique<FileFace>(file);
    if (of_face->face == nullptr) return nullptr;
    cairo_font_face_t* face = cairo_ft_font_face_create_for_ft_face(of_face->face, FT_LOAD_NO_HINTING);
    return owning(face, std::move(of_face));
}

cairo_status_t drawGlyph(cairo_scaled_font_t* scaled, unsigned long glyph, cairo_t* on,
                         cairo_text_extents_t* extents) {
    const auto& font = *static_cast<const QRawFont*>(
        cairo_font_face_get_user_data(cairo_scaled_font_get_font_face(scaled), &kOfFace));
    const auto index = static_cast<quint32>(glyph);
    const double em = font.pixelSize();
    extents->x_advance = font.advancesForGlyphIndexes({index}).value(0).x() / em;
    cairo_scale(on, 1 / em, 1 / em);
    trace(on, font.pathForGlyph(index));
    cairo_fill(on);
    return CAIRO_STATUS_SUCCESS;
}

cairo_font_face_t* faceOfOutlines(const QRawFont& font) {
    cairo_font_face_t* face = cairo_user_font_face_create();
    cairo_user_font_face_set_render_glyph_func(face, drawGlyph);
    return owning(face, std::make_unique<QRawFont>(font));
}

}  // namespace

QByteArray fontFile(const QRawFont& font) {
    if (!font.fontTable("fvar").isEmpty()) return {};
    const QByteArray cff = font.fontTable("CFF ");
    QList<std::pair<const char*, QByteArray>> tables;
    for (const char* name : {"CFF ", "OS/2", "cmap", "cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca",
                             "maxp", "name", "post", "prep"})
        if (const QByteArray table = font.fontTable(name); !table.isEmpty()) tables.append({name, table});
    const auto has = [&](const char* name) { return !font.fontTable(name).isEmpty(); };
    for (const char* needed : {"head", "hhea", "hmtx", "maxp"})
        if (!has(needed)) return {};
    if (cff.isEmpty() && (!has("glyf") || !has("loca"))) return {};

    // The head of the file, as OpenType has it: its kind, the number of tables and three values for a binary
    // search among them, which are a convenience that no reader relies on.
    const auto count = static_cast<quint32>(tables.size());
    QByteArray file;
    append(file, cff.isEmpty() ? 0x00010000 : 0x4F54544F, 4);  // "OTTO"
    append(file, count, 2);
    quint32 power = 1, log = 0;
    for (; power * 2 <= count; power *= 2) ++log;
    append(file, power * 16, 2);
    append(file, log, 2);
    append(file, (count - power) * 16, 2);
    quint32 offset = 12 + 16 * count;
    for (const auto& [name, table] : tables) {
        const auto size = static_cast<quint32>(table.size());
        quint32 sum = 0;
        for (quint32 at = 0; at < size; ++at)
            sum += static_cast<quint32>(static_cast<quint8>(table[at])) << (8 * (3 - at % 4));
        file.append(name, 4);
        append(file, sum, 4);
        append(file, offset, 4);
        append(file, size, 4);
        offset += (size + 3) & ~3u;
    }
    for (const auto& [name, table] : tables) file.append(table).append(-table.size() & 3, '\0');
    return file;
}

namespace {

struct Held {
    cairo_font_face_t* face = nullptr;
    CffCharstrings charstrings;  // none where the font is held as outlines
};

const Held& held(const QRawFont& font) {
    thread_local std::map<QByteArray, Held> known;
    // The head of a font file has a sum over all of it; the fonts of a collection may share that, but not
    // names.
    const QByteArray head = font.fontTable("head");
    const bool is_file = !head.isEmpty() && font.fontTable("fvar").isEmpty();
    QByteArray key = font.familyName().toUtf8() + '/' + font.styleName().toUtf8() + '/';
    key += is_file ? head : QByteArray::number(font.weight()) + '/' + QByteArray::number(font.pixelSize());
    if (const auto found = known.find(key); found != known.end()) return found->second;
    if (cairo_font_face_t* const face = faceOfFile(fontFile(font)))
        return known[key] = {face, CffCharstrings(font.fontTable("CFF "))};
    return known[key] = {faceOfOutlines(font), {}};
}

}  // namespace

cairo_font_face_t* embeddedFace(const QRawFont& font) {
    return held(font).face;
}

const CffCharstrings& charstringsOf(const QRawFont& font) {
    return held(font).charstrings;
}

}  // namespace bscope::ui
