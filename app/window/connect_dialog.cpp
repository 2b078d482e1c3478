#include "app/window/connect_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>

#include "widgets/controls/label.h"

namespace bscope::ui {

ConnectDialog::ConnectDialog(QWidget* parent) : QDialog(parent) {
    const Theme& theme = currentTheme();
    setWindowTitle(tr("Connect to an engine"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(theme.px(20), theme.px(18), theme.px(20), theme.px(18));
    form->setVerticalSpacing(theme.px(10));
    form->setHorizontalSpacing(theme.px(14));
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    Label* about = makeParagraph(TextRole::Soft, this);
    about->setText(tr(
        "Start an engine on that machine, then enter its address here, or the URL that it prints:\n\nbscope "
        "serve --listen 127.0.0.1:7070 --show-url\n\nThrough ssh -L 7070:127.0.0.1:7070 it is "
        "localhost:7070."));
    about->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    about->setMinimumWidth(theme.px(380));
    address_ = new QLineEdit(this);
    address_->setPlaceholderText(QStringLiteral("gpu-server:7070"));
    token_ = new QLineEdit(this);
    token_->setEchoMode(QLineEdit::Password);
    token_->setPlaceholderText(tr("from the file that the engine prints when it starts"));
    wrong_ = makeParagraph(TextRole::Body, this);
    wrong_->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* connect_button = buttons->addButton(tr("Connect"), QDialogButtonBox::AcceptRole);
    connect_button->setProperty("primary", true);
    connect_button->style()->polish(connect_button);
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    form->addRow(about);
    form->addRow(tr("Host and port"), address_);
    form->addRow(tr("Token"), token_);
    form->addRow(wrong_);
    form->addRow(buttons);
    address_->setFocus();
    connect(address_, &QLineEdit::textChanged, this, [this](const QString& text) {
        const auto pasted = parseEngineAddress(text.toStdString());
        if (!pasted || pasted->token.empty()) return;
        token_->setText(QString::fromStdString(pasted->token));
        address_->setText(QString::fromStdString(pasted->text()));
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &ConnectDialog::tryAddress);
}

void ConnectDialog::tryAddress() {
    auto where = parseEngineAddress(address_->text().toStdString());
    if (!where) {
        wrong_->setText(tr("Host and port are needed, for example gpu-server:7070."));
        return wrong_->show();
    }
    where->token = token_->text().toStdString();
    accept();
    emit chosen(*where);
}

}  // namespace bscope::ui
