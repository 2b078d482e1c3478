#include "app/check/gradient_job.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <limits>

#include "app/engine/engine_process.h"
#include "app/engine/engine_words.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "wire/scenario.h"

namespace bscope::ui {
namespace {

GradientCheck checkOf(const RunConfig& config, const QJsonObject& told) {
    GradientCheck check;
    check.config = config;
    check.device =
        told.value(u"device").toString() == QLatin1String("cuda") ? DeviceChoice::Cuda : DeviceChoice::Cpu;
    check.delayed_updates = told.value(u"delayed_updates").toBool();
    check.bitwise_equal = told.value(u"bitwise_equal").toBool();
    check.within_tolerance = told.value(u"within_tolerance").toBool();
    check.replicas_equal = told.value(u"replicas_equal").toBool();
    check.tolerance = told.value(u"tolerance").toDouble();
    // JSON has no number for what is not finite.
    check.largest_difference =
        told.value(u"largest_difference").toDouble(std::numeric_limits<double>::infinity());
    check.tensor = told.value(u"tensor").toString();
    check.iteration = told.value(u"iteration").toInt();
    check.iterations = told.value(u"iterations").toInt();
    check.tensors = told.value(u"tensors").toInt();
    return check;
}

}  // namespace

GradientJob::GradientJob(QObject* parent) : QObject(parent) {
    connect(&process_, &QProcess::readyReadStandardError, this, &GradientJob::readErrors);
    connect(&process_, &QProcess::finished, this, &GradientJob::finish);
    connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart && !cancelled_)
            emit failed(sentencesText({tr("The check could not be started: %1.").arg(process_.errorString()),
                                       tr("Check that the program bscope is installed beside this one.")}));
    });
}

GradientJob::~GradientJob() {
    process_.disconnect(this);
    cancel();
}

void GradientJob::start(const RunConfig& config) {
    cancel();
    cancelled_ = false;
    config_ = config;
    errors_.clear();
    refusal_ = {};
    QFile file(folder_.filePath(QStringLiteral("config.json")));
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(configJson(config))) < 0)
        return emit failed(tr("The check could not be started: %1.").arg(file.errorString()));
    file.close();
    process_.start(EngineProcess::findProgram(),
                   {QStringLiteral("verify"), QStringLiteral("--config"), file.fileName(),
                    QStringLiteral("--json"), QStringLiteral("--progress")},
                   QIODevice::ReadOnly);
}

void GradientJob::cancel() {
    if (!running()) return;
    cancelled_ = true;
    endProcess(process_);
}

void GradientJob::readErrors() {
    static const QRegularExpression trained(QStringLiteral("^trained (\\d+) of (\\d+)$"));
    static const QByteArray refused = "refused ";
    process_.setReadChannel(QProcess::StandardError);
    while (process_.canReadLine()) {
        const QByteArray told = process_.readLine().trimmed();
        const QString line = QString::fromUtf8(told);
        if (told.startsWith(refused))
            refusal_ = sentenceOf(QJsonDocument::fromJson(told.mid(refused.size())).object());
        else if (const auto match = trained.match(line); match.hasMatch())
            emit progress(match.captured(1).toInt(), match.captured(2).toInt());
        else if (!line.isEmpty())
            errors_ << line;
    }
}

void GradientJob::finish(int code, QProcess::ExitStatus status) {
    readErrors();
    if (cancelled_) return;
    const QJsonObject told = QJsonDocument::fromJson(process_.readAllStandardOutput()).object();
    if (status == QProcess::NormalExit && !told.isEmpty()) return emit done(checkOf(config_, told));
    if (!refusal_.empty()) return emit failed(sentenceText(said(refusal_)));
    if (!errors_.isEmpty()) return emit failed(errors_.join(u'\n'));
    emit failed(status == QProcess::NormalExit ? tr("The check ended by itself with exit code %1.").arg(code)
                                               : tr("The check ended unexpectedly."));
}

}  // namespace bscope::ui
