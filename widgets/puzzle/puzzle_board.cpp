#include "widgets/puzzle/puzzle_board.h"

#include <QApplication>
#include <QDrag>
#include <QDropEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "schedule/index.h"

namespace bscope::ui {
namespace {

constexpr int kFreeSteps = 4;  // behind what is placed, and behind the par

std::optional<Action> draggedAction(const QMimeData* data) {
    return parseAction(data->data(QLatin1String(kActionFormat)).toStdString());
}

}  // namespace

PuzzleBoard::PuzzleBoard(ViewState& state, QWidget* parent) : StepGrid(state, parent) {
    setAcceptDrops(true);
    viewport()->setAcceptDrops(true);
}

void PuzzleBoard::setGrid(const PuzzleGrid& grid, const PuzzleStatus& standing) {
    auto model = std::make_shared<GridModel>(gridOf(grid.schedule()));
    model->steps = std::max(model->steps, parOf(grid.level()).steps) + kFreeSteps;
    critical_ = standing.critical;
    placement_ = grid.schedule().placement;
    refusal_.reset();
    setModel(std::move(model), false);
    setCaret(caret_);
}

void PuzzleBoard::setRefusal(const std::optional<PuzzleRefusal>& refusal) {
    refusal_ = refusal;
    viewport()->update();
}

int PuzzleBoard::sizeOf(int row) const {
    return static_cast<int>(model()->rows[at(row)].size());
}

void PuzzleBoard::setCaret(const GridPlace& caret) {
    if (rows() == 0) return;
    const GridPlace before = caret_;
    caret_.row = std::clamp(caret.row, 0, rows() - 1);
    caret_.index = std::clamp(caret.index, 0, sizeOf(caret_.row));
    scrollTo(caret_.index < sizeOf(caret_.row) ? caret_ : GridPlace{caret_.row, -1});
    if (caret_ != before) {
        refusal_.reset();
        emit caretMoved();
    }
    viewport()->update();
}

QRectF PuzzleBoard::boxAt(const GridPlace& place) const {
    const bool end = place.index >= sizeOf(place.row);
    return QRectF(cellRect(end ? GridPlace{place.row, -1} : place));
}

std::optional<GridPlace> PuzzleBoard::cellAt(const QPoint& point) const {
    const auto place = insertionAt(point);
    if (!place) return std::nullopt;
    for (const int index : {place->index, place->index - 1})
        if (index >= 0 && index < sizeOf(place->row) && boxAt({place->row, index}).contains(point))
            return GridPlace{place->row, index};
    return std::nullopt;
}

// Before the cell whose middle is to the right of the point.
std::optional<GridPlace> PuzzleBoard::insertionAt(const QPoint& point) const {
    if (point.x() < headWidth() || point.y() < rulerHeight() || rows() == 0) return std::nullopt;
    const int row = static_cast<int>((point.y() - yOf(0)) / rowHeight());
    if (row < 0 || row >= rows()) return std::nullopt;
    int index = 0;
    while (index < sizeOf(row) && boxAt({row, index}).center().x() < point.x()) ++index;
    return GridPlace{row, index};
}

void PuzzleBoard::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    setFocus();
    pressed_ = event->pos();
    pressed_cell_ = cellAt(event->pos());
    if (const auto place = pressed_cell_ ? pressed_cell_ : insertionAt(event->pos())) setCaret(*place);
}

void PuzzleBoard::mouseMoveEvent(QMouseEvent* event) {
    const bool far = (event->pos() - pressed_).manhattanLength() >= QApplication::startDragDistance();
    if ((event->buttons() & Qt::LeftButton) == 0 || !pressed_cell_ || !far) return;
    auto* mime = new QMimeData;
    mime->setData(QLatin1String(kActionFormat),
                  QByteArray::fromStdString(toText(model()->cell(*pressed_cell_).action)));
    pressed_cell_.reset();
    auto* drag = new QDrag(this);
    drag->setMimeData(mime);
    drag->exec(Qt::MoveAction);
}

void PuzzleBoard::dragEnterEvent(QDragEnterEvent* event) {
    if (draggedAction(event->mimeData())) event->acceptProposedAction();
}

void PuzzleBoard::dragMoveEvent(QDragMoveEvent* event) {
    const auto place = insertionAt(event->position().toPoint());
    if (!place) return event->ignore();
    setCaret(*place);
    event->acceptProposedAction();
}

void PuzzleBoard::dropEvent(QDropEvent* event) {
    const auto action = draggedAction(event->mimeData());
    const auto place = insertionAt(event->position().toPoint());
    if (!action || !place) return event->ignore();
    event->acceptProposedAction();
    setCaret(*place);
    setFocus();
    emit dropped(*action, place->index);
}

// From the end of a rank to that of the next; else to what stands above or below.
void PuzzleBoard::goToRow(int row) {
    if (row < 0 || row >= rows()) return;
    const bool end = caret_.index >= sizeOf(caret_.row);
    const double left = boxAt(caret_).left();
    int index = 0;
    while (index < sizeOf(row) && (end || boxAt({row, index}).center().x() < left)) ++index;
    setCaret({row, index});
}

void PuzzleBoard::keyPressEvent(QKeyEvent* event) {
    const bool moves = event->modifiers() == Qt::ControlModifier;
    const auto go = [this](int row, int index) { setCaret({row, index}); };
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right: {
            const int direction = event->key() == Qt::Key_Left ? -1 : 1;
            if (moves) return emit moveRequested(direction);
            return go(caret_.row, caret_.index + direction);
        }
        case Qt::Key_Up:
        case Qt::Key_Down:
            return goToRow(caret_.row + (event->key() == Qt::Key_Up ? -1 : 1));
        case Qt::Key_Home:
            return go(caret_.row, 0);
        case Qt::Key_End:
            return go(caret_.row, sizeOf(caret_.row));
        case Qt::Key_Delete:
            return emit removeRequested(caret_.index);
        case Qt::Key_Backspace:
            return emit removeRequested(caret_.index - 1);
        case Qt::Key_Plus:
        case Qt::Key_Equal:
        case Qt::Key_Minus:
        case Qt::Key_0:
            return StepGrid::keyPressEvent(event);
        default:
            event->ignore();
    }
}

QRectF PuzzleBoard::missingBox() const {
    if (!refusal_ || !refusal_->missing || !model()) return {};
    const Action& missing = *refusal_->missing;
    const int row = placement_[at(missing.stage)];
    if (const auto place = model()->find(row, missing)) return QRectF(cellRect(*place));
    return boxAt({row, sizeOf(row)});
}

// What was refused is not there: it would have stood at the caret.
QRectF PuzzleBoard::blockedBox() const {
    if (!refusal_ || !refusal_->blocked || !model()) return {};
    const Action& blocked = *refusal_->blocked;
    const int row = placement_[at(blocked.stage)];
    if (const auto place = model()->find(row, blocked)) return QRectF(cellRect(*place));
    return boxAt({row, row == caret_.row ? caret_.index : sizeOf(row)});
}

void PuzzleBoard::paintArrow(QPainter& painter) const {
    const QRectF from = missingBox(), to = blockedBox();
    if (from.isEmpty() || to.isEmpty()) return;
    const Theme& theme = currentTheme();
    const bool placed =
        model()->find(placement_[at(refusal_->missing->stage)], *refusal_->missing).has_value();
    painter.setPen(QPen(theme.accent, 2 * theme.line(), placed ? Qt::SolidLine : Qt::DashLine));
    painter.setBrush(placed ? QBrush(Qt::NoBrush) : QBrush(theme.canvas));
    painter.drawRect(from.adjusted(1, 1, -3, -3));
    if (!placed) {
        painter.setFont(theme.font(11, QFont::DemiBold));
        painter.setPen(theme.accent);
        painter.drawText(from.adjusted(-theme.px(20), 0, theme.px(20), 0), Qt::AlignCenter,
                         QString::fromStdString(toText(*refusal_->missing)));
    }
    const QPointF begin =
        from.center() + QPointF(0, (from.center().y() < to.center().y() ? 1 : -1) *
                                       (from.center().y() == to.center().y() ? 0.0 : from.height() / 2));
    const QPointF end(to.left() + theme.px(2), to.center().y());
    painter.setPen(QPen(theme.accent, 2 * theme.line()));
    painter.drawLine(begin, end);
    const double angle = std::atan2(end.y() - begin.y(), end.x() - begin.x()), head = theme.px(8);
    const auto wing = [&](double turn) {
        return end - QPointF(std::cos(angle + turn), std::sin(angle + turn)) * head;
    };
    painter.setBrush(theme.accent);
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(QPolygonF({end, wing(0.45), wing(-0.45)}));
}

void PuzzleBoard::paintEvent(QPaintEvent* event) {
    StepGrid::paintEvent(event);
    if (!model()) return;
    const Theme& theme = currentTheme();
    QPainter painter(viewport());
    painter.setClipRect(viewport()->rect().adjusted(headWidth() - theme.px(4), rulerHeight(), 0, 0));
    for (const Action& action : critical_)
        if (const auto place = model()->find(placement_[at(action.stage)], action)) {
            const QRectF box(cellRect(*place));
            painter.fillRect(QRectF(box.left(), box.bottom() - 3 * theme.line(), box.width() - theme.line(),
                                    2 * theme.line()),
                             theme.text);
        }
    const QRectF box = boxAt(caret_);
    const QColor ink = hasFocus() ? theme.accent : theme.text_faint;
    if (caret_.index < sizeOf(caret_.row)) {
        painter.setPen(QPen(ink, theme.line()));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(0, 0, -theme.line(), -theme.line()));
    }
    painter.fillRect(
        QRectF(box.left() - 1.5 * theme.line(), box.top() - 2, 3 * theme.line(), box.height() + 3), ink);
    paintArrow(painter);
}

}  // namespace bscope::ui
