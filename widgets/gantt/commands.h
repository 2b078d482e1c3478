// Commands: every action of the canvas as a QAction, in groups for the menus. Letter keys are read by their
// place on the keyboard (scan code), so that they work on AZERTY and with a Chinese input method on; the
// shortcut written in the menu is the letter of that place on a US keyboard. Window thread only.
#pragma once

#include <QAction>
#include <QList>
#include <QObject>
#include <functional>
#include <vector>

class QKeyEvent;

namespace bscope::ui {

class GanttView;

// The key at this place of a US keyboard for letters and punctuation; `key` where the platform
// (QGuiApplication's name) gives no scan codes.
Qt::Key keyByPlace(quint32 scan_code, Qt::Key key, const QString& platform);
Qt::Key keyByPlace(const QKeyEvent& event);

// Properties of an action: its source text with the context of its translation, and further names, by which
// the palette finds it in every language.
inline constexpr const char *kSourceText = "source", *kSourceContext = "context", *kFurtherNames = "names";
void nameForPalette(QAction& action, const char* context, const char* source);

class Commands : public QObject {
    Q_OBJECT
public:
    enum class Group { Navigate, Select, Show };

    explicit Commands(GanttView& view);
    QList<QAction*> actions(Group group) const;
    // Why a command has nothing to do now, "" = it has.
    QString whyNot(const QAction& action) const;
    QAction* follow() const { return follow_; }
    // Must this key reach the canvas as a key press, before any shortcut?
    bool claims(const QKeyEvent& event) const;
    // Runs the command of a key; false when the key means nothing here.
    bool trigger(const QKeyEvent& event);
    // New words after a change of language, new check marks after a change of state.
    void retranslate();

private:
    enum class Needs { Nothing, Box, Selection, Range };
    struct Command {
        Group group;
        Needs needs;
        QAction* action;
        const char* text;                 // source text, context Commands
        std::vector<int> keys;            // Qt::Key, with Qt::SHIFT where Shift makes another command
        std::function<void(double)> run;  // with the speed: Shift 3, Ctrl 1/3 (arrows)
    };

    QAction* add(Group group, const char* text, std::vector<int> keys, std::function<void(double)> run,
                 Needs needs = Needs::Nothing);
    const Command* commandOf(const QKeyEvent& event) const;
    void syncChecks();

    GanttView& view_;
    std::vector<Command> commands_;
    QAction *follow_ = nullptr, *bubbles_ = nullptr, *arrows_ = nullptr, *ghost_ = nullptr,
            *memory_ = nullptr, *memory_bands_ = nullptr, *checkpointing_ = nullptr,
            *critical_path_ = nullptr, *changes_ = nullptr, *unit_ = nullptr;
};

}  // namespace bscope::ui
