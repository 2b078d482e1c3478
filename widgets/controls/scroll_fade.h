// ScrollFade: the foot of a scrolled text or table fades out into its ground while there is more of it below,
// so that no line looks cut. Lives as a child of its scroll area. Window thread only.
#pragma once

#include <QAbstractScrollArea>

#include "widgets/controls/themed.h"

namespace bscope::ui {

class ScrollFade : public QWidget, public Themed {
    Q_OBJECT
public:
    // ground: the colour of the theme behind it.
    explicit ScrollFade(QAbstractScrollArea* area, QColor Theme::* ground = &Theme::panel);
    void followTheme() override { place(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;  // of the area's viewport
    void paintEvent(QPaintEvent*) override;

private:
    void place();

    QAbstractScrollArea* area_;
    QColor Theme::* ground_;
};

}  // namespace bscope::ui
