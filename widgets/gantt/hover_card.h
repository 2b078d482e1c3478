// HoverCard: the small window beside a box or a gap, never over it, nor where something else is, if there is
// room elsewhere. Takes no mouse events. Window thread only.
#pragma once

#include <QFrame>

#include "widgets/picture/describe.h"
#include "widgets/theme/theme.h"

class QLabel;

namespace bscope::ui {

class HoverCard : public QFrame {
    Q_OBJECT
public:
    explicit HoverCard(QWidget* parent);
    void followTheme();
    // Right or left of the place and within its lane, so that no other rank is covered; where neither side
    // has room, below or above it. Inside the parent. `taken`: by something else, empty if none.
    void showBeside(const QRectF& place, const QRectF& lane, const Description& description,
                    const QRect& taken);
    QString text() const;

private:
    QPoint placeFor(const QRectF& place, const QRectF& lane, const QRect& taken) const;

    QLabel* title_;
    QLabel* lines_;
    int distance_ = 8;
};

}  // namespace bscope::ui
