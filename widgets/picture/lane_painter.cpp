#include "widgets/picture/lane_painter.h"

#include <algorithm>

#include "widgets/paint/text_runs.h"
#include "widgets/picture/note_flags.h"
#include "widgets/text/canvas_words.h"
#include "widgets/text/config_text.h"

namespace bscope::ui {

namespace {

constexpr double kBeyondPlot = 4;  // px

}  // namespace

LanePainter::LanePainter(QPainter& painter, const Picture& picture, int group, int rank)
    : painter_(painter),
      picture_(picture),
      group_(picture.groups[static_cast<std::size_t>(group)]),
      prepared_(group_.lane(rank)),
      lane_(picture.layout.groups[static_cast<std::size_t>(group)][static_cast<std::size_t>(rank)]),
      theme_(picture.theme),
      rank_(rank),
      axis_(picture.axisOf(group_)),
      // Paper has no clip.
      least_x_(picture.layout.plot.left() - (picture.figure() ? 0 : kBeyondPlot)),
      most_x_(picture.layout.plot.right() + (picture.figure() ? 0 : kBeyondPlot)),
      px_per_byte_(heightOfByte()),
      below_activations_(drawsHeld() ? static_cast<double>(group_.held(rank).sum()) : 0),
      numbers_(picture, group_),
      chunk_font_(theme_.font(10, QFont::Medium)),
      idle_font_(theme_.font(10.5)),
      in_flight_font_(theme_.font(10)) {}

double LanePainter::heightOfByte() const {
    const double greatest = group_.memoryScale(drawsHeld());
    const double room =
        lane_.memory.height() - 4 * theme_.scale;  // the cap line stays clear of the strip above
    return greatest > 0 ? room / greatest : 0;
}

std::size_t LanePainter::firstVisible(const EventSlice& events) const {
    const std::int64_t from = timeAt(picture_.layout.plot.left());
    return static_cast<std::size_t>(
        std::ranges::partition_point(events, [from](const Event& e) { return e.end_ns <= from; }) -
        events.begin());
}

QColor LanePainter::faded(const QColor& colour, double opacity) const {
    return mixed(colour, theme_.canvas, opacity);
}

const QColor& LanePainter::inkOn(const QColor& fill) {
    auto known = std::ranges::find(inks_, fill, &std::pair<QColor, QColor>::first);
    if (known == inks_.end()) known = inks_.insert(known, {fill, theme_.ink(fill)});
    return known->second;
}

const QColor& LanePainter::quietInkOn(const QColor& fill) {
    constexpr double kDimmedLabel = 0.72;
    auto known = std::ranges::find(quiet_inks_, fill, &std::pair<QColor, QColor>::first);
    if (known == quiet_inks_.end())
        known = quiet_inks_.insert(known, {fill, theme_.quietInk(fill, kDimmedLabel)});
    return known->second;
}

bool LanePainter::isDimmed(const Event& event) const {
    return picture_.selection && !group_.inLife(event, *picture_.selection);
}

void LanePainter::brackets() {
    if (lane_.bracket.height() <= 0 || !prepared_.started) return;
    // A stream fills once, at its beginning, and does not drain.
    const bool stream = group_.view().isStream(), begins = group_.view().first_microbatch == 0;
    const std::int64_t warm = stream && !begins ? prepared_.first_start_ns : prepared_.warm_up_end_ns;
    const std::int64_t cool = stream ? prepared_.last_end_ns : std::max(prepared_.cool_down_start_ns, warm);
    bracket(prepared_.first_start_ns, warm, said(sentence("warm-up")));
    bracket(warm, cool, said(sentence("steady")));
    bracket(cool, prepared_.last_end_ns, said(sentence("cool-down")));
}

// Where a word of this width stands that would be in the middle from left to right, but for notes' flags.
std::pair<double, double> LanePainter::besideFlags(double left, double right, double word_width) const {
    std::vector<std::pair<double, double>> flags;
    for (const NoteMark& note : picture_.notes)
        if (note.rank == rank_ && &group_ == &picture_.groups.front())
            if (const QRectF flag = flagOf(picture_, note); !flag.isEmpty())
                flags.emplace_back(flag.left(), flag.right());
    const double middle = (left + right) / 2;
    const bool is_free = std::ranges::none_of(flags, [&](const auto& flag) {
        return flag.first < middle + word_width / 2 && flag.second > middle - word_width / 2;
    });
    if (is_free) return {left, right};
    std::ranges::sort(flags);
    flags.emplace_back(right, right);
    std::pair<double, double> widest{left, left};
    for (double from = left; const auto& [flag_left, flag_right] : flags) {
        const double to = std::clamp(flag_left, from, right);
        if (to - from > widest.second - widest.first) widest = {from, to};
        from = std::clamp(flag_right, from, right);
    }
    return widest;
}

void LanePainter::bracket(std::int64_t from_ns, std::int64_t to_ns, const QString& word) {
    const QRectF& plot = picture_.layout.plot;
    const double from = picture_.snapped(xOf(from_ns)) + 0.5 * picture_.pixel;
    const double to = picture_.snapped(xOf(to_ns)) - 1.5 * picture_.pixel;
    const double left = std::max(from, plot.left()), right = std::min(to, plot.right());
    if (right - left < 4) return;
    // A Chinese word fills its whole type size: it stays below the top of a low lane, which cuts it off.
    const bool is_low = lane_.bracket.height() < 14.5 * theme_.scale;
    const double y = picture_.snapped(lane_.bracket.top() + lane_.bracket.height() * (is_low ? 0.45 : 0.54)) +
                     0.5 * picture_.pixel;
    const QFont font = theme_.font(is_low ? 9.6 : 10.5);
    const double word_width = textWidth(word, font) + 12 * theme_.scale, tick = 3 * theme_.scale;
    const auto [free_left, free_right] = besideFlags(left, right, word_width);
    const double middle = (free_left + free_right) / 2;
    painter_.setPen(QPen(theme_.text_faint, picture_.line()));
    if (free_right - free_left > word_width + 12 * theme_.scale) {
        painter_.drawLine(QLineF(left, y, middle - word_width / 2, y));
        painter_.drawLine(QLineF(middle + word_width / 2, y, right, y));
        drawCentred(painter_, {middle, y}, word, font, theme_.text_soft);
        painter_.setPen(QPen(theme_.text_faint, picture_.line()));
    } else {
        painter_.drawLine(QLineF(left, y, right, y));
    }
    if (from >= plot.left()) painter_.drawLine(QLineF(left, y - tick, left, y + tick));
    if (to <= plot.right()) painter_.drawLine(QLineF(right, y - tick, right, y + tick));
}

}  // namespace bscope::ui
