#include "app/export/page_job.h"

#include "widgets/text/format.h"

namespace bscope::ui {

PageJob::PageJob(QObject* parent) : QObject(parent), command_(BscopeCommand::Output::Dropped, this) {
    connect(&command_, &BscopeCommand::ended, this, &PageJob::finish);
    connect(&command_, &BscopeCommand::notStarted, this, [this](const QString& why) {
        emit failed(sentencesText({tr("The page could not be written: %1.").arg(why),
                                   tr("Check that the program bscope is installed beside this one.")}));
    });
}

void PageJob::start(const QStringList& recordings, const QString& path, std::optional<int> number,
                    Language language) {
    path_ = path;
    QStringList arguments{QStringLiteral("export"), QStringLiteral("--html"), path, QStringLiteral("--lang"),
                          language == Language::Chinese ? QStringLiteral("zh") : QStringLiteral("en")};
    if (number) arguments << QStringLiteral("--iteration") << QString::number(*number);
    command_.start(arguments << QStringLiteral("--") << recordings);
}

void PageJob::finish(int code, QProcess::ExitStatus status) {
    if (status == QProcess::NormalExit && code == 0) return emit written(path_);
    const QString why =
        command_.errors().isEmpty() ? tr("bscope ended unexpectedly") : command_.errors().join(u' ');
    emit failed(sentenceText(tr("The page could not be written: %1").arg(why)));
}

}  // namespace bscope::ui
