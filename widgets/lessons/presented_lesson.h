// PresentedLesson: the text of a lesson for a class, a block under pictures that have the whole width: few
// words a page, large, and by keys alone. Its height follows what it shows, so that nothing is cut. Window
// thread only.
#pragma once

#include <QWidget>

#include "widgets/controls/themed.h"
#include "widgets/lessons/lesson_pages.h"

namespace bscope::ui {

class PresentedLesson : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit PresentedLesson(LessonWalk& walk, QWidget* parent = nullptr);

    int page() const { return page_; }
    const std::vector<LessonPage>& pages() const { return pages_; }
    int fontPixels() const { return font_px_; }
    // What the largest page of this step needs, with the type as large as requested.
    int heightNeeded(int width, int font_px) const;
    void requestFont(int font_px);
    void followTheme() override;

signals:
    void memoryToggled();
    void blackened();
    void left();
    void fitted();  // its height is another

protected:
    bool event(QEvent* event) override;
    // Right, Space and PageDown go on, Left and PageUp back; 1 to 4 choose, and digits type an estimate;
    // Enter walks through what is marked, C opens the curtain, R makes the runs again, B blackens, L changes
    // the language, M switches the memory curves, + and - the size, Esc leaves.
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    void follow();
    void fit();
    void next();
    void back();
    void digit(int number);
    void type(const QString& typed);
    QStringList optionsOf(const LessonPage& page) const;
    QString footText() const;
    QFont font(int px, bool strong = false) const;

    LessonWalk& walk_;
    std::vector<LessonPage> pages_;
    LessonStep step_ = LessonStep::Look;
    int page_ = 0, tried_ = -1;
    int requested_px_ = 28, font_px_ = 28;
    QString typed_;  // of an estimate
};

// Black until a key or a click. A child of its window.
class BlackScreen : public QWidget {
    Q_OBJECT
public:
    explicit BlackScreen(QWidget* window);

protected:
    void paintEvent(QPaintEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    bool event(QEvent* event) override;  // no key is a shortcut
};

}  // namespace bscope::ui
