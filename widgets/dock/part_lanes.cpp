#include "widgets/dock/part_lanes.h"

#include <QPainter>
#include <algorithm>

#include "widgets/text/format.h"
#include "widgets/theme/theme_style.h"

namespace bscope::ui {
namespace {

constexpr double kLane = 26, kLaneGap = 6, kLaneName = 64, kLanesWidth = 420, kBoxText = 11;

double beginOf(const PartLane& lane) {
    return lane.boxes.empty() ? 0 : lane.boxes.front().start_ms;
}

}  // namespace

PartLanes::PartLanes(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PartLanes::setLanes(std::vector<PartLane> lanes, bool count_from_zero) {
    count_from_zero_ = count_from_zero;
    lanes_ = std::move(lanes);
    longest_ms_ = 0;
    for (const PartLane& lane : lanes_)
        for (const PartLane::Box& box : lane.boxes)
            longest_ms_ = std::max(longest_ms_, box.end_ms - beginOf(lane));
    updateGeometry();
    update();
}

QSize PartLanes::sizeHint() const {
    const double rows = static_cast<double>(lanes_.size()) * (kLane + kLaneGap);
    return {currentTheme().px(kLanesWidth), currentTheme().px(rows)};
}

QRectF PartLanes::boxRect(std::size_t lane, std::size_t box) const {
    const Theme& theme = currentTheme();
    const double left = theme.px(kLaneName), room = width() - left;
    const PartLane& of = lanes_[lane];
    const double per_ms = longest_ms_ > 0 ? room / longest_ms_ : 0;
    const double from = left + (of.boxes[box].start_ms - beginOf(of)) * per_ms;
    return {from, static_cast<double>(lane) * theme.px(kLane + kLaneGap),
            std::max(1.0, (of.boxes[box].end_ms - of.boxes[box].start_ms) * per_ms),
            static_cast<double>(theme.px(kLane))};
}

void PartLanes::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = currentTheme();
    painter.setFont(theme.font(kBoxText));
    const QFontMetricsF metrics(painter.font());
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
        const PartLane& of = lanes_[lane];
        const double top = static_cast<double>(lane) * theme.px(kLane + kLaneGap), height = theme.px(kLane);
        painter.setPen(theme.text_soft);
        painter.drawText(QRectF(0, top, theme.px(kLaneName) - theme.px(6), height),
                         Qt::AlignVCenter | Qt::AlignLeft, of.name);
        painter.fillRect(QRectF(theme.px(kLaneName), top, width() - theme.px(kLaneName), height), theme.bubble);
        for (std::size_t at = 0; at < of.boxes.size(); ++at) {
            const QRectF rect = boxRect(lane, at);
            const Action& action = of.boxes[at].action;
            const QColor fill = theme.fill(action.op);
            painter.fillRect(rect, fill);
            const QString text = microbatchText(action.microbatch, count_from_zero_);
            if (metrics.horizontalAdvance(text) + 4 > rect.width()) continue;
            painter.setPen(theme.ink(fill));
            painter.drawText(rect, Qt::AlignCenter, text);
        }
    }
}

}  // namespace bscope::ui
