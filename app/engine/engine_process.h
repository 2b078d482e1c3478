// EngineProcess: the engine this window started itself, `bscope serve` as a separate process. Finds the
// program, gives it a token of its own through its standard input, reads the line that names its port, keeps
// what it writes to stderr for Details, and says in one sentence how it ended. Ends it on destruction. Window
// thread only.
#pragma once

#include <QObject>
#include <QProcess>
#include <QStringList>
#include <memory>
#include <string>
#include <utility>

#include "app/engine/notice.h"
#include "wire/engine_address.h"

namespace bscope::ui {

// Asks a process to end, waits a little, then kills it; nothing for one that does not run. For destructors:
// the caller stands still meanwhile.
void endProcess(QProcess& process);
// The same without waiting; none of its signals arrives any more. null: nothing.
void letEnd(std::unique_ptr<QProcess> process);

class EngineProcess : public QObject {
    Q_OBJECT
public:
    explicit EngineProcess(QObject* parent = nullptr);
    ~EngineProcess() override;

    // $BSCOPE, else beside this program, else in PATH; empty when there is none.
    static QString findProgram();

    void start(const QString& program, const QStringList& extra_arguments = {});
    // Asks it to end, and kills it a little later if it has not; without waiting. No signal follows.
    void stop() { letEnd(std::move(process_)); }
    bool isRunning() const { return process_ && process_->state() != QProcess::NotRunning; }
    qint64 processId() const { return process_ ? process_->processId() : 0; }
    // The token of the engine that was started last; no other process has it.
    const std::string& token() const { return token_; }
    // The last lines it wrote to stderr.
    QString details() const { return QString::fromUtf8(errors_); }

signals:
    void listening(const bscope::EngineAddress& address);  // with the token
    // It could not start or ended by itself.
    void ended(const bscope::ui::Notice& notice);

private:
    void makeProcess();
    void readOutput();
    void readErrors();
    void onFinished(int code, QProcess::ExitStatus status);

    std::unique_ptr<QProcess> process_;  // null: none was started, or it was stopped
    QByteArray errors_;
    std::string token_;
    bool announced_ = false;  // the port was announced
};

}  // namespace bscope::ui
