// BscopeCommand: a command of the program bscope as a process of its own, so that the window and the engine
// go on meanwhile and ending it ends the work. Of its standard error lines that begin with a brace are its
// reports (engine/cli/status_lines.h), the others are errors. One at a time; window thread only.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <memory>

#include "words/sentence.h"

namespace bscope::ui {

class BscopeCommand : public QObject {
    Q_OBJECT
public:
    enum class Output { Kept, Dropped };  // standard output

    BscopeCommand(Output output, QObject* parent);
    ~BscopeCommand() override;

    void start(const QStringList& arguments);  // ends one that is running
    void cancel();                             // no further signal follows
    bool running() const { return process_ && process_->state() != QProcess::NotRunning; }
    QByteArray takeOutput() { return process_ ? process_->readAllStandardOutput() : QByteArray(); }
    const Sentence& refusal() const { return refusal_; }  // empty: there was none
    const QStringList& errors() const { return errors_; }

signals:
    void progressed(int done, int of);
    void reported(const QString& key, const QJsonValue& value);  // anything but progress and a refusal
    void notStarted(const QString& why);
    void ended(int code, QProcess::ExitStatus status);  // by itself

private:
    void readErrors();
    void take(const QJsonObject& report);
    void finish(int code, QProcess::ExitStatus status);

    Output output_;
    std::unique_ptr<QProcess> process_;  // null: none was started, or it was cancelled
    QStringList errors_;
    Sentence refusal_;
};

}  // namespace bscope::ui
