// A program in a pseudo-terminal of its own, that of tmux: keys go in, what stands on the screen comes out.
#pragma once

#include <QElapsedTimer>
#include <QProcess>
#include <QStandardPaths>
#include <QString>
#include <QTest>
#include <functional>

namespace bscope {

// A server of tmux by itself, ended with the object.
class Tmux {
public:
    static bool isThere() { return !QStandardPaths::findExecutable("tmux").isEmpty(); }

    // A shell of that size; `environment`: "TERM=xterm LC_ALL=C.UTF-8".
    Tmux(int columns, int rows, const QString& environment)
        : socket_(QString("bscope-test-%1-%2").arg(QCoreApplication::applicationPid()).arg(++count())) {
        run({"new-session", "-d", "-x", QString::number(columns), "-y", QString::number(rows),
             "env PS1='ready> ' " + environment + " bash --norc --noprofile"});
        run({"set", "-g", "status", "off"});
    }
    ~Tmux() { run({"kill-server"}); }
    Tmux(const Tmux&) = delete;
    Tmux& operator=(const Tmux&) = delete;

    // Names of tmux: "q", "Enter", "C-z".
    void keys(const QStringList& names) { run(QStringList{"send-keys"} + names); }
    void type(const QString& line) { keys({"-l", line}), keys({"Enter"}); }
    void resize(int columns, int rows) {
        run({"resize-window", "-x", QString::number(columns), "-y", QString::number(rows)});
    }
    QString screen() { return run({"capture-pane", "-p"}); }
    // Until the screen is so; false: it never was.
    bool awaits(const std::function<bool(const QString&)>& is_so) {
        QElapsedTimer since;
        for (since.start(); since.elapsed() < 60000; QTest::qWait(50))
            if (is_so(screen())) return true;
        return false;
    }
    // That the shell reads again: what is typed before goes to the program that is ending, or is lost with it.
    bool awaitsPrompt() {
        return awaits([](const QString& screen) {
            return screen.trimmed().section('\n', -1).startsWith("ready>");
        });
    }
    bool awaits(const QString& text) {
        return awaits([&text](const QString& screen) { return screen.contains(text); });
    }

private:
    static int& count() {
        static int made = 0;
        return made;
    }
    QString run(const QStringList& arguments) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LC_ALL", "C.UTF-8");
        environment.remove("TMUX");
        process.setProcessEnvironment(environment);
        process.start("tmux", QStringList{"-L", socket_, "-f", "/dev/null"} + arguments);
        process.waitForFinished();
        return QString::fromUtf8(process.readAllStandardOutput());
    }

    QString socket_;
};

}  // namespace bscope
