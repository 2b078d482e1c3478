#include "widgets/figure/cairo_engine.h"

#include <QPainterPath>
#include <QPixmap>
#include <QTextBoundaryFinder>
#include <QTextLayout>
#include <algorithm>
#include <utility>
#include <vector>

#include "widgets/figure/cairo_path.h"
#include "widgets/figure/embedded_fonts.h"

namespace bscope::ui {

namespace {

constexpr double kWide = 1e5;  // for any text in one line

// Glyphs of one font in a row, with the bytes of the text that each of their groups was made of.
struct ShownText {
    QRawFont font;
    const CffCharstrings* charstrings;
    QByteArray utf8;
    std::vector<cairo_glyph_t> glyphs;
    std::vector<cairo_text_cluster_t> clusters;
    bool loses_outline = false;  // of its one group
};

// What a person types when searching: of the spaces, the usual one, and nothing that only joins.
QString searchable(QString text) {
    for (QChar& each : text)
        if (each == QChar::Nbsp || each == QChar(0x202F) || each == QChar(0x2009)) each = u' ';
    return text.remove(QChar(0x2060));
}

bool sameGlyphs(const cairo_glyph_t* former, const QList<quint32>& glyphs, const QList<QPointF>& positions) {
    for (qsizetype i = 0; i < glyphs.size(); ++i)
        if (former[i].index != glyphs[i] || former[i].x != positions[i].x() ||
            former[i].y != positions[i].y())
            return false;
    return true;
}

// Letters that the font joins into one glyph come as one group, of all their characters.
void add(std::vector<ShownText>& shown, const QGlyphRun& run, const QByteArray& utf8) {
    const QList<quint32> glyphs = run.glyphIndexes();
    const QList<QPointF> positions = run.positions();
    const auto bytes = static_cast<int>(utf8.size());
    const QRawFont font = run.rawFont();
    const bool same_font = !shown.empty() && shown.back().font == font;
    const CffCharstrings& charstrings = same_font ? *shown.back().charstrings : charstringsOf(font);
    const bool loses = std::ranges::any_of(
        glyphs, [&charstrings](quint32 glyph) { return charstrings.losesSubroutines(glyph); });
    if (!same_font || loses || shown.back().loses_outline)
        shown.push_back({font, &charstrings, {}, {}, {}, loses});
    ShownText& text = shown.back();
    text.utf8 += utf8;
    const auto count = static_cast<std::size_t>(glyphs.size());
    if (!text.clusters.empty() && text.clusters.back().num_glyphs == static_cast<int>(count) &&
        sameGlyphs(text.glyphs.data() + text.glyphs.size() - count, glyphs, positions)) {
        text.clusters.back().num_bytes += bytes;
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = static_cast<qsizetype>(i);
        text.glyphs.push_back({glyphs[at], positions[at].x(), positions[at].y()});
    }
    text.clusters.push_back({bytes, static_cast<int>(count)});
}

// What cairo makes of such glyphs is not to be seen; as text they are there, and can be searched for. Nothing
// at all would be left out.
void clipToAPoint(cairo_t* drawing, const ShownText& text) {
    const double em = text.font.pixelSize(), size = em / 1000;
    const cairo_glyph_t& first = text.glyphs.front();
    cairo_rectangle(drawing, first.x + em / 2, first.y - em / 3, size, size);
    cairo_clip(drawing);
}

void fillOutlines(cairo_t* drawing, const ShownText& text) {
    for (const cairo_glyph_t& glyph : text.glyphs) {
        cairo_save(drawing);
        cairo_translate(drawing, glyph.x, glyph.y);
        trace(drawing, text.font.pathForGlyph(static_cast<quint32>(glyph.index)));
        cairo_fill(drawing);
        cairo_restore(drawing);
    }
}

// The base line begins at (0, 0).
std::vector<ShownText> shapedText(const QString& text, const QFont& font) {
    QTextLayout layout(text, font);
    QTextOption one_line;
    one_line.setWrapMode(QTextOption::NoWrap);
    layout.setTextOption(one_line);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setLineWidth(kWide);
    line.setPosition({0, -line.ascent()});
    layout.endLayout();
    std::vector<ShownText> shown;
    QTextBoundaryFinder letters(QTextBoundaryFinder::Grapheme, text);
    for (qsizetype from = 0, to = letters.toNextBoundary(); to > from;
         from = to, to = letters.toNextBoundary()) {
        const auto length = static_cast<int>(to - from);
        const QByteArray utf8 = searchable(text.mid(from, length)).toUtf8();
        bool first = true;
        for (const QGlyphRun& run : line.glyphRuns(static_cast<int>(from), length))
            add(shown, run, std::exchange(first, false) ? utf8 : QByteArray());
    }
    return shown;
}

cairo_line_cap_t capOf(const QPen& pen) {
    if (pen.capStyle() == Qt::RoundCap) return CAIRO_LINE_CAP_ROUND;
    return pen.capStyle() == Qt::FlatCap ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_SQUARE;
}

cairo_line_join_t joinOf(const QPen& pen) {
    if (pen.joinStyle() == Qt::RoundJoin) return CAIRO_LINE_JOIN_ROUND;
    return pen.joinStyle() == Qt::BevelJoin ? CAIRO_LINE_JOIN_BEVEL : CAIRO_LINE_JOIN_MITER;
}

}  // namespace

CairoEngine::CairoEngine(cairo_t* drawing) : QPaintEngine(AllFeatures), drawing_(drawing) {
    cairo_get_matrix(drawing_, &page_);
    // Glyphs stand where the layout put them, at any size.
    cairo_font_options_t* exact = cairo_font_options_create();
    cairo_font_options_set_hint_style(exact, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(exact, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(drawing_, exact);
    cairo_font_options_destroy(exact);
}

bool CairoEngine::end() {
    cairo_reset_clip(drawing_);
    return cairo_status(drawing_) == CAIRO_STATUS_SUCCESS;
}

void CairoEngine::updateState(const QPaintEngineState& now) {
    const DirtyFlags changed = now.state();
    if (changed & DirtyTransform) transform_ = now.transform();
    if (changed & DirtyPen) pen_ = now.pen();
    if (changed & DirtyBrush) brush_ = now.brush();
    if (changed & DirtyOpacity) opacity_ = now.opacity();
    if (changed & DirtyClipRegion) {
        QPainterPath path;
        path.addRegion(now.clipRegion());
        clip(path, now.clipOperation());
    }
    if (changed & DirtyClipPath) clip(now.clipPath(), now.clipOperation());
    if ((changed & DirtyClipEnabled) && !now.isClipEnabled()) cairo_reset_clip(drawing_);
}

void CairoEngine::clip(const QPainterPath& path, Qt::ClipOperation operation) {
    if (operation != Qt::IntersectClip) cairo_reset_clip(drawing_);
    if (operation == Qt::NoClip) return;
    setTransform();
    cairo_new_path(drawing_);
    trace(drawing_, path);
    cairo_set_fill_rule(
        drawing_, path.fillRule() == Qt::WindingFill ? CAIRO_FILL_RULE_WINDING : CAIRO_FILL_RULE_EVEN_ODD);
    cairo_clip(drawing_);
}

void CairoEngine::setTransform() {
    const cairo_matrix_t own{transform_.m11(), transform_.m12(), transform_.m21(),
                             transform_.m22(), transform_.dx(),  transform_.dy()};
    cairo_set_matrix(drawing_, &page_);
    cairo_transform(drawing_, &own);
}

void CairoEngine::setColour(const QColor& colour) {
    cairo_set_source_rgba(drawing_, colour.redF(), colour.greenF(), colour.blueF(),
                          colour.alphaF() * opacity_);
}

void CairoEngine::drawPath(const QPainterPath& path) {
    setTransform();
    cairo_new_path(drawing_);
    trace(drawing_, path);
    paint(true, path.fillRule() == Qt::WindingFill);
}

void CairoEngine::drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) {
    if (count < 1) return;
    setTransform();
    cairo_new_path(drawing_);
    for (int i = 0; i < count; ++i) cairo_line_to(drawing_, points[i].x(), points[i].y());
    if (mode != PolylineMode) cairo_close_path(drawing_);
    paint(mode != PolylineMode, mode == WindingMode);
}

// The current path.
void CairoEngine::paint(bool fills, bool winding) {
    if (fills && brush_.style() != Qt::NoBrush) {
        setColour(brush_.color());
        cairo_set_fill_rule(drawing_, winding ? CAIRO_FILL_RULE_WINDING : CAIRO_FILL_RULE_EVEN_ODD);
        cairo_fill_preserve(drawing_);
    }
    if (pen_.style() != Qt::NoPen) stroke();
    cairo_new_path(drawing_);
}

void CairoEngine::stroke() {
    const double width = pen_.widthF() > 0 ? pen_.widthF() : 1;
    setColour(pen_.color());
    cairo_set_line_width(drawing_, width);
    cairo_set_line_cap(drawing_, capOf(pen_));
    cairo_set_line_join(drawing_, joinOf(pen_));
    cairo_set_miter_limit(drawing_, 2 * pen_.miterLimit());  // Qt counts from the middle of the line
    std::vector<double> dashes;
    for (const double each : pen_.dashPattern()) dashes.push_back(each * width);
    cairo_set_dash(drawing_, dashes.data(), static_cast<int>(dashes.size()), pen_.dashOffset() * width);
    if (pen_.isCosmetic()) cairo_set_matrix(drawing_, &page_);
    cairo_stroke_preserve(drawing_);
}

void CairoEngine::drawPixmap(const QRectF& target, const QPixmap& pixmap, const QRectF& source) {
    QImage image =
        pixmap.copy(source.toAlignedRect()).toImage().convertToFormat(QImage::Format_ARGB32_Premultiplied);
    if (image.isNull() || target.isEmpty()) return;
    cairo_surface_t* surface =
        cairo_image_surface_create_for_data(image.bits(), CAIRO_FORMAT_ARGB32, image.width(), image.height(),
                                            static_cast<int>(image.bytesPerLine()));
    setTransform();
    cairo_translate(drawing_, target.x(), target.y());
    cairo_scale(drawing_, target.width() / image.width(), target.height() / image.height());
    cairo_set_source_surface(drawing_, surface, 0, 0);
    cairo_paint_with_alpha(drawing_, opacity_);
    cairo_set_source_rgb(drawing_, 0, 0, 0);  // lets go of the image
    cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
}

// Shaped once more, since what Qt hands over does not say which glyphs stand for which characters.
void CairoEngine::drawTextItem(const QPointF& at, const QTextItem& item) {
    setTransform();
    cairo_translate(drawing_, at.x(), at.y());
    setColour(pen_.color());
    for (const ShownText& text : shapedText(item.text(), item.font())) {
        cairo_save(drawing_);
        if (text.loses_outline) clipToAPoint(drawing_, text);
        cairo_set_font_face(drawing_, embeddedFace(text.font));
        cairo_set_font_size(drawing_, text.font.pixelSize());
        cairo_show_text_glyphs(drawing_, text.utf8.constData(), static_cast<int>(text.utf8.size()),
                               text.glyphs.data(), static_cast<int>(text.glyphs.size()), text.clusters.data(),
                               static_cast<int>(text.clusters.size()), {});
        cairo_restore(drawing_);
        if (text.loses_outline) fillOutlines(drawing_, text);
    }
}

}  // namespace bscope::ui
