// mpirun as a process, for the tests of ranks as processes.
#pragma once

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>

#include "bscope_process.h"

namespace bscope {

struct Result {
    int code = -1;
    QByteArray out, err;
};

inline void prepare(QProcess& process) {
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
    environment.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    environment.insert("OMP_NUM_THREADS", "1");
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
}

inline QStringList underMpi(int processes, const QStringList& arguments,
                            const QString& program = bscopeProgram()) {
    return QStringList{"--oversubscribe", "--bind-to", "none", "-n", QString::number(processes), program} +
           arguments;
}

inline Result start(const QString& program, const QStringList& arguments) {
    QProcess process;
    prepare(process);
    process.start(program, arguments);
    process.waitForFinished(120000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

inline Result startMpi(int processes, const QStringList& arguments,
                       const QString& program = bscopeProgram()) {
    return start(MPIRUN, underMpi(processes, arguments, program));
}

inline QByteArray content(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

inline QList<qint64> childrenOf(qint64 process) {
    QList<qint64> children;
    const QByteArray list = content(QString("/proc/%1/task/%1/children").arg(process));
    for (const QByteArray& child : list.split(' '))
        if (!child.trimmed().isEmpty()) children += child.toLongLong();
    return children;
}

inline bool isAlive(qint64 process) {
    const QByteArray stat = content(QString("/proc/%1/stat").arg(process));
    return !stat.isEmpty() && !stat.contains(") Z ");
}

inline QStringList smallModel() {
    return {"--layers", "4", "--hidden", "64", "--heads", "2", "--seq", "32", "--clock", "reconstructed"};
}

inline QList<double> losses(const QByteArray& json_lines) {
    QList<double> found;
    for (const QByteArray& line : json_lines.split('\n'))
        if (line.startsWith('{')) found += QJsonDocument::fromJson(line)["loss"].toDouble();
    return found;
}

}  // namespace bscope
