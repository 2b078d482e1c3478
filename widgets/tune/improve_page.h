// ImprovePage: the Improve view: the table of what would help and, as a section of it, the sweep, which runs
// values instead of predicting them. Each has a side of its own for the dock. Window thread only.
#pragma once

#include <QStackedWidget>

#include "widgets/controls/button.h"

namespace bscope::ui {

class ImprovePage : public QWidget {
    Q_OBJECT
public:
    enum class Section { Changes, Sweep };

    // Takes the parts into its layout; side() belongs in the dock.
    ImprovePage(QWidget* changes, QWidget* sweep, QWidget* changes_side, QWidget* sweep_side,
                QWidget* parent = nullptr);
    void setSection(Section section);
    Section section() const { return static_cast<Section>(pages_->currentIndex()); }
    QWidget* side() const { return sides_; }
    Segments* switcher() const { return switch_; }

signals:
    void sectionChosen();  // by the user

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    void retranslate();

    Segments* switch_;
    QStackedWidget *pages_, *sides_;
};

}  // namespace bscope::ui
