// The chip gives way to a narrow window by eliding the reason, never the button.
#include "widgets/panels/problem_chip.h"

#include <QEvent>
#include <algorithm>

#include "widgets/panels/config_text.h"
#include "widgets/panels/format.h"

namespace bscope::ui {
namespace {

constexpr qsizetype kMostNamed = 2;  // more would leave no room for the reason

}  // namespace

ProblemChip::ProblemChip(QWidget* parent)
    : QWidget(parent), fix_(new Button(ButtonLook::Primary, Glyph::None, this)) {
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    fix_->setDesignHeight(22);
    connect(fix_, &QAbstractButton::clicked, this, &ProblemChip::fixChosen);
    hide();
}

void ProblemChip::setProblems(const std::vector<Problem>& problems, const std::vector<Fix>& fixes) {
    problems_ = problems;
    fixes_ = fixes;
    QStringList all;
    for (const Problem& problem : problems) all << problemText(problem);
    reason_ = all.isEmpty() ? QString() : all.front();
    if (all.size() > 1) reason_ = tr("%1 (and %2 more)").arg(reason_).arg(all.size() - 1);
    setToolTip(all.join('\n'));
    setAccessibleName(all.join(QStringLiteral(". ")));
    QStringList values;
    for (const Fix& fix : fixes) values << fixText(fix);
    const QString use = tr("Use %1").arg(listText(values));
    fix_->setText(values.size() > kMostNamed ? tr("Use the nearest legal values") : use);
    fix_->setToolTip(use);
    fix_->setVisible(!values.isEmpty());
    setVisible(!problems.empty());
    updateGeometry();
    placeFix();
    update();
}

void ProblemChip::setTight(bool on) {
    tight_ = on;
    updateGeometry();
}

void ProblemChip::setTheme(const Theme& theme) {
    theme_ = theme;
    fix_->setTheme(theme);
    setFixedHeight(theme.px(28));
    updateGeometry();
    placeFix();
    update();
}

QSize ProblemChip::sizeHint() const {
    const QFontMetrics metrics(theme_.font(11.5));
    const int fix = fix_->isVisibleTo(this) ? fix_->sizeHint().width() : theme_.px(6);
    return {metrics.horizontalAdvance(reason_) + theme_.px(20) + fix, theme_.px(28)};
}

QSize ProblemChip::minimumSizeHint() const {
    const int fix = fix_->isVisibleTo(this) ? fix_->sizeHint().width() : theme_.px(6);
    return {std::min(sizeHint().width(), theme_.px(tight_ ? 120 : 300) + fix), theme_.px(28)};
}

void ProblemChip::placeFix() {
    fix_->resize(fix_->sizeHint());
    fix_->move(width() - fix_->width() - theme_.px(3), (height() - fix_->height()) / 2);
}

void ProblemChip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) setProblems(problems_, fixes_);
    QWidget::changeEvent(event);
}

void ProblemChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme_.text, 1));
    painter.setBrush(theme_.canvas);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme_.px(4), theme_.px(4));
    painter.setFont(theme_.font(11.5));
    painter.setPen(theme_.text);
    const int right = fix_->isVisible() ? fix_->x() - theme_.px(6) : width() - theme_.px(8);
    const QRect room(theme_.px(9), 0, right - theme_.px(9), height());
    painter.drawText(room, Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(reason_, Qt::ElideRight, room.width()));
}

}  // namespace bscope::ui
