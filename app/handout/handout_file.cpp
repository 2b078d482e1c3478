#include "app/handout/handout_file.h"

#include <QCoreApplication>
#include <QSaveFile>

#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

struct FileWords {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::Handout)
};

struct Pages {
    int count = 0;  // 0: not written, for this reason
    QString error;
};

Pages writePages(const std::vector<HandoutLesson>& lessons, const HandoutOptions& options,
                 const QString& path) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {0, file.errorString()};
    const int count = writeHandout(lessons, options, file);
    if (count == 0 || !file.commit()) return {0, file.errorString()};
    return {count, {}};
}

WrittenFile reported(const Pages& pages, const QString& path) {
    if (pages.count == 0) return {false, FileWords::tr("Cannot write %1: %2.").arg(path, pages.error)};
    return {true, FileWords::tr("Wrote %1: %2 pages.").arg(path).arg(pages.count)};
}

}  // namespace

WrittenFile writeHandoutFile(const std::vector<HandoutLesson>& lessons, const HandoutOptions& options,
                             const QString& path) {
    return reported(writePages(lessons, options, path), path);
}

WrittenFile writeBothHandouts(const std::vector<HandoutLesson>& lessons, const HandoutOptions& options,
                              const QString& path, const QString& other_path,
                              const std::function<void(Language)>& speak) {
    const WrittenFile first = writeHandoutFile(lessons, options, path);
    if (!first.is_there) return first;
    HandoutOptions others = options;
    others.language = options.language == Language::English ? Language::Chinese : Language::English;
    speak(others.language);
    const Pages pages = writePages(lessons, others, other_path);
    speak(options.language);
    const WrittenFile second = reported(pages, other_path);
    return {second.is_there, first.sentence + QLatin1Char('\n') + second.sentence};
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
