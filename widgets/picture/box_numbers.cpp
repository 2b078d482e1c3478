#include "widgets/picture/box_numbers.h"

#include "widgets/paint/text_runs.h"
#include "widgets/picture/lane_painter.h"

namespace bscope::ui {

namespace {

constexpr double kLeastNumber = 10;      // px at 100 %: narrower boxes have no number
constexpr double kSmallOnPaper[] = {9, 8, 7};  // px: paper is read from near; 7 are 5 pt
constexpr double kLeastCondensed = 0.6;  // a number narrower than this share of its type cannot be read

}  // namespace

BoxNumbers::BoxNumbers(const Picture& picture, const PreparedView& group)
    : group_(group),
      px_per_ns_(picture.axis.pxPerNs()),
      least_(picture.figure() ? 0 : kLeastNumber * picture.theme.scale) {
    const Notation& notation = picture.notation;
    const int last =
        notation.stream_m > 0 ? notation.stream_first + notation.stream_m - 1 : group.lastMicrobatch();
    const QString widest(notation.microbatch(last, group.lastSegment()).size(), u'0');
    const auto add = [&](double size, double margin) {
        const QFont font = picture.theme.font(size, QFont::DemiBold);
        types_.push_back({font, textWidth(widest, font) + margin});
    };
    add(12, 3);
    add(10, 0);
    if (!picture.figure()) return;
    for (const double size : kSmallOnPaper) add(size, 1);
}

double BoxNumbers::usualWidth(Op op, int stage) const {
    return group_.usualDuration(op, stage) * px_per_ns_;
}

const QFont* BoxNumbers::fontOf(Op op, int stage) const {
    const double width = usualWidth(op, stage);
    if (width < least_) return nullptr;
    for (const Type& type : types_)
        if (width >= type.room) return &type.font;
    return nullptr;
}

// The number of the micro-batch; below it, small, the chunk's letter and, where the schedule has several, the
// version of the weights.
void LanePainter::boxLabel(const QRectF& box, const Event& event, int chunk, const QColor& ink) {
    const QFont* font = event.microbatch < 0 ? nullptr : numbers_.fontOf(event.op, event.stage);
    if (font == nullptr) return;
    const QRectF visible = box.intersected(picture_.layout.plot);
    QString small = chunk >= 0 ? QString(QChar(u'a' + chunk % 26)) : QString();
    if (event.weight_version != kNoVersion) {
        const QString version = QStringLiteral("w%1").arg(event.weight_version);
        const QString both = small.isEmpty() ? version : small + u' ' + version;
        const double room = std::min(numbers_.usualWidth(event.op, event.stage), box.width());
        if (textWidth(both, chunk_font_) + 2 <= room) small = both;
    }
    const double small_room = small.isEmpty() ? 0 : 0.2 * box.height();
    boxNumber({visible.center().x(), box.center().y() - small_room}, box.width(),
              picture_.notation.microbatch(event.microbatch, event.segment), *font, ink);
    if (!small.isEmpty() && textWidth(small, chunk_font_) <= box.width())
        drawCentred(painter_, {visible.center().x(), box.bottom() - 0.24 * box.height()}, small, chunk_font_,
                    ink);
}

// A box that is narrower than is usual has a condensed number, so that it lacks none.
void LanePainter::boxNumber(const QPointF& centre, double room, const QString& text, const QFont& font,
                            const QColor& ink) {
    const double width = textWidth(text, font);
    if (width <= room + 0.5) return drawCentred(painter_, centre, text, font, ink);
    if (room < kLeastCondensed * width) return;
    painter_.save();
    painter_.translate(centre);
    painter_.scale(room / width, 1);
    drawCentred(painter_, {0, 0}, text, font, ink);
    painter_.restore();
}

}  // namespace bscope::ui
