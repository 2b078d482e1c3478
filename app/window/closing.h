// Closing: what happens to a run and its notes when the window closes. It asks whether to keep them where
// they would be lost, never at the end of a desktop's session; and offers at the start what a program that
// ended otherwise left behind. Window thread only.
#pragma once

#include <QMessageBox>
#include <QObject>
#include <QPointer>
#include <functional>

#include "app/session/session.h"
#include "app/shell/shell.h"
#include "app/shell/window_actions.h"

namespace bscope::ui {

class FileController;
class Notices;
struct Preferences;

class Closing : public QObject {
    Q_OBJECT
public:
    static constexpr int kWorthAsking = 20;  // iterations; a note is always worth it

    struct Parts {
        Session& session;
        FileController& files;
        Notices& notices;
        Preferences& preferences;
    };
    Closing(const Parts& parts, Shell& shell);

    // Keeps runs in this folder, and offers what is left over there.
    void keepRuns(const QString& folder);
    // Whether the window may close now. Else the question is on the screen, and its answer closes the window.
    bool mayClose();
    void endOfSession() { at_session_end_ = true; }  // of the desktop: no one is there to answer
    QMessageBox* question() const { return question_; }
    void addActions(WindowActions& actions);
    // "214 iterations, 1 note"; empty: nothing would be lost.
    QString whatIsLost() const;

private:
    void ask(const QString& what);
    bool keep();
    void setAsks(bool on);
    void offerLeftOver();
    void openLeftOver(const QString& path);

    Parts parts_;
    Shell& shell_;
    QString folder_;
    QPointer<QMessageBox> question_;
    QAction* asks_ = nullptr;
    bool at_session_end_ = false, answered_ = false;
};

}  // namespace bscope::ui
