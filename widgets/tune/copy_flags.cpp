#include "widgets/tune/copy_flags.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <utility>

#include "widgets/text/config_text.h"

namespace bscope::ui {

CopyFlags::CopyFlags(QWidget* parent)
    : QWidget(parent),
      said_(new Label(TextRole::Soft, this)),
      button_(new Button(ButtonLook::Plain, Glyph::ChevronDown, this)),
      menu_(new QMenu(this)) {
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(said_);
    row->addWidget(button_);
    button_->setGlyphLast(true);
    menu_->setToolTipsVisible(true);
    for (const Framework framework : kFrameworks)
        connect(menu_->addAction(QString::fromLatin1(titleOf(framework))), &QAction::triggered, this,
                [this, framework] { copy(framework); });
    connect(menu_, &QMenu::aboutToShow, this, &CopyFlags::fillMenu);
    connect(button_, &Button::clicked, this, &CopyFlags::open);
    setTexts();
}

void CopyFlags::setLine(FlagsOf flags, const QString& why_not) {
    flags_ = std::move(flags);
    why_not_ = why_not;
    said_->clear();
    setTexts();
}

void CopyFlags::setTexts() {
    button_->setText(tr("Copy for …"));
    button_->setEnabled(static_cast<bool>(flags_));
    button_->setToolTip(flags_ ? tr("What to type into a training framework for this line (C)") : why_not_);
}

void CopyFlags::open() {
    if (flags_) menu_->popup(button_->mapToGlobal(QPoint(0, button_->height())));
}

void CopyFlags::fillMenu() {
    for (const Framework framework : kFrameworks) {
        QAction* const action = menu_->actions().at(static_cast<int>(framework));
        const FrameworkFlags flags = flags_ ? flags_(framework) : FrameworkFlags{};
        const QString title = QString::fromLatin1(titleOf(framework));
        action->setText(flags.extension.empty()
                            ? title
                            : tr("%1, by %2").arg(title, QString::fromStdString(flags.extension)));
        action->setEnabled(flags_ && flags.known());
        action->setToolTip(flags.known() ? tr("Copies what to type there") : bscope::ui::said(flags.missing));
    }
}

void CopyFlags::copy(Framework framework) {
    if (!flags_) return;
    const FrameworkFlags flags = flags_(framework);
    if (!flags.known()) return;
    QGuiApplication::clipboard()->setText(QString::fromStdString(flagsText(flags, windowLanguage())));
    said_->setText(tr("Copied for %1.").arg(QString::fromLatin1(titleOf(framework))));
}

}  // namespace bscope::ui
