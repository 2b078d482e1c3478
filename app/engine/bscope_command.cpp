#include "app/engine/bscope_command.h"

#include <QJsonDocument>

#include "app/engine/engine_process.h"
#include "app/engine/engine_words.h"

namespace bscope::ui {

BscopeCommand::BscopeCommand(Output output, QObject* parent) : QObject(parent), output_(output) {}

BscopeCommand::~BscopeCommand() {
    if (!process_) return;
    process_->disconnect(this);
    endProcess(*process_);
}

void BscopeCommand::start(const QStringList& arguments) {
    cancel();
    errors_.clear();
    refusal_ = {};
    process_ = std::make_unique<QProcess>();
    if (output_ == Output::Dropped) process_->setStandardOutputFile(QProcess::nullDevice());
    connect(process_.get(), &QProcess::readyReadStandardError, this, &BscopeCommand::readErrors);
    connect(process_.get(), &QProcess::finished, this, &BscopeCommand::finish);
    connect(process_.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) emit notStarted(process_->errorString());
    });
    process_->start(EngineProcess::findProgram(), arguments, QIODevice::ReadOnly);
}

void BscopeCommand::cancel() {
    letEnd(std::move(process_));
}

void BscopeCommand::readErrors() {
    process_->setReadChannel(QProcess::StandardError);
    while (process_ && process_->canReadLine()) {
        const QByteArray line = process_->readLine().trimmed();
        if (line.startsWith('{'))
            take(QJsonDocument::fromJson(line).object());
        else if (!line.isEmpty())
            errors_ << QString::fromUtf8(line);
    }
}

void BscopeCommand::take(const QJsonObject& report) {
    for (auto each = report.begin(); each != report.end(); ++each) {
        const QJsonObject value = each.value().toObject();
        if (each.key() == u"progress")
            emit progressed(value[QStringLiteral("done")].toInt(), value[QStringLiteral("of")].toInt());
        else if (each.key() == u"refused")
            refusal_ = sentenceFrom(value);
        else
            emit reported(each.key(), each.value());
    }
}

void BscopeCommand::finish(int code, QProcess::ExitStatus status) {
    readErrors();
    if (process_) emit ended(code, status);
}

}  // namespace bscope::ui
