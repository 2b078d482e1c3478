// Geometry, painting and input of the iteration strip.
#include "widgets/bars/iteration_strip.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <cmath>

#include "widgets/controls/focus_ring.h"
#include "widgets/controls/long_tips.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "words/number_text.h"

namespace bscope::ui {
namespace {

constexpr int kMostSlots = 200;

// "Interleaved 1F1B", "p=4", "m=12", "⇄ 2.0 ms": the schedule by its name in the window's language.
QStringList groupParts(const IterationBar& bar, const Notation& notation) {
    static const QRegularExpression breaks(QStringLiteral(" (?=[a-zA-Z]+=|r\\d+×)"));
    const QString group = QString::fromStdString(bar.group);
    const QString title = group.section(QStringLiteral(" · "), 0, 0);
    QStringList parts{said(sentence(title.toUtf8().constData()))};
    parts << group.mid(title.size() + 3).split(breaks, Qt::SkipEmptyParts);
    if (bar.link_ns > 0) parts << QStringLiteral("⇄ ") + notation.duration(bar.link_ns);
    return parts;
}

QString groupText(const IterationBar& bar, const Notation& notation) {
    const QStringList parts = groupParts(bar, notation);
    return parts.size() == 1 ? parts.front()
                             : QStringLiteral("%1 · %2").arg(parts.front(), parts.mid(1).join(u' '));
}

// The parts that the bar before did not have: "m=12".
QString whatChanged(const IterationBar& bar, const IterationBar& before, const Notation& notation) {
    const QStringList had = groupParts(before, notation);
    QStringList parts;
    for (const QString& part : groupParts(bar, notation))
        if (!had.contains(part)) parts << part;
    return parts.join(u' ');
}

}  // namespace

IterationStrip::IterationStrip(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_InputMethodEnabled, false);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    new FocusRing(this);
}

void IterationStrip::setBars(std::vector<IterationBar> bars) {
    bars_ = std::move(bars);
    if (bars_.size() > kMostSlots) bars_.erase(bars_.begin(), bars_.end() - kMostSlots);
    marks_ = SeriesMarks(bars_);
    most_ms_ = 0;
    for (const IterationBar& bar : bars_) most_ms_ = std::max(most_ms_, bar.iteration_ms);
    update();
}

void IterationStrip::setShown(int iteration) {
    if (iteration == shown_) return;
    shown_ = iteration;
    update();
}

void IterationStrip::setRunning(std::optional<int> iteration) {
    if (iteration == running_) return;
    running_ = iteration;
    update();
}

void IterationStrip::setFollow(bool on) {
    if (on == follow_) return;
    follow_ = on;
    update();
}

void IterationStrip::setNotation(const Notation& notation) {
    if (notation == notation_) return;
    notation_ = notation;
    update();
}

void IterationStrip::setNotes(std::map<int, QStringList> notes) {
    if (notes == notes_) return;
    notes_ = std::move(notes);
    update();
}

int IterationStrip::slotCount() const {
    const std::size_t needed = bars_.size() + (running_ ? 1 : 0);
    return needed <= 50 ? 50 : needed <= 100 ? 100 : kMostSlots;
}

int IterationStrip::firstDrawn() const {
    if (bars_.empty()) return running_.value_or(0);
    const int overflow = static_cast<int>(bars_.size()) + (running_ ? 1 : 0) - slotCount();
    return bars_.front().iteration + std::max(0, overflow);
}

QRectF IterationStrip::plotRect() const {
    const Theme& theme = currentTheme();
    const bool narrow = width() < theme.px(560);
    const QFontMetricsF lines(theme.font(11));
    double head = QFontMetricsF(theme.font(12, QFont::DemiBold)).horizontalAdvance(tr("Iterations"));
    for (const QString& line : {tr("of %1").arg(8888), heightsText(8888)})
        head = std::max(head, lines.horizontalAdvance(line));
    const double left = narrow ? theme.px(16) + head + theme.px(8) : theme.px(96),
                 right = theme.px(narrow ? 8 : 100);
    return QRectF(left, theme.px(20), width() - left - right, height() - theme.px(20) - theme.px(17));
}

QRectF IterationStrip::barRect(int iteration) const {
    const IterationBar* found = bar(iteration);
    const bool runs = running_ && *running_ == iteration;
    const int slot = iteration - firstDrawn();
    if ((found == nullptr && !runs) || slot < 0 || slot >= slotCount()) return {};
    const QRectF plot = plotRect();
    const double pitch = plot.width() / slotCount();
    const double ms = found != nullptr ? found->iteration_ms : bars_.empty() ? 1 : bars_.back().iteration_ms;
    const double height =
        plot.height() * (most_ms_ > 0 ? std::clamp(ms / (1.04 * most_ms_), 0.02, 1.0) : 0.9);
    const double gap = std::max(1.0, pitch * 0.13);
    return QRectF(plot.left() + pitch * slot + gap / 2, plot.bottom() - height, pitch - gap, height);
}

const IterationBar* IterationStrip::bar(int iteration) const {
    const auto found =
        std::lower_bound(bars_.begin(), bars_.end(), iteration,
                         [](const IterationBar& a, int number) { return a.iteration < number; });
    return found != bars_.end() && found->iteration == iteration ? &*found : nullptr;
}

int IterationStrip::iterationAt(const QPointF& position) const {
    const QRectF plot = plotRect();
    if (position.x() < plot.left() || position.x() >= plot.right()) return -1;
    const int iteration =
        firstDrawn() + static_cast<int>((position.x() - plot.left()) / plot.width() * slotCount());
    return bar(iteration) != nullptr || (running_ && *running_ == iteration) ? iteration : -1;
}

int IterationStrip::newerCount() const {
    const int newest = running_ ? *running_ : bars_.empty() ? -1 : bars_.back().iteration;
    return shown_ < 0 ? 0 : std::max(0, newest - shown_);
}

QRectF IterationStrip::pillRect() const {
    const Theme& theme = currentTheme();
    if (follow_ || newerCount() == 0) return {};
    const QFontMetrics metrics(theme.font(11, QFont::Medium));
    const double pill_width = metrics.horizontalAdvance(tr("%n newer", nullptr, newerCount())) + theme.px(18);
    return QRectF(plotRect().right() - pill_width, theme.px(2), pill_width, theme.px(18));
}

void IterationStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (pillRect().contains(event->position())) {
        emit followRequested();
        return;
    }
    const int iteration = iterationAt(event->position());
    if (iteration < 0) return;
    if (event->modifiers().testFlag(Qt::ControlModifier))
        emit besideRequested(iteration);
    else
        emit iterationChosen(iteration);
}

void IterationStrip::mouseMoveEvent(QMouseEvent* event) {
    const bool active = pillRect().contains(event->position()) || iterationAt(event->position()) >= 0;
    setCursor(active ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void IterationStrip::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_PageUp:
        case Qt::Key_J:
        case Qt::Key_Left:
            emit stepRequested(-1);
            break;
        case Qt::Key_PageDown:
        case Qt::Key_K:
        case Qt::Key_Right:
            emit stepRequested(1);
            break;
        case Qt::Key_Home:
            if (!bars_.empty()) emit iterationChosen(bars_.front().iteration);
            break;
        case Qt::Key_End:
            emit followRequested();
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

bool IterationStrip::event(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) update();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    showTip(help->globalPos(), tipOf(iterationAt(help->pos())), this);
    return true;
}

QString IterationStrip::tipOf(int iteration) const {
    const IterationBar* found = bar(iteration);
    if (found == nullptr) return {};
    const QString took = notation_.duration(1e6 * found->iteration_ms),
                  bubble = notation_.bubble(found->bubble_of_total);
    QString text = found->numbered_by_files
                       ? tr("Iteration %1: %2, bubble %3").arg(found->number()).arg(took, bubble)
                       : tr("Iteration %1: %2, bubble %3, loss %4")
                             .arg(found->number())
                             .arg(took, bubble, numberText(found->loss, 3));
    text += '\n' + groupText(*found, notation_);
    if (iteration != shown_) text += '\n' + tr("Ctrl+click: compare it with the one on the canvas");
    for (const QString& words : marks_.words(static_cast<std::size_t>(found - bars_.data()), notation_))
        text += '\n' + words;
    if (const auto notes = notes_.find(iteration); notes != notes_.end())
        for (const QString& note : notes->second) text += '\n' + tr("note: %1").arg(note);
    return text;
}

void IterationStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.fillRect(0, 0, width(), 1, theme.rule);
    paintBrackets(painter);
    paintBars(painter);
    paintAxis(painter);
    paintSides(painter);
    const QRectF pill = pillRect();
    if (pill.isEmpty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
    painter.setPen(theme.canvas);
    painter.setFont(theme.font(11, QFont::Medium));
    painter.drawText(pill, Qt::AlignCenter, tr("%n newer", nullptr, newerCount()));
}

void IterationStrip::paintBars(QPainter& painter) const {
    const Theme& theme = currentTheme();
    for (const IterationBar& found : bars_) {
        const QRectF box = barRect(found.iteration);
        if (box.isEmpty()) continue;
        painter.fillRect(box, theme.iterationShade(found.bubble_of_total));
        if (found.disturbance != Disturbance::None && box.width() > 3)  // a notch above: shape, not colour
            painter.fillRect(QRectF(box.left(), box.top() - 3, box.width(), 1.5), theme.text);
        if (const Oddity why = marks_.oddityOf(static_cast<std::size_t>(&found - bars_.data()));
            why != Oddity::None)
            paintOddity(painter, box, why);
    }
    paintDrift(painter);
    paintNotes(painter);
    if (running_) {
        QPen dashes(theme.text_faint, 1);
        dashes.setDashPattern({3, 2});
        painter.setPen(dashes);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(barRect(*running_).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    const QRectF shown = barRect(shown_);
    if (shown.isEmpty()) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(shown.adjusted(-2.5, -3, 2.5, 3), 2, 2);
    painter.restore();
}

// A diamond above the bar: full where the cause is known.
void IterationStrip::paintOddity(QPainter& painter, const QRectF& bar, Oddity why) const {
    const Theme& theme = currentTheme();
    const double half = 3 * theme.scale;
    const QPointF middle(bar.center().x(), std::max(bar.top() - 4 - half, plotRect().top() - 2));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.text, 1));
    painter.setBrush(why == Oddity::Unexplained ? theme.panel : theme.text);
    const QPointF corners[]{middle + QPointF(0, -half), middle + QPointF(half, 0), middle + QPointF(0, half),
                            middle + QPointF(-half, 0)};
    painter.drawPolygon(corners, 4);
    painter.restore();
}

// A small flag at the head of the plot, above whatever the bar has.
void IterationStrip::paintNotes(QPainter& painter) const {
    const Theme& theme = currentTheme();
    const double s = theme.scale, top = plotRect().top() - 3 * s;
    for (const auto& [iteration, texts] : notes_) {
        const QRectF bar = barRect(iteration);
        if (bar.isEmpty()) continue;
        painter.fillRect(QRectF(bar.center().x(), top, std::max(1.0, s), bar.bottom() - top), theme.text);
        painter.fillRect(QRectF(bar.center().x(), top, 6 * s, 5 * s), theme.text);
    }
}

void IterationStrip::paintDrift(QPainter& painter) const {
    const Drift* const drift = marks_.drift();
    if (drift == nullptr) return;
    const QRectF plot = plotRect();
    const auto at = [&](std::size_t bar) {
        const double place = static_cast<double>(bar - marks_.lastSeries()) - drift->middle;
        const double ms = drift->at_middle_ms + drift->slope_ms * place;
        return QPointF(barRect(bars_[bar].iteration).center().x(),
                       plot.bottom() - plot.height() * std::clamp(ms / (1.04 * most_ms_), 0.0, 1.0));
    };
    std::size_t first = marks_.lastSeries();
    while (first + 1 < bars_.size() && bars_[first].iteration < firstDrawn()) ++first;
    QPen pen(currentTheme().accent, 1.5);
    pen.setDashPattern({4, 2});
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    painter.drawLine(at(first), at(bars_.size() - 1));
    painter.restore();
}

void IterationStrip::paintBrackets(QPainter& painter) const {
    const Theme& theme = currentTheme();
    const QRectF plot = plotRect();
    painter.setFont(theme.font(10.5));
    const double line = theme.px(17);
    for (std::size_t first = 0; first < bars_.size();) {
        std::size_t last = first;
        while (last + 1 < bars_.size() && bars_[last + 1].sharesBracket(bars_[first])) ++last;
        const QRectF from = barRect(std::max(bars_[first].iteration, firstDrawn())),
                     to = barRect(bars_[last].iteration);
        if (!from.isEmpty() && !to.isEmpty()) {
            painter.fillRect(QRectF(from.left(), line, to.right() - from.left(), 1), theme.rule);
            painter.fillRect(QRectF(from.left(), line, 1, 4), theme.rule);
            // The last group's words may run on into the empty slots.
            const double room = (last + 1 == bars_.size() ? plot.right() : to.right()) - from.left();
            QString text = groupText(bars_[first], notation_);
            if (first > 0 && painter.fontMetrics().horizontalAdvance(text) > room)
                text = whatChanged(bars_[first], bars_[first - 1], notation_);
            painter.setPen(theme.text_soft);
            if (room > theme.px(56) || painter.fontMetrics().horizontalAdvance(text) < room)
                painter.drawText(QRectF(from.left(), 1, room, line - 1), Qt::AlignVCenter | Qt::AlignLeft,
                                 painter.fontMetrics().elidedText(text, Qt::ElideRight,
                                                                  static_cast<int>(room) - theme.px(4)));
        }
        first = last + 1;
    }
}

void IterationStrip::paintAxis(QPainter& painter) const {
    const Theme& theme = currentTheme();
    const QRectF plot = plotRect();
    painter.fillRect(QRectF(plot.left(), plot.bottom(), plot.width(), 1), theme.rule);
    painter.setFont(theme.font(10));
    painter.setPen(theme.text_faint);
    const int every = slotCount() / 5, first = firstDrawn() + firstNumber();
    const double pitch = plot.width() / slotCount();
    const auto label = [&](int number) {
        const double middle = plot.left() + pitch * (number - first + 0.5);
        painter.drawText(QRectF(middle - theme.px(20), plot.bottom() + 2, theme.px(40), theme.px(14)),
                         Qt::AlignCenter, QString::number(number));
    };
    label(first);
    for (int number = (first / every + 1) * every; number < first + slotCount(); number += every)
        if (number - first > slotCount() / 20) label(number);
}

// What iteration 0 is called.
int IterationStrip::firstNumber() const {
    return bars_.empty() ? 1 : bars_.front().number() - bars_.front().iteration;
}

QString IterationStrip::heightsText(double most) const {
    return QStringLiteral("0–") +
           withUnit(numberText(most, most < 1 ? decimalsOf(most) : 0), notation_.unitName());
}

void IterationStrip::paintSides(QPainter& painter) const {
    const Theme& theme = currentTheme();
    painter.setFont(theme.font(12, QFont::DemiBold));
    painter.setPen(theme.text);
    const double left = theme.px(16), line = theme.px(16);
    const double column = plotRect().left() - left;
    painter.drawText(QRectF(left, theme.px(13), column, line), Qt::AlignVCenter, tr("Iterations"));
    painter.setFont(theme.font(11));
    painter.setPen(theme.text_faint);
    if (!bars_.empty()) {
        painter.drawText(QRectF(left, theme.px(29), column, line), Qt::AlignVCenter,
                         tr("of %1").arg(bars_.back().numbered_by_files
                                             ? static_cast<int>(bars_.size())  // they may begin anywhere
                                             : bars_.back().number()));
        const double most = 1e6 * most_ms_ / notation_.unitNs();
        if (height() > theme.px(70))
            painter.drawText(QRectF(left, theme.px(44), column, line), Qt::AlignVCenter, heightsText(most));
    }
    const double right = plotRect().right() + theme.px(16);
    if (width() - right < theme.px(60)) return;
    painter.drawText(QRectF(right, theme.px(13), theme.px(84), line), Qt::AlignVCenter, tr("bubble, %"));
    constexpr std::array kShares{0.1, 0.25, 0.35, 0.5};
    for (std::size_t i = 0; i < kShares.size(); ++i) {
        const double x = right + theme.px(17) * static_cast<double>(i);
        painter.fillRect(QRectF(x, theme.px(31), theme.px(16), theme.px(9)),
                         theme.iterationShade(kShares[i]));
        if (i == 0) continue;
        painter.setFont(theme.font(10));
        painter.drawText(QRectF(x - theme.px(12), theme.px(42), theme.px(24), theme.px(13)), Qt::AlignCenter,
                         notation_.bubble(0.1 + 0.1 * static_cast<double>(i)).section(u'.', 0, 0));
    }
}

}  // namespace bscope::ui
