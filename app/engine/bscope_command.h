// BscopeCommand: a command of the program bscope as a process of its own, so that the window and the engine
// go on meanwhile and ending it ends the work. What it writes for programs on standard error is read line by
// line: progress, a refusal as a Sentence, and errors. One at a time; window thread only.
#pragma once

#include <QObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStringList>

#include "words/sentence.h"

namespace bscope::ui {

class BscopeCommand : public QObject {
    Q_OBJECT
public:
    enum class Output { Kept, Dropped };  // standard output

    // progress: a line that says how far the work is.
    BscopeCommand(const QRegularExpression& progress, Output output, QObject* parent);
    ~BscopeCommand() override;

    void start(const QStringList& arguments);  // ends one that is running
    void cancel();                             // no further signal follows
    bool running() const { return process_.state() != QProcess::NotRunning; }
    QByteArray takeOutput() { return process_.readAllStandardOutput(); }
    const Sentence& refusal() const { return refusal_; }  // empty: there was none
    const QStringList& errors() const { return errors_; }

signals:
    void progressed(const QRegularExpressionMatch& match);
    void notStarted(const QString& why);
    void ended(int code, QProcess::ExitStatus status);  // by itself

private:
    void readErrors();
    void finish(int code, QProcess::ExitStatus status);

    QRegularExpression progress_;
    QProcess process_;
    QStringList errors_;
    Sentence refusal_;
    bool cancelled_ = false;
};

}  // namespace bscope::ui
