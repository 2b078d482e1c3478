#include "app/window/help_controller.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QCursor>
#include <QLabel>
#include <QLineEdit>

#include "widgets/controls/words_under.h"
#include "widgets/help/glossary.h"
#include "widgets/help/glossary_dialog.h"

namespace bscope::ui {
namespace {

QString textOf(const QWidget& widget) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) return label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) return button->text();
    if (const auto* field = qobject_cast<const QLineEdit*>(&widget)) return field->text();
    if (const auto* choice = qobject_cast<const QComboBox*>(&widget)) return choice->currentText();
    return {};
}

// What is selected in a field, else what stands under the pointer.
QString askedAbout(const QWidget& window) {
    if (const auto* field = qobject_cast<const QLineEdit*>(QApplication::focusWidget());
        field != nullptr && field->hasSelectedText() && !termsIn(field->selectedText()).empty())
        return field->selectedText();
    return wordsUnder(window, window.mapFromGlobal(QCursor::pos()));
}

}  // namespace

// A field is called by its name and its tip, and the words around it are about it too.
QString wordsUnder(const QWidget& window, const QPoint& at) {
    QStringList words;
    for (const QWidget* widget = window.childAt(at); widget != nullptr && widget != &window;
         widget = widget->parentWidget()) {
        if (const auto* painted = dynamic_cast<const WordsUnder*>(widget))
            words << painted->wordsAt(widget->mapFrom(&window, at));
        words << textOf(*widget) << widget->accessibleName() << widget->toolTip();
        if (!termsIn(words.join(u' ')).empty()) break;
    }
    return words.join(u' ');
}

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
    openGlossary(askedAbout(*shell_.widget()));  // all of it where no term is named
}

}  // namespace bscope::ui
