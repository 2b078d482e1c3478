#include "widgets/text/iteration_name.h"

#include <QFileInfo>

namespace bscope::ui {

namespace {

constexpr qsizetype kLongest = 24;

}  // namespace

QString nameOfOtherFile(const QString& file, const QString& other_file) {
    return file == other_file ? QString() : QFileInfo(file).completeBaseName();
}

QString iterationName(int number, const QString& file, const QString& other_file) {
    const QString own = QStringLiteral("#%1").arg(number);
    QString name = nameOfOtherFile(file, other_file);
    if (name.isEmpty()) return own;
    if (name.size() > kLongest)
        name = name.first(kLongest / 2) + QStringLiteral("…") + name.last(kLongest / 2 - 1);
    return name + u' ' + own;
}

QString iterationName(const IterationView& view, const QString& other_file) {
    return iterationName(view.number(), view.file, other_file);
}

}  // namespace bscope::ui
