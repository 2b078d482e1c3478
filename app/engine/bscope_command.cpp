#include "app/engine/bscope_command.h"

#include <QJsonDocument>

#include "app/engine/engine_process.h"
#include "app/engine/engine_words.h"

namespace bscope::ui {

BscopeCommand::BscopeCommand(const QRegularExpression& progress, Output output, QObject* parent)
    : QObject(parent), progress_(progress) {
    if (output == Output::Dropped) process_.setStandardOutputFile(QProcess::nullDevice());
    connect(&process_, &QProcess::readyReadStandardError, this, &BscopeCommand::readErrors);
    connect(&process_, &QProcess::finished, this, &BscopeCommand::finish);
    connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart && !cancelled_) emit notStarted(process_.errorString());
    });
}

BscopeCommand::~BscopeCommand() {
    process_.disconnect(this);
    cancel();
}

void BscopeCommand::start(const QStringList& arguments) {
    cancel();
    cancelled_ = false;
    errors_.clear();
    refusal_ = {};
    process_.start(EngineProcess::findProgram(), arguments, QIODevice::ReadOnly);
}

void BscopeCommand::cancel() {
    if (!running()) return;
    cancelled_ = true;
    endProcess(process_);
}

void BscopeCommand::readErrors() {
    static const QByteArray refused = "refused ";
    process_.setReadChannel(QProcess::StandardError);
    while (process_.canReadLine()) {
        const QByteArray told = process_.readLine().trimmed();
        const QString line = QString::fromUtf8(told);
        if (told.startsWith(refused))
            refusal_ = sentenceFrom(QJsonDocument::fromJson(told.mid(refused.size())).object());
        else if (const auto match = progress_.match(line); match.hasMatch())
            emit progressed(match);
        else if (!line.isEmpty())
            errors_ << line;
    }
}

void BscopeCommand::finish(int code, QProcess::ExitStatus status) {
    readErrors();
    if (!cancelled_) emit ended(code, status);
}

}  // namespace bscope::ui
