// ScrollFade: the foot of a scrolled text fades out while there is more of it below, so that no line looks
// cut. Lives as a child of its scroll area. Window thread only.
#pragma once

#include <QScrollArea>

#include "widgets/controls/themed.h"

namespace bscope::ui {

class ScrollFade : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit ScrollFade(QScrollArea* area);
    void followTheme() override { place(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;  // of the area's viewport
    void paintEvent(QPaintEvent*) override;

private:
    void place();

    QScrollArea* area_;
};

}  // namespace bscope::ui
