#include "app/handout/handout_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QStyle>

#include "widgets/controls/label.h"

namespace bscope::ui {

HandoutDialog::HandoutDialog(QWidget* parent) : QDialog(parent) {
    const Theme& theme = currentTheme();
    setWindowTitle(tr("Export a handout"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(theme.px(20), theme.px(18), theme.px(20), theme.px(18));
    form->setVerticalSpacing(theme.px(10));
    form->setHorizontalSpacing(theme.px(14));
    Label* about = makeParagraph(TextRole::Soft, this);
    about->setText(tr(
        "A PDF of this lesson for a class: story, open picture, question and an empty grid to draw in, then "
        "the answer with the numbers of the runs just made."));
    about->setMinimumWidth(theme.px(380));
    // In the order of the enumerators.
    paper_ = new ChoiceField(this);
    paper_->addItems({tr("A4"), tr("Letter"), tr("Slides, 16:9")});
    answers_ = new ChoiceField(this);
    answers_->addItems({tr("at the end"), tr("none"), tr("nothing else")});
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* save = buttons->addButton(tr("Save as…"), QDialogButtonBox::AcceptRole);
    save->setProperty("primary", true);
    save->style()->polish(save);
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    form->addRow(about);
    form->addRow(tr("Pages"), paper_);
    form->addRow(tr("Answers"), answers_);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    save->setFocus();
}

HandoutOptions HandoutDialog::options() const {
    return {.paper = static_cast<Paper>(paper_->currentIndex()),
            .answers = static_cast<Answers>(answers_->currentIndex())};
}

}  // namespace bscope::ui
