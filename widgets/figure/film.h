// Film: iterations as they grew, frame by frame: what had ended by then over the plan, at the speed that
// makes the longest of them last as long as the film, then all of it whole for a while. Or a change from one
// iteration to another: the boxes go from where the first one has them to where the second one has them, and
// the title says that the times between are of neither. Every frame has the badge, and the legend of all that
// any of them draws. Window thread only.
#pragma once

#include <QImage>
#include <optional>
#include <vector>

#include "widgets/figure/figure_painter.h"

namespace bscope::ui {

enum class FilmKind { Growth, Change };

struct FilmOptions {
    static constexpr double kLeast_s = 1, kMost_s = 600;
    static constexpr int kLeastRate = 1, kMostRate = 60;

    FigureOptions figure;  // of size_px; no caption unless one is asked for
    double seconds = 12;
    int fps = 30;
    FilmKind kind = FilmKind::Growth;
};

class Film {
public:
    // views: each complete or a plan (canBePlayed); of a change two (changeRefusal).
    Film(std::vector<IterationView> views, const FilmOptions& options);

    int frames() const { return frames_; }
    int fps() const { return options_.fps; }
    QSize size() const { return painter_->size().toSize(); }
    // 0..frames() - 1
    QImage frame(int index) { return shown(index).image(1); }
    // What draws it.
    const FigurePainter& shown(int index);

private:
    // Of what grows, 0..1.
    double shareAt(int index) const;
    // Of one of views_, as it was then: relative to its start; nullopt: it is whole.
    std::optional<std::int64_t> timeOf(const IterationView& view, double share) const;
    std::vector<IterationView> moments(double share) const;
    // Of these and of the whole is everything that any frame draws.
    std::vector<IterationView> firstAndLastMoments() const;
    // share: of the film
    void change(double share);

    std::vector<IterationView> views_;
    FilmOptions options_;
    int frames_;
    std::int64_t longest_ns_ = 1;
    std::optional<FigurePainter> painter_;
};

}  // namespace bscope::ui
