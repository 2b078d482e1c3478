// HelpDialog: every key and what the mouse does, and what the program is made of. Keys are read from the
// menus of the window, so that this table cannot say anything else than they do.
#pragma once

#include <QDialog>

#include "widgets/controls/button.h"

class QTextBrowser;

namespace bscope::ui {

struct HelpRow {
    QString keys, what;
};

class HelpDialog : public QDialog, public Themed {
    Q_OBJECT
public:
    explicit HelpDialog(QWidget* window = nullptr);
    QString shownText() const;
    Segments* pages() const { return pages_; }
    void followTheme() override;

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    QString keysHtml() const;
    QString mouseHtml() const;
    QString aboutHtml() const;
    QString table(const QString& head, const std::vector<HelpRow>& rows) const;

    Segments* pages_;
    QTextBrowser* text_;
};

}  // namespace bscope::ui
