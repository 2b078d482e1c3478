// PaintThreads: the parts of one picture, painted by as many threads as the machine has cores. Only where the
// painter ends in an image, which its threads share; elsewhere the caller's thread paints all of them in
// order. Called by one thread, which returns when everything is painted.
#pragma once

#include <QPainter>
#include <QThreadPool>
#include <functional>

namespace bscope::ui {

class PaintThreads {
public:
    PaintThreads();

    // paint(own, part) for every part below `parts`, `own` being a painter like the given one but for its
    // state of pen, brush, font and clip. Parts touch different pixels, and change nothing else that two of
    // them read.
    void paint(QPainter& painter, std::size_t parts,
               const std::function<void(QPainter&, std::size_t)>& paint);

private:
    QThreadPool helpers_;
};

}  // namespace bscope::ui
