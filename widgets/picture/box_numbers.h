// BoxNumbers: which boxes carry the number of their micro-batch, and in which type. All boxes of one width,
// that is of one operation whose stages take about the same time, are treated alike: what decides is the
// usual width of such a box and the most digits of the iteration, not the rounded edges of the box itself. So
// a picture's numbers depend on its scale only. A value.
#pragma once

#include <QFont>
#include <vector>

#include "widgets/picture/picture.h"

namespace bscope::ui {

class BoxNumbers {
public:
    BoxNumbers(const Picture& picture, const PreparedView& group);
    // Null: boxes of this operation and stage are too narrow for one.
    const QFont* fontOf(Op op, int stage) const;
    double usualWidth(Op op, int stage) const;  // px

private:
    const PreparedView& group_;
    double px_per_ns_, least_;
    struct Type {
        QFont font;
        double room = 0;  // px that the widest number of the iteration needs
    };
    std::vector<Type> types_;  // the largest first
};

}  // namespace bscope::ui
