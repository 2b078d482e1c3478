// Button: the flat buttons of tool bar and panels, drawn from the theme. Segments: an exclusive row of them
// in one frame (view switch, definition switch). Both are ordinary buttons to keyboard, mouse and screen
// readers.
#pragma once

#include <QAbstractButton>
#include <QButtonGroup>
#include <QStringList>

#include "widgets/controls/themed.h"
#include "widgets/paint/glyph.h"

namespace bscope::ui {

enum class ButtonLook {
    Primary,  // ink filled: the one next thing to do
    Plain,    // framed
    Pending,  // dashed accent frame
    Link,     // accent text alone
    Quiet     // faint text alone
};

class Button : public QAbstractButton {
    Q_OBJECT
public:
    explicit Button(ButtonLook look, Glyph glyph = Glyph::None, QWidget* parent = nullptr);
    void setLook(ButtonLook look);
    void setGlyph(Glyph glyph);
    void setGlyphLast(bool on);                                         // glyph to the right of the text
    void setMinimumTextWidth(int px);                                   // at 100 %
    void setAllTexts(const QStringList& texts) { all_texts_ = texts; }  // as wide as the widest of them
    void setDesignHeight(int px);                                       // at 100 %; 28 by default
    void setElided(bool on);                                            // may be narrower than its text
    bool isElided() const { return elided_; }
    void setCompact(bool on);  // its glyph alone
    bool showsText() const { return !shownText().isEmpty(); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent*) override;
    void keyPressEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    bool isText() const { return look_ == ButtonLook::Link || look_ == ButtonLook::Quiet; }
    QFont buttonFont() const;
    QString shownText() const { return compact_ ? QString() : text(); }
    int widthFor(int text_width) const;

    ButtonLook look_;
    Glyph glyph_;
    bool glyph_last_ = false, elided_ = false, compact_ = false;
    QStringList all_texts_;
    int minimum_text_ = 0, design_height_ = 28;
};

class Segments : public QWidget {
    Q_OBJECT
public:
    explicit Segments(int count, QWidget* parent = nullptr);
    void setTexts(const QStringList& texts);
    void setGlyphs(const std::vector<Glyph>& glyphs);
    void setCompact(bool on);      // glyphs instead of texts
    void setDesignHeight(int px);  // at 100 %
    void setCurrent(int index);    // no signal
    int count() const { return static_cast<int>(group_->buttons().size()); }
    int current() const { return group_->checkedId(); }
    QAbstractButton* segment(int index) const { return group_->button(index); }

signals:
    void chosen(int index);  // by the user

protected:
    void paintEvent(QPaintEvent*) override;

private:
    QButtonGroup* group_;
};

}  // namespace bscope::ui
