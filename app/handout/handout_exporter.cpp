#include "app/handout/handout_exporter.h"

#include <QFileDialog>

#include "app/handout/handout_dialog.h"
#include "app/handout/handout_file.h"
#include "lessons/lesson_file.h"

namespace bscope::ui {

HandoutExporter::HandoutExporter(const LessonController& lessons, const LessonBook& book,
                                 WindowActions& actions, Shell& shell)
    : QObject(shell.widget()), lessons_(lessons), book_(book), shell_(shell) {
    QAction* action =
        actions.add(MenuName::Lessons, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Export a &handout…"),
                    {}, [this] { ask(); });
    actions.setCondition(
        action, [this] { return canExport(); },
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "open a lesson first, and wait for its runs"));
}

bool HandoutExporter::canExport() const {
    return lessons_.opened() != nullptr && lessons_.lessonRuns() != nullptr;
}

void HandoutExporter::ask() {
    if (!canExport())
        return shell_.showBriefly(tr("A handout is of an open lesson, once its runs are made."));
    HandoutDialog dialog(shell_.widget());
    if (dialog.exec() != QDialog::Accepted) return;
    const QString name = QString::fromStdString(lessons_.opened()->id()) + QStringLiteral(".pdf");
    const QString path =
        QFileDialog::getSaveFileName(shell_.widget(), tr("Export a handout"), name, tr("PDF (*.pdf)"));
    if (!path.isEmpty() && canExport()) writeTo(path, dialog.options());
}

bool HandoutExporter::writeTo(const QString& path, HandoutOptions options) {
    options.language = shell_.language();
    const LessonRunner::Made& made = *lessons_.lessonRuns();
    const WrittenFile file = writeHandoutFile(
        {handoutLesson(*lessons_.opened(), book_, lessons_.numbersMade(), lessons_.viewsOf(made))}, options,
        path);
    if (file.is_there)
        shell_.showBriefly(file.sentence);
    else
        shell_.say({file.sentence, tr("Choose another folder."), {}});
    return file.is_there;
}

}  // namespace bscope::ui
