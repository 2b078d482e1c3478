// Painting of the lesson's parts.
#include "widgets/lessons/lesson_parts.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace bscope::ui {

StepBar::StepBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StepBar::setNames(const QStringList& names) {
    names_ = names;
    update();
}

void StepBar::setStep(int step, int reachable) {
    step_ = step;
    reachable_ = reachable;
    update();
}

void StepBar::followTheme() {
    const Theme& theme = currentTheme();
    setFixedHeight(theme.px(26));
}

QRectF StepBar::stepRect(int step) const {
    const double count = std::max<double>(1, static_cast<double>(names_.size())), gap = currentTheme().px(4);
    const double each = (width() - gap * (count - 1)) / count;
    return QRectF(step * (each + gap), 0, each, height());
}

void StepBar::mousePressEvent(QMouseEvent* event) {
    for (int step = 0; step < names_.size(); ++step)
        if (step <= reachable_ && stepRect(step).contains(event->position())) emit stepClicked(step);
}

void StepBar::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    for (int step = 0; step < names_.size(); ++step) {
        const QRectF box = stepRect(step);
        painter.fillRect(QRectF(box.left(), 0, box.width(), theme.px(3)),
                         step <= step_ ? theme.text : theme.rule);
        painter.setFont(theme.font(11, step == step_ ? QFont::DemiBold : QFont::Normal));
        painter.setPen(step == step_ ? theme.text : step <= reachable_ ? theme.text_soft : theme.text_faint);
        painter.drawText(box.adjusted(0, theme.px(7), 0, 0), Qt::AlignTop | Qt::AlignLeft, names_[step]);
    }
}

ChoiceCard::ChoiceCard(QWidget* parent) : QAbstractButton(parent) {
    setCheckable(true);
    setAutoExclusive(true);
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChoiceCard::setVerdict(Verdict verdict, const QString& remark) {
    verdict_ = verdict;
    remark_ = remark;
    setAccessibleDescription(remark);
    updateGeometry();
    update();
}

// The chosen one of exclusive buttons refuses to be none.
void ChoiceCard::setChosen(bool chosen) {
    setAutoExclusive(false);
    setChecked(chosen);
    setAutoExclusive(true);
}

int ChoiceCard::remarkWidth() const {
    const Theme& theme = currentTheme();
    const QFontMetrics metrics(theme.font(11.5));
    int widest = metrics.horizontalAdvance(remark_);
    for (const QString& each : all_remarks_) widest = std::max(widest, metrics.horizontalAdvance(each));
    return widest == 0 ? 0 : widest + theme.px(10);
}

int ChoiceCard::heightForWidth(int width) const {
    const Theme& theme = currentTheme();
    const QFontMetrics metrics(theme.font(12, QFont::DemiBold));
    const int room = width - theme.px(32 + 10) - remarkWidth();
    const QRect box = metrics.boundingRect(QRect(0, 0, std::max(40, room), 1000), Qt::TextWordWrap, text());
    return std::max(theme.px(32), box.height() + theme.px(14));
}

QSize ChoiceCard::sizeHint() const {
    const Theme& theme = currentTheme();
    return {theme.px(320), heightForWidth(width() > 100 ? width() : theme.px(320))};
}

void ChoiceCard::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool right = verdict_ == Verdict::Right;
    const QColor frame = right || hasFocus()                            ? theme.accent
                         : isChecked() || (isEnabled() && underMouse()) ? theme.text_faint
                                                                        : theme.rule;
    painter.setPen(QPen(frame, right ? 1.5 : 1));
    painter.setBrush(right ? theme.accent_tint : theme.canvas);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), theme.px(4), theme.px(4));

    const QPointF middle(theme.px(16), height() / 2.0);
    const double radius = theme.px(6);
    painter.setPen(QPen(right ? theme.accent : theme.text_soft, 1.4));
    painter.setBrush(theme.canvas);
    painter.drawEllipse(middle, radius, radius);
    if (isChecked()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(right ? theme.accent : theme.text_soft);
        painter.drawEllipse(middle, radius * 0.55, radius * 0.55);
    }
    painter.setFont(theme.font(12, right ? QFont::DemiBold : QFont::Normal));
    painter.setPen(theme.text);
    const QRect room(theme.px(32), 0, width() - theme.px(32 + 10) - remarkWidth(), height());
    painter.drawText(room, Qt::AlignVCenter | Qt::TextWordWrap, text());
    painter.setFont(theme.font(11.5, right ? QFont::Medium : QFont::Normal));
    painter.setPen(right ? theme.accent : theme.text_faint);
    painter.drawText(rect().adjusted(0, 0, -theme.px(12), 0), Qt::AlignVCenter | Qt::AlignRight, remark_);
}

ComparisonTable::ComparisonTable(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ComparisonTable::setComparison(const LessonComparison& comparison) {
    comparison_ = comparison;
    updateGeometry();
    update();
}

QSize ComparisonTable::sizeHint() const {
    const Theme& theme = currentTheme();
    return {theme.px(320), static_cast<int>(comparisonHeight(comparison_, theme.scale))};
}

void ComparisonTable::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintComparison(painter, rect(), comparison_, currentTheme().scale);
}

double comparisonHeight(const LessonComparison& comparison, double scale) {
    return scale * (26 + 20 * static_cast<double>(comparison.rows.size()));
}

namespace {

// Every column has the room that its head needs and an equal share of the rest; where the heads need more
// than there is, all are equal.
std::vector<double> columnWidths(const QStringList& heads, const QFontMetricsF& metrics, double gap,
                                 double room) {
    const auto columns = static_cast<double>(heads.size());
    std::vector<double> widths;
    for (const QString& head : heads) widths.push_back(metrics.horizontalAdvance(head) + gap);
    const double rest = room - std::accumulate(widths.begin(), widths.end(), 0.0);
    for (double& width : widths) width = rest < 0 ? room / columns : width + rest / columns;
    return widths;
}

}  // namespace

void paintComparison(QPainter& painter, const QRectF& box, const LessonComparison& comparison, double scale) {
    const Theme& theme = currentTheme();
    const auto columns = static_cast<int>(comparison.columns.size());
    if (columns == 0) return;
    const auto font = [&](double px, QFont::Weight weight = QFont::Normal) {
        QFont made = theme.font(px, weight);
        made.setPixelSize(static_cast<int>(std::lround(px * scale)));
        return made;
    };
    const double first = 56 * scale, gap = 8 * scale;
    painter.setFont(font(11));
    const std::vector<double> widths =
        columnWidths(comparison.columns, QFontMetricsF(painter.font()), gap, box.width() - first);
    std::vector<double> lefts;
    for (double left = box.left() + first; const double width : widths) {
        lefts.push_back(left);
        left += width;
    }
    int most = 1;
    for (const LessonComparison::Row& row : comparison.rows)
        for (int value : row.values) most = std::max(most, value);
    constexpr double kLeastSquare = 3, kBar = 7;
    const double number_room = 28 * scale;
    const double pitch = std::min(11 * scale, (std::ranges::min(widths) - number_room) / most),
                 side = pitch * 0.8;
    const double high = std::min(side, 9 * scale);

    painter.setPen(theme.text_faint);
    for (int column = 0; column < columns; ++column) {
        const double width = widths[static_cast<std::size_t>(column)];
        painter.drawText(QRectF(lefts[static_cast<std::size_t>(column)], box.top(), width, 18 * scale),
                         Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(comparison.columns[column], Qt::ElideRight,
                                                          static_cast<int>(std::ceil(width - gap))));
    }
    painter.fillRect(QRectF(box.left(), box.top() + 20 * scale, box.width(), 1), theme.rule);
    const QColor filled = theme.kind == ThemeKind::Dark ? QColor(0x929da9) : QColor(0x8c97a3);
    for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
        const LessonComparison::Row& row = comparison.rows[i];
        const double top = box.top() + scale * (24 + 20 * static_cast<double>(i));
        painter.setFont(font(11.5));
        painter.setPen(theme.text_soft);
        painter.drawText(QRectF(box.left(), top, first, 20 * scale), Qt::AlignVCenter, row.name);
        for (std::size_t column = 0; column < row.values.size(); ++column) {
            const double left = lefts[column];
            const double middle = top + 10 * scale;
            const QRectF whole(left, middle - kBar * scale / 2, pitch * most, kBar * scale);
            if (side < kLeastSquare * scale) {  // too many to be distinguished
                painter.fillRect(whole, theme.hair);
                painter.fillRect(QRectF(whole.topLeft(), QSizeF(pitch * row.values[column], whole.height())),
                                 filled);
            } else {
                for (int square = 0; square < most; ++square)
                    painter.fillRect(QRectF(left + pitch * square, middle - high / 2, side, high),
                                     square < row.values[column] ? filled : theme.hair);
            }
            painter.setFont(font(12, QFont::DemiBold));
            painter.setPen(theme.text);
            painter.drawText(QRectF(left + pitch * most + 5 * scale, top, number_room, 20 * scale),
                             Qt::AlignVCenter, QString::number(row.values[column]));
        }
    }
}

}  // namespace bscope::ui
