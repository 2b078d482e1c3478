// The real program as a process, for the tests of the command line.
#pragma once

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>
#include <QTemporaryFile>

#include "test_token.h"

namespace bscope {

struct Outcome {
    int code = -1;
    QByteArray out, errors;
    bool crashed = false;
    QList<QJsonObject> json() const {
        QList<QJsonObject> lines;
        for (const auto& line : out.split('\n'))
            if (!line.isEmpty()) lines.append(QJsonDocument::fromJson(line).object());
        return lines;
    }
};

inline QString bscopeProgram() {
    return QStringLiteral(BUBBLESCOPE_BIN_DIR "/bscope");
}

// Whatever the locale of the machine that tests.
inline QProcessEnvironment inEnglish() {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    return environment;
}

inline Outcome bscopeRun(const QStringList& arguments, int limit_ms = 120000) {
    QProcess process;
    process.setProcessEnvironment(inEnglish());
    process.start(bscopeProgram(), arguments);
    process.closeWriteChannel();
    if (!process.waitForFinished(limit_ms)) {
        process.kill();
        process.waitForFinished();
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError(),
            process.exitStatus() == QProcess::CrashExit};
}

// What makes `bscope serve` ask for the token that RawViewer shows.
inline QStringList withTestToken() {
    static QTemporaryFile file;
    if (file.open()) {
        file.write(QByteArray(kTestToken) + '\n');
        file.close();
    }
    return {"--token-file", file.fileName()};
}

// A model that trains in milliseconds.
inline QStringList tinyModel() {
    return {"--hidden", "32", "--heads", "2", "--seq", "16", "--layers", "4", "--micro-batch", "1"};
}

}  // namespace bscope
