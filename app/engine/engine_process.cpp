#include "app/engine/engine_process.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTimer>
#include <csignal>

#include "widgets/text/config_text.h"

namespace bscope::ui {
namespace {

constexpr int kKeptErrorBytes = 16 * 1024;
constexpr int kStopWaitMs = 1500;

// 128 bits of the system's random numbers.
std::string newToken() {
    QByteArray token;
    for (int i = 0; i < 2; ++i)
        token += QByteArray::number(QRandomGenerator::system()->generate64(), 16).rightJustified(16, '0');
    return token.toStdString();
}

QString signalName(int number) {
    switch (number) {
        case SIGKILL:
            return QStringLiteral("SIGKILL");
        case SIGSEGV:
            return QStringLiteral("SIGSEGV");
        case SIGABRT:
            return QStringLiteral("SIGABRT");
        case SIGTERM:
            return QStringLiteral("SIGTERM");
        case SIGBUS:
            return QStringLiteral("SIGBUS");
        case SIGFPE:
            return QStringLiteral("SIGFPE");
        case SIGILL:
            return QStringLiteral("SIGILL");
        case SIGINT:
            return QStringLiteral("SIGINT");
        default:
            return QString::number(number);
    }
}

}  // namespace

void endProcess(QProcess& process) {
    if (process.state() == QProcess::NotRunning) return;
    process.terminate();
    if (process.waitForFinished(kStopWaitMs)) return;
    process.kill();
    process.waitForFinished(kStopWaitMs);
}

namespace {

// One that was asked to end. Where the program ends before it does, it waits.
class EndingProcess : public QObject {
public:
    explicit EndingProcess(QProcess* process) : QObject(QCoreApplication::instance()), process_(process) {
        process->setParent(this);
        connect(process, &QProcess::finished, this, &QObject::deleteLater);
        QTimer::singleShot(kStopWaitMs, process, &QProcess::kill);
        process->terminate();
    }
    ~EndingProcess() override {
        process_->disconnect(this);
        endProcess(*process_);
    }

private:
    QProcess* process_;
};

}  // namespace

void letEnd(std::unique_ptr<QProcess> process) {
    if (!process) return;
    QProcess* const ending = process.release();
    ending->disconnect();
    if (ending->state() == QProcess::NotRunning)
        ending->deleteLater();  // perhaps within its own signal
    else
        new EndingProcess(ending);
}

EngineProcess::EngineProcess(QObject* parent) : QObject(parent) {}

void EngineProcess::makeProcess() {
    process_ = std::make_unique<QProcess>();
    connect(process_.get(), &QProcess::readyReadStandardOutput, this, &EngineProcess::readOutput);
    connect(process_.get(), &QProcess::readyReadStandardError, this, &EngineProcess::readErrors);
    connect(process_.get(), &QProcess::finished, this, &EngineProcess::onFinished);
    connect(process_.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;
        emit ended({tr("The engine could not be started: %1.").arg(process_->errorString()),
                    tr("Check that the program bscope is installed beside this one."), process_->program()});
    });
}

EngineProcess::~EngineProcess() {
    if (!process_) return;
    process_->disconnect(this);
    endProcess(*process_);
}

QString EngineProcess::findProgram() {
    const QString requested = qEnvironmentVariable("BSCOPE");
    if (!requested.isEmpty()) return requested;
    const QFileInfo beside(QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("bscope")));
    if (beside.isExecutable()) return beside.absoluteFilePath();
    return QStandardPaths::findExecutable(QStringLiteral("bscope"));
}

void EngineProcess::start(const QString& program, const QStringList& extra_arguments) {
    stop();
    makeProcess();
    announced_ = false;
    errors_.clear();
    token_ = newToken();
    // The engine's only viewer is this window, where a person chooses the files: it may name any of them.
    process_->start(
        program,
        QStringList{QStringLiteral("serve"), QStringLiteral("--listen"), QStringLiteral("127.0.0.1:0"),
                    QStringLiteral("--paused"), QStringLiteral("--exit-when-alone"),
                    QStringLiteral("--token-from-input"), QStringLiteral("--allow"), QStringLiteral("/")} +
            extra_arguments);
    process_->write(QByteArray::fromStdString(token_) + '\n');
}

void EngineProcess::readOutput() {
    constexpr std::string_view kBeginning = "listening on ";  // in every language
    while (process_ && process_->canReadLine()) {
        const std::string line = process_->readLine().toStdString();
        if (announced_ || !line.starts_with(kBeginning)) continue;
        auto address = parseEngineAddress(std::string_view(line).substr(kBeginning.size()));
        if (!address) continue;
        announced_ = true;
        address->token = token_;
        emit listening(*address);
    }
}

void EngineProcess::readErrors() {
    errors_ += process_->readAllStandardError();
    if (errors_.size() > kKeptErrorBytes) errors_ = errors_.right(kKeptErrorBytes);
}

void EngineProcess::onFinished(int code, QProcess::ExitStatus status) {
    readErrors();
    const QString again = tr("A new engine can be started with the same settings.");
    if (status == QProcess::CrashExit)
        // QProcess reports the signal's number as the exit code of a crashed process.
        emit ended({said(sentence("The engine was ended by signal {0}.", signalName(code).toStdString())),
                    again, details()});
    else
        emit ended(
            {said(sentence("The engine ended by itself with exit code {0}.", code)), again, details()});
}

}  // namespace bscope::ui
