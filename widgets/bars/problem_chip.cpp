// Words, layout and painting of the chip.
#include "widgets/bars/problem_chip.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr qsizetype kMostNamed = 2;  // more would leave no room for the reason
constexpr int kLine = 28, kWrapped = Qt::AlignVCenter | Qt::TextWordWrap;

QString valuesText(const std::vector<Fix>& fixes) {
    QStringList values;
    for (const Fix& fix : fixes) values << fixText(fix);
    return listText(values);
}

}  // namespace

ProblemChip::ProblemChip(QWidget* parent)
    : QWidget(parent),
      fix_(new Button(ButtonLook::Primary, Glyph::None, this)),
      other_(new Button(ButtonLook::Plain, Glyph::None, this)) {
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    for (Button* button : {fix_, other_}) button->setDesignHeight(22);
    connect(fix_, &QAbstractButton::clicked, this, [this] { emit fixChosen(0); });
    connect(other_, &QAbstractButton::clicked, this, [this] { emit fixChosen(1); });
    hide();
}

void ProblemChip::setProblems(const std::vector<Problem>& problems,
                              const std::vector<std::vector<Fix>>& offers) {
    problems_ = problems;
    offers_ = offers;
    QStringList all;
    for (const Problem& problem : problems) all << problemText(problem);
    reason_ = all.isEmpty() ? QString() : all.front();
    if (all.size() > 1) reason_ = tr("%1 (and %2 more)").arg(reason_).arg(all.size() - 1);
    setToolTip(all.join('\n'));
    setAccessibleName(all.join(QStringLiteral(". ")));
    fix_->setVisible(!offers.empty());
    other_->setVisible(offers.size() > 1);
    if (!offers.empty()) {
        const QString use = tr("Use %1").arg(valuesText(offers.front()));
        const bool too_long = std::ssize(offers.front()) > kMostNamed;
        fix_->setText(too_long ? tr("Use the nearest legal values") : use);
        fix_->setToolTip(use);
    }
    if (offers.size() > 1) {
        other_->setText(valuesText(offers[1]));
        other_->setToolTip(tr("Use %1").arg(other_->text()));
    }
    placeFixes();
    update();
}

void ProblemChip::followTheme() {
    placeFixes();
}

int ProblemChip::fixesWidth() const {
    const Theme& theme = currentTheme();
    int width = theme.px(6);
    for (const Button* button : {fix_, other_})
        if (button->isVisibleTo(this)) width += button->sizeHint().width() + theme.px(4);
    return width;
}

QRect ProblemChip::reasonRoom(int width, int height) const {
    const Theme& theme = currentTheme();
    return {theme.px(9), 0, width - theme.px(14) - fixesWidth(), height};
}

QSize ProblemChip::sizeHint() const {
    const Theme& theme = currentTheme();
    const int reason = QFontMetrics(theme.font(11.5)).horizontalAdvance(reason_);
    return {reason + theme.px(16) + fixesWidth(), theme.px(kLine)};
}

int ProblemChip::heightForWidth(int width) const {
    const Theme& theme = currentTheme();
    const QRect room = reasonRoom(width, 10'000);
    const int text = QFontMetrics(theme.font(11.5)).boundingRect(room, kWrapped, reason_).height();
    return std::max(theme.px(kLine), text + theme.px(8));
}

// At the right end, the best one first.
void ProblemChip::placeFixes() {
    const Theme& theme = currentTheme();
    int right = width() - theme.px(3);
    for (Button* button : {other_, fix_}) {
        if (!button->isVisibleTo(this)) continue;
        button->resize(button->sizeHint());
        button->move(right - button->width(), (height() - button->height()) / 2);
        right -= button->width() + theme.px(4);
    }
}

void ProblemChip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) setProblems(problems_, offers_);
    QWidget::changeEvent(event);
}

void ProblemChip::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.text, 1));
    painter.setBrush(theme.canvas);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme.px(4), theme.px(4));
    painter.setFont(theme.font(11.5));
    painter.setPen(theme.text);
    painter.drawText(reasonRoom(width(), height()), kWrapped, reason_);
}

}  // namespace bscope::ui
