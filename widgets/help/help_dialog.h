// HelpDialog: every key and what the mouse does, runs of other programs, and what the program is made of.
// What is typed finds its rows on all pages: words of what a key does, or the key. Keys are read from the
// menus of the window, so that this table cannot say anything else than they do.
#pragma once

#include <QDialog>

#include "widgets/controls/button.h"
#include "widgets/controls/field.h"
#include "widgets/help/import_help.h"

class QTextBrowser;

namespace bscope::ui {

class HelpDialog : public QDialog, public Themed {
    Q_OBJECT
public:
    enum class Page : std::uint8_t { Keys, Mouse, Imports, About };

    explicit HelpDialog(QWidget* window = nullptr, Page page = Page::Keys);
    QString shownText() const;
    Segments* pages() const { return pages_; }
    TextField* search() const { return search_; }
    void followTheme() override;

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    QString keysHtml() const;
    QString mouseHtml() const;
    QString importsHtml() const;
    QString aboutHtml() const;
    QString table(const QString& head, const std::vector<HelpRow>& all) const;

    Segments* pages_;
    TextField* search_;
    QTextBrowser* text_;
};

}  // namespace bscope::ui
