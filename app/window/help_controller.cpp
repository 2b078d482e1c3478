#include "app/window/help_controller.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCursor>
#include <QLabel>
#include <QLineEdit>

#include "widgets/help/glossary_dialog.h"

namespace bscope::ui {
namespace {

QString textOf(const QWidget* widget) {
    if (const auto* label = qobject_cast<const QLabel*>(widget)) return label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) return button->text();
    if (const auto* field = qobject_cast<const QLineEdit*>(widget)) return field->text();
    return {};
}

// What is selected in a field, else what stands under the pointer.
QString askedAbout(const QWidget* window) {
    if (const auto* field = qobject_cast<const QLineEdit*>(QApplication::focusWidget());
        field != nullptr && field->hasSelectedText())
        return field->selectedText();
    return textOf(window->childAt(window->mapFromGlobal(QCursor::pos())));
}

}  // namespace

HelpController::HelpController(Shell& shell) : QObject(shell.widget()), shell_(shell) {}

void HelpController::addActions(WindowActions& actions) {
    using enum MenuName;
    actions.add(Help, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Keys and mouse"),
                {QKeySequence(Qt::Key_Question)}, [this] { openHelp(HelpDialog::Page::Keys); });
    actions.add(Help, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Terms under the pointer"),
                {QKeySequence(Qt::Key_F1)}, [this] { explainHere(); });
    actions.add(Help, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Glossary"),
                {QKeySequence(Qt::SHIFT | Qt::Key_F1)}, [this] { openGlossary(); });
    actions.add(Help, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Runs of other programs"), {},
                [this] { openHelp(HelpDialog::Page::Imports); });
    actions.add(Help, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&About Bubblescope"), {}, [this] {
        shell_.say({tr("Bubblescope %1: a real pipeline, live.").arg(QStringLiteral(BUBBLESCOPE_VERSION)),
                    tr("Free software under the GNU General Public License, version 3 or later."),
                    {}});
    });
}

void HelpController::openGlossary(const QString& about) {
    auto* dialog = new GlossaryDialog(shell_.widget(), about);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &GlossaryDialog::showMe, this, [this](const QString& what) { shell_.showMe(what); });
    dialog->open();
}

void HelpController::openHelp(HelpDialog::Page page) {
    auto* dialog = new HelpDialog(shell_.widget(), page);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void HelpController::explainHere() {
    const QString text = askedAbout(shell_.widget());
    if (termsIn(text).empty())
        openHelp(HelpDialog::Page::Keys);
    else
        openGlossary(text);
}

}  // namespace bscope::ui
