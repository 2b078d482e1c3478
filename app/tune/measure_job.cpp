#include "app/tune/measure_job.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "wire/scenario.h"

namespace bscope::ui {

MeasureJob::MeasureJob(QObject* parent)
    : QObject(parent), command_(BscopeCommand::Output::Kept, this) {
    connect(&command_, &BscopeCommand::progressed, this, &MeasureJob::progress);
    connect(&command_, &BscopeCommand::ended, this, &MeasureJob::finish);
    connect(&command_, &BscopeCommand::notStarted, this, [this](const QString& why) {
        emit failed(sentencesText({tr("The runs could not be started: %1.").arg(why),
                                   tr("Check that the program bscope is installed beside this one.")}));
    });
}

void MeasureJob::start(const RunConfig& config, const std::vector<ScheduleAndChunks>& schedules) {
    cancel();
    QFile file(folder_.filePath(QStringLiteral("config.json")));
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(configJson(config))) < 0)
        return emit failed(tr("The runs could not be started: %1.").arg(file.errorString()));
    file.close();
    QStringList names;
    for (const ScheduleAndChunks& each : schedules)
        names << QStringLiteral("%1=%2").arg(QString::fromStdString(each.first)).arg(each.second);
    command_.start({QStringLiteral("advise"), QStringLiteral("--config"), file.fileName(),
                    QStringLiteral("--measure"), names.join(u','), QStringLiteral("--search-s"),
                    QStringLiteral("0"), QStringLiteral("--json"), QStringLiteral("--progress")});
}

void MeasureJob::finish(int code, QProcess::ExitStatus status) {
    const QJsonObject parsed = QJsonDocument::fromJson(command_.takeOutput()).object();
    MeasuredMs ms;
    for (const QJsonValue& value : parsed.value(u"measured").toArray()) {
        const QJsonObject each = value.toObject();
        ms[{each.value(u"schedule").toString().toStdString(), each.value(u"v").toInt()}] =
            each.value(u"iteration_ms").toDouble();
    }
    if (status == QProcess::NormalExit && !ms.empty()) return emit done(ms);
    if (!command_.refusal().empty()) return emit failed(sentenceText(said(command_.refusal())));
    if (!command_.errors().isEmpty()) return emit failed(command_.errors().join(u'\n'));
    emit failed(status == QProcess::NormalExit
                    ? tr("The runs ended by themselves with exit code %1.").arg(code)
                    : tr("The runs ended unexpectedly."));
}

}  // namespace bscope::ui
