// Geometry, selection, mouse and keys of the grid; its painting is in step_grid_paint.cpp.
#include "widgets/schedule/step_grid.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "widgets/controls/long_tips.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/text/notation.h"

namespace bscope::ui {
namespace {

constexpr double kRowHeight = 22, kRuler = 20, kLeastCell = 2.5, kMostCell = 96, kCellZoom = 1.25;
constexpr double kLaneHead = 96, kBeside = 16,
                 kRoomyCell = 48;  // the canvas' lane header; cells widen into free room
constexpr double kRoomyRow = 96, kBelow = 14, kRounding = 0.01;
constexpr qsizetype kLongestWritten = 12;

QStringList saidLines(const std::vector<Sentence>& sentences) {
    QStringList lines;
    for (const Sentence& each : sentences) lines << said(each);
    return lines;
}

}  // namespace

StepGrid::StepGrid(ViewState& state, QWidget* parent) : QAbstractScrollArea(parent), state_(state) {
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setAttribute(Qt::WA_InputMethodEnabled, false);
    viewport()->setMouseTracking(true);
    connect(&state_, &ViewState::selectionChanged, this, &StepGrid::followSelection);
    connect(&state_, &ViewState::presentationChanged, this, [this] {
        measure();
        viewport()->update();
    });
    followTheme();
}

void StepGrid::setModel(std::shared_ptr<const GridModel> model, bool linked) {
    const bool other_shape = !model_ || !model || model->rows.size() != model_->rows.size() ||
                             model->steps != model_->steps || model->as_written != model_->as_written;
    model_ = std::move(model);
    linked_ = linked;
    current_.reset();
    mark_.reset();
    if (other_shape) zoom_ = 1;
    measure();
    followRows();
    if (other_shape) {
        horizontalScrollBar()->setValue(0);
        verticalScrollBar()->setValue(0);
    }
    followSelection();
    viewport()->update();
}

void StepGrid::setMark(std::optional<GridPlace> place, const QString& why) {
    const bool exists =
        place && model_ && place->row >= 0 && place->row < rows() &&
        place->index < static_cast<int>(model_->rows[static_cast<std::size_t>(place->row)].size());
    mark_ = exists ? place : std::nullopt;
    mark_why_ = why;
    placeBars();
    viewport()->update();
}

void StepGrid::followTheme() {
    const Theme& theme = currentTheme();
    setFont(theme.font(11));
    measure();
    followRows();
}

void StepGrid::setHeightFixedToRows() {
    has_height_of_rows_ = true;
    followRows();
}

void StepGrid::followRows() {
    if (has_height_of_rows_) setFixedHeight(heightForRows(rows()));
}

double StepGrid::rowHeight() const {
    const Theme& theme = currentTheme();
    const double least = theme.px(kRowHeight);
    if (!fills_ || rows() == 0) return least;
    const double room = viewport()->height() - rulerHeight() - theme.px(kBelow);
    return std::clamp(std::floor(room / rows()), least, std::max<double>(least, theme.px(kRoomyRow)));
}

void StepGrid::setFilling(bool on) {
    fills_ = on;
    measure();
    viewport()->update();
}

int StepGrid::rulerHeight() const {
    return currentTheme().px(kRuler);
}

int StepGrid::headWidth() const {
    const Theme& theme = currentTheme();
    const QFontMetrics metrics(theme.font(11.5, QFont::Medium));
    int widest = 0;
    const int last = rows() - 1;
    if (model_ && model_->names.isEmpty() && last >= 0)
        widest = std::max(widest, metrics.horizontalAdvance(rowName(last)));
    else if (model_)
        for (const QString& name : model_->names) widest = std::max(widest, metrics.horizontalAdvance(name));
    return std::max(theme.px(kLaneHead), theme.px(16 + 10) + std::min(widest, theme.px(120)));
}

double StepGrid::xOf(int step) const {
    return headWidth() + step * cell_width_ - horizontalScrollBar()->value();
}

double StepGrid::yOf(int row) const {
    return rulerHeight() + row * rowHeight() - verticalScrollBar()->value();
}

int StepGrid::heightForRows(int count) const {
    return rulerHeight() + count * currentTheme().px(kRowHeight) + currentTheme().px(kBelow);
}

double StepGrid::leastCell() const {
    const Theme& theme = currentTheme();
    const QFontMetricsF metrics(theme.font(11, QFont::DemiBold));
    double widest = theme.px(16);
    if (model_ && model_->as_written) {
        for (const auto& row : model_->rows)
            for (const GridCell& cell : row)
                widest = std::max(
                    widest, metrics.horizontalAdvance(cell.written.left(kLongestWritten)) / cell.length);
    } else if (model_) {
        const int last = model_->params.m - (state_.countFromZero() ? 1 : 0);
        QString text(QString::number(std::max(last, 0)).size(), u'0');
        if (model_->places.lettered()) text += u'b';
        widest = std::max(widest, metrics.horizontalAdvance(text));
    }
    return widest + theme.px(6);
}

int StepGrid::widthForAll() const {
    const int steps = model_ ? std::max(1, model_->steps) : 1;
    return headWidth() + static_cast<int>(std::ceil(steps * leastCell())) + currentTheme().px(kBeside);
}

// One width for all columns, from the widest label.
void StepGrid::measure() {
    const Theme& theme = currentTheme();
    const int steps = model_ ? std::max(1, model_->steps) : 1;
    const double roomy = (viewport()->width() - headWidth() - theme.px(kBeside)) / static_cast<double>(steps);
    const double most = (fills_ ? kMostCell : kRoomyCell) * theme.scale;
    const double full = std::max(leastCell(), std::min(roomy, most));
    zoom_ = std::clamp(zoom_, kLeastCell / full, kMostCell * theme.scale / full);
    cell_width_ = full * zoom_;
    placeBars();
}

void StepGrid::placeBars() {
    const bool beyond = model_ && (model_->as_written || (mark_ && mark_->index < 0));
    const int steps = model_ ? model_->steps + (beyond ? 1 : 0) : 0;
    const double wide = headWidth() + steps * cell_width_ + currentTheme().px(16);
    const double high = rulerHeight() + rows() * rowHeight();
    const QSize room = viewport()->size();
    horizontalScrollBar()->setPageStep(std::max(1, room.width() - headWidth()));
    horizontalScrollBar()->setSingleStep(std::max(1, static_cast<int>(cell_width_ * 2)));
    const auto beyond_room = [](double needed, int has) {
        return std::max(0, static_cast<int>(std::ceil(needed - kRounding)) - has);
    };
    horizontalScrollBar()->setRange(0, beyond_room(wide, room.width()));
    verticalScrollBar()->setPageStep(std::max(1, room.height() - rulerHeight()));
    verticalScrollBar()->setSingleStep(static_cast<int>(rowHeight()));
    verticalScrollBar()->setRange(0, beyond_room(high, room.height()));
}

void StepGrid::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    measure();
}

void StepGrid::zoom(double factor) {
    const double middle =
        (horizontalScrollBar()->value() + (viewport()->width() - headWidth()) / 2.0) / cell_width_;
    zoom_ *= factor;
    measure();
    horizontalScrollBar()->setValue(
        static_cast<int>(middle * cell_width_ - (viewport()->width() - headWidth()) / 2.0));
    viewport()->update();
}

QRect StepGrid::cellRect(const GridPlace& place) const {
    const auto& row = model_->rows[static_cast<std::size_t>(place.row)];
    if (place.index < 0) {  // what is missing stands behind the last cell
        const int end = row.empty() ? 0 : row.back().step + row.back().length;
        return QRectF(xOf(end), yOf(place.row), cell_width_, rowHeight()).toAlignedRect();
    }
    const GridCell& cell = model_->cell(place);
    return QRectF(xOf(cell.step), yOf(place.row), cell.length * cell_width_, rowHeight()).toAlignedRect();
}

void StepGrid::scrollTo(const GridPlace& place) {
    const QRect cell = cellRect(place);
    const QRect room(headWidth(), rulerHeight(), viewport()->width() - headWidth(),
                     viewport()->height() - rulerHeight());
    QScrollBar *x = horizontalScrollBar(), *y = verticalScrollBar();
    const int margin = std::min(static_cast<int>(2 * cell_width_), room.width() / 4);
    if (cell.right() + margin > room.right())
        x->setValue(x->value() + cell.right() + margin - room.right());
    else if (cell.left() - margin < room.left())
        x->setValue(x->value() + cell.left() - margin - room.left());
    if (cell.bottom() > room.bottom())
        y->setValue(y->value() + cell.bottom() - room.bottom());
    else if (cell.top() < room.top())
        y->setValue(y->value() + cell.top() - room.top());
}

void StepGrid::select(const GridPlace& place) {
    if (!model_ || place.row < 0 || place.row >= rows()) return;
    current_ = place;
    scrollTo(place);
    viewport()->update();
}

void StepGrid::choose(std::optional<GridPlace> place) {
    if (!place) {
        current_.reset();
        if (linked_) state_.select(std::nullopt);
        viewport()->update();
        return;
    }
    select(*place);
    if (linked_ && place->index >= 0) {
        Action action = model_->cell(*place).action;
        action.overlaps_next = false;  // of no concern to a box
        action.microbatch += first_microbatch_;
        state_.select(Selection{place->row, action, iteration_});
    }
    emit cellChosen(*place);
}

void StepGrid::followSelection() {
    if (!linked_ || !model_) return;
    const auto selection = state_.selection();
    std::optional<GridPlace> place;
    if (selection && !selection->of_baseline) {
        Action action = selection->action;
        action.microbatch -= first_microbatch_;
        place = model_->find(selection->rank, action);
        if (!place && action.op == Op::Recompute)  // a part of its backward
            for (const Op op : {Op::Backward, Op::BackwardInput})
                if (!place) place = model_->find(selection->rank, action.as(op));
    }
    if (place == current_) return;
    current_ = place;
    if (place) scrollTo(*place);
    viewport()->update();
}

std::optional<GridPlace> StepGrid::placeAt(const QPoint& at) const {
    if (!model_ || at.x() < headWidth() || at.y() < rulerHeight()) return std::nullopt;
    const int row = static_cast<int>((at.y() - yOf(0)) / rowHeight());
    const double step = (at.x() - xOf(0)) / cell_width_;
    if (row < 0 || row >= rows() || step < 0) return std::nullopt;
    const auto& cells = model_->rows[static_cast<std::size_t>(row)];
    const int end = cells.empty() ? 0 : cells.back().step + cells.back().length;
    if (model_->as_written && !model_->missing[static_cast<std::size_t>(row)].empty() &&
        static_cast<int>(step) == end)
        return GridPlace{row, -1};
    if (mark_ == GridPlace{row, -1} && static_cast<int>(step) == end) return mark_;
    if (cells.empty()) return std::nullopt;
    const GridPlace place = model_->nearest(row, static_cast<int>(step));
    const GridCell& cell = model_->cell(place);
    if (step < cell.step || step >= cell.step + cell.length) return std::nullopt;
    return place;
}

void StepGrid::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) choose(placeAt(event->position().toPoint()));
}

void StepGrid::wheelEvent(QWheelEvent* event) {
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        zoom(std::pow(kCellZoom, event->angleDelta().y() / 120.0));
        return event->accept();
    }
    const bool sideways =
        event->modifiers().testFlag(Qt::ShiftModifier) || verticalScrollBar()->maximum() == 0;
    const QPoint turned = event->angleDelta();
    QScrollBar* bar =
        sideways || std::abs(turned.x()) > std::abs(turned.y()) ? horizontalScrollBar() : verticalScrollBar();
    const double notches =
        (bar == horizontalScrollBar() && turned.x() != 0 ? turned.x() : turned.y()) / 120.0;
    bar->setValue(bar->value() - static_cast<int>(std::lround(notches * 3 * bar->singleStep())));
    event->accept();
}

// Left and right walk along the rank, up and down to the nearest cell of the next one.
std::optional<GridPlace> StepGrid::moved(int key) const {
    if (rows() == 0) return std::nullopt;
    const auto size = [this](int row) {
        return static_cast<int>(model_->rows[static_cast<std::size_t>(row)].size());
    };
    const GridPlace from = current_.value_or(GridPlace{0, -1});
    GridPlace to = from;
    switch (key) {
        case Qt::Key_Left:
            to.index = from.index < 0 ? size(from.row) - 1 : from.index - 1;
            break;
        case Qt::Key_Right:
            to.index = from.index + 1;
            break;
        case Qt::Key_Home:
            to.index = 0;
            break;
        case Qt::Key_End:
            to.index = size(from.row) - 1;
            break;
        case Qt::Key_Up:
        case Qt::Key_Down: {
            const int row = from.row + (key == Qt::Key_Down ? 1 : -1);
            if (row < 0 || row >= rows()) return std::nullopt;
            const int step = from.index < 0 ? 0 : model_->cell(from).step;
            to = model_->nearest(row, step);
            break;
        }
        default:
            return std::nullopt;
    }
    return to.index < 0 || to.index >= size(to.row) ? std::nullopt : std::optional(to);
}

void StepGrid::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Home:
        case Qt::Key_End:
            if (const auto place = moved(event->key())) choose(place);
            return;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoom(kCellZoom);
        case Qt::Key_Minus:
            return zoom(1 / kCellZoom);
        case Qt::Key_0:
            return zoom(1 / zoom_);
        case Qt::Key_Escape:
            if (current_) return choose(std::nullopt);
            emit left();
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            emit left();
            return;
        default:
            event->ignore();
    }
}

void StepGrid::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void StepGrid::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void StepGrid::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        measure();
        viewport()->update();
    }
    QAbstractScrollArea::changeEvent(event);
}

bool StepGrid::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        showTip(help->globalPos(), tip(help->pos()), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

QString StepGrid::rowName(int row) const {
    return row < model_->names.size() ? model_->names[row] : tr("Rank %1").arg(row);
}

QString StepGrid::label(const GridCell& cell) const {
    if (!cell.written.isEmpty()) return cell.written.left(kLongestWritten);
    Notation notation;
    notation.count_from_zero = state_.countFromZero();
    const QString number = notation.microbatch(cell.action.microbatch, cell.action.segment());
    const int chunk = model_->chunkOf(cell.action.stage);
    return chunk < 0 ? number : number + QChar(u'a' + chunk % 26);
}

QString StepGrid::tip(const QPoint& at) const {
    if (!model_ || at.y() < rulerHeight() || at.x() < headWidth()) return {};
    const auto place = placeAt(at);
    if (!place) return {};
    const QStringList marked = place == mark_ ? QStringList{mark_why_} : QStringList();
    if (place->index < 0 && !model_->as_written) return marked.join(u'\n');
    if (place->index < 0) return saidLines(model_->missing[static_cast<std::size_t>(place->row)]).join(u'\n');
    const GridCell& cell = model_->cell(*place);
    QStringList lines;
    if (cell.action.stage >= 0) {
        Notation notation;
        notation.count_from_zero = state_.countFromZero();
        lines << (cell.written.isEmpty()
                      ? notation.action(cell.action.op, cell.action.microbatch,
                                        model_->chunkOf(cell.action.stage), cell.action.segment())
                      : cell.written) +
                     QStringLiteral(" · ") + opName(cell.action.op);
        if (cell.action.segment() >= 0)
            lines << tr("segment %1 of %2").arg(cell.action.segment() + 1).arg(model_->params.segments);
        if (!model_->as_written)
            lines << tr("micro-batch %1 of %2 (index %3 in files), stage %4")
                         .arg(cell.action.microbatch + 1)
                         .arg(model_->params.m)
                         .arg(cell.action.microbatch)
                         .arg(cell.action.stage);
    } else {
        lines << cell.written;
    }
    if (!model_->as_written)
        lines
            << tr("%1, steps %2 to %3").arg(rowName(place->row)).arg(cell.step).arg(cell.step + cell.length);
    else if (!model_->times.empty())
        lines << tr("%1, time %2")
                     .arg(rowName(place->row))
                     .arg(model_->times[static_cast<std::size_t>(cell.step)]);
    else
        lines << tr("%1, cell %2").arg(rowName(place->row)).arg(cell.step + 1);
    return (lines + saidLines(cell.errors) + saidLines(cell.stands) + marked).join(u'\n');
}

}  // namespace bscope::ui
