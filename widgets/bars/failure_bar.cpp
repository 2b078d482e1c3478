// Layout of the failure bar.
#include "widgets/bars/failure_bar.h"

#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QPlainTextEdit>

#include "widgets/controls/tab_order.h"

namespace bscope::ui {

FailureBar::FailureBar(QWidget* parent)
    : QWidget(parent),
      sentence_(makeParagraph(TextRole::Strong, this)),
      what_to_do_(makeParagraph(TextRole::Soft, this)),
      action_row_(new QHBoxLayout),
      details_button_(new Button(ButtonLook::Link, Glyph::None, this)),
      close_(new Button(ButtonLook::Plain, Glyph::Cancel, this)),
      details_(new QPlainTextEdit(this)) {
    auto* words = new QVBoxLayout;
    designLayout(*words, {}, 2);
    words->addWidget(sentence_);
    words->addWidget(what_to_do_);
    auto* row = new QHBoxLayout;
    designLayout(*row, {}, 12);
    row->addLayout(words, 1);
    row->addWidget(details_button_, 0, Qt::AlignTop);
    row->addLayout(action_row_);
    row->addWidget(close_, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    designLayout(*column, {22, 8, 16, 9}, 6);
    column->addLayout(row);
    column->addWidget(details_);
    details_->setReadOnly(true);
    details_->hide();
    close_->setDesignHeight(26);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    connect(details_button_, &QAbstractButton::clicked, this, [this] {
        details_->setVisible(!detailsShown());
        retranslate();
    });
    connect(close_, &QAbstractButton::clicked, this, &FailureBar::clear);
    retranslate();
    hide();
}

bool FailureBar::detailsShown() const {
    return !details_->isHidden();
}

void FailureBar::setNotice(const FailureNotice& notice) {
    sentence_->setText(notice.sentence);
    what_to_do_->setText(notice.what_to_do);
    what_to_do_->setVisible(!notice.what_to_do.isEmpty());
    details_->setPlainText(notice.details);
    details_->hide();
    details_button_->setVisible(!notice.details.isEmpty());
    for (Button* old : actions_) old->deleteLater();
    actions_.clear();
    for (const FailureNotice::Action& action : notice.actions) {
        auto* button =
            new Button(actions_.empty() ? ButtonLook::Primary : ButtonLook::Plain, Glyph::None, this);
        button->setText(action.text);
        button->setObjectName(action.id);
        button->setDesignHeight(26);
        action_row_->addWidget(button, 0, Qt::AlignTop);
        connect(button, &QAbstractButton::clicked, this, [this, id = action.id] { emit actionChosen(id); });
        actions_.push_back(button);
    }
    QList<QWidget*> stops{details_button_};
    for (Button* action : actions_) stops << action;
    chainTabs(stops << close_ << details_);
    retranslate();
    setAccessibleName(notice.sentence + ' ' + notice.what_to_do);
    show();
}

void FailureBar::setSentence(const QString& sentence) {
    sentence_->setText(sentence);
}

void FailureBar::clear() {
    hide();
}

Button* FailureBar::action(const QString& id) const {
    for (Button* button : actions_)
        if (button->objectName() == id) return button;
    return nullptr;
}

void FailureBar::followTheme() {
    const Theme& theme = currentTheme();
    QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    mono.setPixelSize(theme.px(11));
    details_->setFont(mono);
    details_->setFixedHeight(theme.px(120));
}

void FailureBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void FailureBar::retranslate() {
    details_button_->setText(detailsShown() ? tr("Hide details") : tr("Details"));
    details_button_->updateGeometry();
    close_->setToolTip(tr("Close"));
    close_->setAccessibleName(tr("Close"));
}

void FailureBar::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    painter.fillRect(0, 0, theme.px(6), height(),
                     theme.text);  // a thick edge, not a colour, says that it matters
    painter.fillRect(0, height() - 1, width(), 1, theme.rule);
}

}  // namespace bscope::ui
