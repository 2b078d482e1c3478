#include "app/handout/handout_file.h"

#include <QCoreApplication>
#include <QSaveFile>

#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

struct FileWords {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::Handout)
};

}  // namespace

WrittenFile writeHandoutFile(const std::vector<HandoutLesson>& lessons, const HandoutOptions& options,
                             const QString& path) {
    QSaveFile file(path);
    const auto refusal = [&] {
        return WrittenFile{false, FileWords::tr("Cannot write %1: %2.").arg(path, file.errorString())};
    };
    if (!file.open(QIODevice::WriteOnly)) return refusal();
    const int pages = writeHandout(lessons, options, file);
    if (pages == 0 || !file.commit()) return refusal();
    return {true, FileWords::tr("Wrote %1: %2 pages.").arg(path).arg(pages)};
}

WrittenFile writeLessonFigure(const HandoutLesson& lesson, FigureOptions options, Language language,
                              const QString& path, FigureFormat format) {
    options.title = textOf(lesson.scenario->lesson().title(), language);
    const QString error = writeFigure(lesson.views, options, path, format);
    if (!error.isEmpty()) return {false, error};
    return {true,
            FileWords::tr("Wrote %1: %2, runs A to %3.")
                .arg(path, options.title, QChar(u'A' + static_cast<char16_t>(lesson.views.size()) - 1))};
}

}  // namespace bscope::ui
