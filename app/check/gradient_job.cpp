#include "app/check/gradient_job.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <limits>

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "wire/scenario.h"

namespace bscope::ui {
namespace {

GradientCheck checkOf(const RunConfig& config, const QJsonObject& parsed) {
    GradientCheck check;
    check.config = config;
    check.device =
        parsed.value(u"device").toString() == QLatin1String("cuda") ? DeviceChoice::Cuda : DeviceChoice::Cpu;
    check.delayed_updates = parsed.value(u"delayed_updates").toBool();
    check.bitwise_equal = parsed.value(u"bitwise_equal").toBool();
    check.within_tolerance = parsed.value(u"within_tolerance").toBool();
    check.replicas_equal = parsed.value(u"replicas_equal").toBool();
    check.tolerance = parsed.value(u"tolerance").toDouble();
    // JSON has no number for what is not finite.
    check.largest_difference =
        parsed.value(u"largest_difference").toDouble(std::numeric_limits<double>::infinity());
    check.tensor = parsed.value(u"tensor").toString();
    check.iteration = parsed.value(u"iteration").toInt();
    check.iterations = parsed.value(u"iterations").toInt();
    check.tensors = parsed.value(u"tensors").toInt();
    return check;
}

}  // namespace

GradientJob::GradientJob(QObject* parent)
    : QObject(parent), command_(BscopeCommand::Output::Kept, this) {
    connect(&command_, &BscopeCommand::progressed, this, &GradientJob::progress);
    connect(&command_, &BscopeCommand::ended, this, &GradientJob::finish);
    connect(&command_, &BscopeCommand::notStarted, this, [this](const QString& why) {
        emit failed(sentencesText({tr("The check could not be started: %1.").arg(why),
                                   tr("Check that the program bscope is installed beside this one.")}));
    });
}

void GradientJob::start(const RunConfig& config) {
    cancel();
    config_ = config;
    QFile file(folder_.filePath(QStringLiteral("config.json")));
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(configJson(config))) < 0)
        return emit failed(tr("The check could not be started: %1.").arg(file.errorString()));
    file.close();
    command_.start({QStringLiteral("verify"), QStringLiteral("--config"), file.fileName(),
                    QStringLiteral("--json"), QStringLiteral("--progress")});
}

void GradientJob::finish(int code, QProcess::ExitStatus status) {
    const QJsonObject parsed = QJsonDocument::fromJson(command_.takeOutput()).object();
    if (status == QProcess::NormalExit && !parsed.isEmpty()) return emit done(checkOf(config_, parsed));
    if (!command_.refusal().empty()) return emit failed(sentenceText(said(command_.refusal())));
    if (!command_.errors().isEmpty()) return emit failed(command_.errors().join(u'\n'));
    emit failed(status == QProcess::NormalExit ? tr("The check ended by itself with exit code %1.").arg(code)
                                               : tr("The check ended unexpectedly."));
}

}  // namespace bscope::ui
