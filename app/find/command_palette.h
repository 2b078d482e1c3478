// CommandPalette (Ctrl+Shift+P): whatever the window can do by typing a part of its name. Search field above
// a list, the best match first; Enter runs, Esc leaves; what is not possible now says why. Window thread
// only.
#pragma once

#include <QAction>
#include <QDialog>
#include <QLineEdit>
#include <QListWidget>

#include "app/find/palette_entry.h"

namespace bscope::ui {

class CommandPalette : public QDialog {
    Q_OBJECT
public:
    // As wide as `most`, and no higher than its rows need.
    CommandPalette(std::vector<PaletteEntry> entries, const QSize& most, QWidget* parent);

    QLineEdit* field() const { return field_; }
    QListWidget* list() const { return list_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& text);
    void fitToList();
    void runCurrent();

    std::vector<PaletteEntry> entries_;
    QLineEdit* field_;
    QListWidget* list_;
};

// "Zoom in" of "Zoom &in\tW".
QString plainActionText(const QAction& action);
// The same with the menu it stands in before it: "Theme: Dark".
QString commandName(const QAction& action);

}  // namespace bscope::ui
