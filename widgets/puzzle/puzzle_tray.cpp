#include "widgets/puzzle/puzzle_tray.h"

#include <QApplication>
#include <QDrag>
#include <QDropEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <algorithm>

#include "schedule/index.h"
#include "widgets/puzzle/puzzle_board.h"
#include "widgets/text/notation.h"

namespace bscope::ui {
namespace {

constexpr double kChipWidth = 34, kChipHeight = 22, kChipGap = 4, kNameWidth = 148;

}  // namespace

PuzzleTray::PuzzleTray(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAcceptDrops(true);
}

void PuzzleTray::setChips(std::vector<TrayChip> chips, int ranks, int lines) {
    chips_ = std::move(chips);
    lines_ = lines;
    ranks_ = ranks;
    current_ = std::clamp(current_, 0, std::max(0, static_cast<int>(chips_.size()) - 1));
    updateGeometry();
    update();
}

std::vector<Op> PuzzleTray::operations() const {
    std::vector<Op> all;
    for (const TrayChip& chip : chips_)
        if (all.empty() || all.back() != chip.action.op) all.push_back(chip.action.op);
    return all;
}

int PuzzleTray::rowOf(int chip) const {
    const std::vector<Op> all = operations();
    return static_cast<int>(std::ranges::find(all, chips_[at(chip)].action.op) - all.begin());
}

QRectF PuzzleTray::chipRect(int chip) const {
    int column = 0;
    for (int before = chip - 1; before >= 0 && chips_[at(before)].action.op == chips_[at(chip)].action.op;
         --before)
        ++column;
    const Theme& theme = currentTheme();
    const double wide = theme.px(kChipWidth), high = theme.px(kChipHeight), gap = theme.px(kChipGap);
    return {theme.px(kNameWidth) + column * (wide + gap), rowOf(chip) * (high + gap) + gap / 2, wide, high};
}

QSize PuzzleTray::sizeHint() const {
    const Theme& theme = currentTheme();
    return {theme.px(400), lines_ * theme.px(kChipHeight + kChipGap)};
}

int PuzzleTray::chipAt(const QPointF& point) const {
    for (int chip = 0; chip < static_cast<int>(chips_.size()); ++chip)
        if (chipRect(chip).contains(point)) return chip;
    return -1;
}

void PuzzleTray::mousePressEvent(QMouseEvent* event) {
    pressed_ = event->button() == Qt::LeftButton ? chipAt(event->position()) : -1;
    pressed_at_ = event->pos();
    if (pressed_ >= 0) current_ = pressed_;
    update();
}

void PuzzleTray::mouseMoveEvent(QMouseEvent* event) {
    const bool far = (event->pos() - pressed_at_).manhattanLength() >= QApplication::startDragDistance();
    if (pressed_ < 0 || !far) return;
    auto* mime = new QMimeData;
    mime->setData(QLatin1String(kActionFormat),
                  QByteArray::fromStdString(toText(chips_[at(pressed_)].action)));
    auto* drag = new QDrag(this);
    drag->setMimeData(mime);
    drag->setPixmap(grab(chipRect(pressed_).toAlignedRect()));
    pressed_ = -1;
    drag->exec(Qt::MoveAction);
}

void PuzzleTray::mouseReleaseEvent(QMouseEvent* event) {
    const int chip = std::exchange(pressed_, -1);
    if (chip >= 0 && chip == chipAt(event->position())) emit placeRequested(Action(chips_[at(chip)].action));
}

void PuzzleTray::keyPressEvent(QKeyEvent* event) {
    if (chips_.empty()) return event->ignore();
    const int last = static_cast<int>(chips_.size()) - 1, row = rowOf(current_);
    const auto inRow = [&](int wanted) {
        int best = current_;
        for (int chip = 0; chip <= last; ++chip)
            if (rowOf(chip) == wanted &&
                (rowOf(best) != wanted || chipRect(chip).left() <= chipRect(current_).left()))
                best = chip;
        return best;
    };
    switch (event->key()) {
        case Qt::Key_Left:
            current_ = std::max(0, current_ - 1);
            break;
        case Qt::Key_Right:
            current_ = std::min(last, current_ + 1);
            break;
        case Qt::Key_Up:
            current_ = inRow(row - 1);
            break;
        case Qt::Key_Down:
            current_ = inRow(row + 1);
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Space:
            return emit placeRequested(Action(chips_[at(current_)].action));
        default:
            return event->ignore();
    }
    update();
}

void PuzzleTray::dragEnterEvent(QDragEnterEvent* event) {
    if (event->source() != this && event->mimeData()->hasFormat(QLatin1String(kActionFormat)))
        event->acceptProposedAction();
}

void PuzzleTray::dropEvent(QDropEvent* event) {
    const auto action = parseAction(event->mimeData()->data(QLatin1String(kActionFormat)).toStdString());
    if (!action) return event->ignore();
    event->acceptProposedAction();
    emit removeDropped(*action);
}

void PuzzleTray::focusInEvent(QFocusEvent*) {
    update();
}

void PuzzleTray::focusOutEvent(QFocusEvent*) {
    update();
}

void PuzzleTray::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    const std::vector<Op> all = operations();
    painter.setFont(theme.font(11.5));
    painter.setPen(theme.text_soft);
    if (chips_.empty())
        painter.drawText(rect(), Qt::AlignTop | Qt::AlignLeft, tr("Nothing is left to place on this rank."));
    for (std::size_t row = 0; row < all.size(); ++row) {
        const double high = theme.px(kChipHeight) + theme.px(kChipGap);
        painter.drawText(
            QRectF(0, static_cast<double>(row) * high, theme.px(kNameWidth - 8), high),
            Qt::AlignVCenter | Qt::AlignLeft,
            QString::fromStdString(std::string(opText(all[row]))) + QStringLiteral("  ") + opName(all[row]));
    }
    for (int chip = 0; chip < static_cast<int>(chips_.size()); ++chip) {
        const TrayChip& each = chips_[at(chip)];
        const QRectF box = chipRect(chip);
        const int stage = each.action.stage, chunk = stage / std::max(1, ranks_);
        const QColor fill = theme.fill(each.action.op, StagePlace{.position = stage, .chunk = chunk});
        painter.setOpacity(each.possible ? 1 : 0.4);
        painter.fillRect(box, fill);
        painter.setFont(theme.font(11, QFont::DemiBold));
        painter.setPen(theme.ink(fill));
        painter.drawText(box, Qt::AlignCenter, each.text);
        painter.setOpacity(1);
        if (chip == current_ && hasFocus()) {
            painter.setPen(QPen(theme.accent, 2 * theme.line()));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box.adjusted(1, 1, -1, -1));
        }
    }
}

}  // namespace bscope::ui
