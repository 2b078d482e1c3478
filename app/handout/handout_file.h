// Lessons whose runs were made as files: a handout, or the picture of one lesson with its runs stacked.
// Window thread only.
#pragma once

#include <QString>
#include <functional>

#include "app/handout/handout.h"
#include "widgets/figure/figure.h"

namespace bscope::ui {

struct WrittenFile {
    bool is_there = false;
    QString sentence;  // what was written, or why not
};

WrittenFile writeHandoutFile(const std::vector<HandoutLesson>& lessons, const HandoutOptions& options,
                             const QString& path);
// The same runs in both languages: path in that of the options, other_path in the other one. `speak` changes
// the language of the window's words, which is that of the options before and after.
WrittenFile writeBothHandouts(const std::vector<HandoutLesson>& lessons, const HandoutOptions& options,
                              const QString& path, const QString& other_path,
                              const std::function<void(Language)>& speak);
// Under the lesson's title in that language.
WrittenFile writeLessonFigure(const HandoutLesson& lesson, FigureOptions options, Language language,
                              const QString& path, FigureFormat format);

}  // namespace bscope::ui
