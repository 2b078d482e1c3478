#include "widgets/cards/question_dialog.h"

#include <QEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QVBoxLayout>
#include <algorithm>

namespace bscope::ui {
namespace {

constexpr int kReadingWidth = 680, kReadingHeight = 560, kMargin = 28, kScrollBar = 12;

}  // namespace

QuestionDialog::QuestionDialog(QWidget* parent) : QDialog(parent), scroll_(new QScrollArea(this)) {
    setFocusPolicy(Qt::StrongFocus);
    auto* header = new QWidget(this);
    place_ = new Label(TextRole::Soft, header);
    question_ = makeParagraph(TextRole::Title, header);
    head_ = new QVBoxLayout(header);
    designLayout(*head_, {kMargin, 20, kMargin, 12}, 8);
    head_->addWidget(place_);
    unfold_ = new Button(ButtonLook::Plain, Glyph::None, header);
    unfold_->hide();
    auto* asked = new QHBoxLayout;
    asked->addWidget(question_, 1);
    asked->addWidget(unfold_, 0, Qt::AlignTop);
    head_->addLayout(asked);
    connect(unfold_, &QAbstractButton::clicked, this, [this] { setFolded(false); });
    inside_ = new QWidget(scroll_);
    page_ = new QVBoxLayout(inside_);
    designLayout(*page_, {kMargin, 4, kMargin, 16}, 10);
    scroll_->setWidget(inside_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    footer_ = new QWidget(this);
    row_ = new QHBoxLayout(footer_);
    designLayout(*row_, {kMargin, 12, kMargin, 16}, 8);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(header);
    all->addWidget(scroll_, 1);
    all->addWidget(footer_);
    onKey(Qt::Key_F1, [this] { emit explain(readText()); });
    onKey(Qt::Key_PageDown,
          [this] { scroll_->verticalScrollBar()->triggerAction(QScrollBar::SliderPageStepAdd); });
    onKey(Qt::Key_PageUp,
          [this] { scroll_->verticalScrollBar()->triggerAction(QScrollBar::SliderPageStepSub); });
}

Label* QuestionDialog::paragraph(TextRole role) {
    Label* label = makeParagraph(role, inside_);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    page_->addWidget(label);
    return label;
}

Button* QuestionDialog::button(ButtonLook look) {
    auto* made = new Button(look, Glyph::None, footer_);
    row_->addWidget(made);
    return made;
}

void QuestionDialog::stretchRow() {
    row_->addStretch(1);
}

void QuestionDialog::onKey(Qt::Key key, std::function<void()> run) {
    connect(new QShortcut(key, this), &QShortcut::activated, this, [run = std::move(run)] { run(); });
}

void QuestionDialog::scrollToTop() {
    scroll_->verticalScrollBar()->setValue(0);
}

void QuestionDialog::followTheme() {
    const Theme& theme = currentTheme();
    for (QWidget* widget : {static_cast<QWidget*>(this), inside_, static_cast<QWidget*>(scroll_)}) {
        QPalette ground = widget->palette();
        ground.setColor(QPalette::Window, theme.panel);
        widget->setPalette(ground);
    }
    fit();
    refresh();
}

void QuestionDialog::growTo(int inside_px) {
    if (inside_px == wanted_px_) return;
    wanted_px_ = inside_px;
    const QPoint middle = geometry().center();
    fit();
    if (isVisible()) move(pos() + middle - geometry().center());
}

void QuestionDialog::setFolded(bool folded) {
    if (folded_ == folded) return;
    folded_ = folded;
    for (QWidget* part : QWidgetList{place_, scroll_, footer_}) part->setVisible(!folded);
    unfold_->setVisible(folded);
    unfold_->setText(tr("Back to the card  S"));
    fit();
    emit foldedChanged();
}

// What is on it at this width; folded the question alone.
int QuestionDialog::highEnough(int wide) const {
    const int asked = head_->totalHeightForWidth(wide);
    return folded_ ? asked : asked + page_->totalHeightForWidth(wide) + footer_->sizeHint().height();
}

void QuestionDialog::fit() {
    const Theme& theme = currentTheme();
    const QSize room = parentWidget() != nullptr ? parentWidget()->size() - QSize(48, 48) : QSize(4000, 4000);
    const int wide = std::min(
        room.width(),
        std::max(wanted_px_ + theme.px(2 * kMargin) + theme.px(kScrollBar), theme.px(kReadingWidth)));
    int high = theme.px(kReadingHeight);
    if (folded_)
        high = highEnough(wide);
    else if (wanted_px_ > 0)
        high = std::max(high, highEnough(wide));
    resize(wide, std::min(room.height(), high));
}

void QuestionDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        unfold_->setText(tr("Back to the card  S"));
        refresh();
    }
    QDialog::changeEvent(event);
}

// A rule above the row of buttons.
void QuestionDialog::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), currentTheme().panel);
    if (!folded_)
        painter.fillRect(QRectF(0, footer_->y(), width(), currentTheme().line()), currentTheme().rule);
}

}  // namespace bscope::ui
