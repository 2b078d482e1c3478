// HandoutPaper: blocks of text, figures and empty grids that flow over the pages of a PDF. Lengths are
// logical pixels (96 an inch). Every page ends in the same footer, which says where the numbers come from.
// Window thread only.
#pragma once

#include <QIODevice>
#include <QPainter>
#include <QStringList>
#include <span>

#include "app/handout/handout_options.h"
#include "view/view_data.h"
#include "widgets/figure/vector_paper.h"
#include "widgets/theme/theme.h"

namespace bscope::ui {

class HandoutPaper {
public:
    enum class Ink { Drawn, None };  // None: only where things come to stand

    HandoutPaper(QIODevice& out, Paper paper, const QString& title, Ink ink = Ink::Drawn);

    // Of what follows: text, the blanks around it, and how high a figure may be; and which of its headings,
    // from 0, begins a page.
    struct Layout {
        double scale = 1;
        int break_before = -1;
    };
    void setLayout(const Layout& layout) {
        scale_ = layout.scale;
        break_before_ = layout.break_before;
        headings_ = 0;
    }
    int headings() const { return headings_; }  // under this layout
    // Of this page and those that follow.
    void setFooter(const QString& text) { footer_ = text; }
    void newPage();  // nothing on an empty one
    void title(const QString& text, const QString& above);
    void heading(const QString& text);
    void paragraph(const QString& text);
    void small(const QString& text);
    void boxes(const QStringList& texts);  // one to tick before each
    void figure(std::span<const IterationView> views);
    void emptyGrid(int ranks, int steps);
    // The first row is the head.
    void table(const std::vector<QStringList>& rows);
    bool end();  // the last footer; whether all was written
    int pages() const { return page_; }
    double usedShare() const { return (y_ - margin_) / (bottom_ - margin_); }  // of the last page

private:
    double width() const { return size_.width() - 2 * margin_; }
    double room() const { return bottom_ - y_; }
    QFont font(double size, QFont::Weight weight = QFont::Normal) const;
    void reserve(double height);
    double heightOf(const QString& text, const QFont& font, double indent);
    void text(const QString& text, const QFont& font, const QColor& colour, double indent, double after);
    void drawFooter();

    Theme theme_ = Theme::make(ThemeKind::Light);
    QSizeF size_;
    VectorPaper pdf_;
    QPainter painter_;
    QString footer_, heading_;  // a heading waits for what comes below it
    bool slides_, draws_;
    double margin_, bottom_ = 0, y_ = 0, scale_ = 1;
    int page_ = 1, break_before_ = -1, headings_ = 0;
};

}  // namespace bscope::ui
