#include "widgets/figure/film.h"

#include <algorithm>
#include <cmath>

#include "view/changing_view.h"
#include "view/played_view.h"
#include "widgets/figure/figure_words.h"
#include "widgets/text/config_text.h"

namespace bscope::ui {
namespace {

// At the end the whole of it stands still: a share of the film, but not long.
constexpr double kStill = 0.15, kStill_s = 2;
// Of a change each of the two stands so long.
constexpr double kStands = 0.25;

// Slowly at both ends.
double eased(double share) {
    return share * share * (3 - 2 * share);
}

QString nameOfChange(const IterationView& from, const IterationView& to) {
    return Figure::tr("%1 → %2").arg(scheduleTitle(from.config.schedule), scheduleTitle(to.config.schedule));
}

}  // namespace

Film::Film(std::vector<IterationView> views, const FilmOptions& options)
    : views_(std::move(views)),
      options_(options),
      frames_(std::max(1, static_cast<int>(std::lround(options.seconds * options.fps)))) {
    FigureOptions& figure = options_.figure;
    figure.caption = figure.caption.value_or(CaptionLength::None);
    figure.transparent = false;
    figure.width_mm = 0;
    figure.scale = 1;
    for (const IterationView& view : views_)
        longest_ns_ = std::max(longest_ns_, static_cast<std::int64_t>(PreparedView(view).extent().to_ns));
    if (options_.kind == FilmKind::Growth) {
        painter_.emplace(views_, figure, 1);
        return;
    }
    for (IterationView& view : views_) view.beside.reset();
    figure.title = nameOfChange(views_[0], views_[1]);
    painter_.emplace(std::span(views_).first(1), figure, 1, std::span(views_).subspan(1));
}

QImage Film::frame(int index) {
    if (options_.kind == FilmKind::Change) return change(index / std::max(1.0, frames_ - 1.0));
    const double still = std::min(kStill * frames_, kStill_s * options_.fps);
    const double share = std::min(1.0, index / std::max(1.0, frames_ - 1 - still));
    painter_->show(moments(share));
    return painter_->image(1);
}

QImage Film::change(double share) {
    const double way = eased(std::clamp((share - kStands) / (1 - 2 * kStands), 0.0, 1.0));
    const bool moves = way > 0 && way < 1;
    const IterationView view = between(views_[0], views_[1], way);
    if (moves)
        painter_->showBetween(view);
    else
        painter_->show({&view, 1});
    const QString name = nameOfChange(views_[0], views_[1]);
    painter_->setTitle(moves ? Figure::tr("%1: on the way, at times of neither").arg(name) : name);
    return painter_->image(1);
}

std::vector<IterationView> Film::moments(double share) const {
    std::vector<IterationView> all;
    for (const IterationView& view : views_) {
        const std::int64_t now_ns =
            static_cast<std::int64_t>(share * static_cast<double>(longest_ns_)) - view.shift_ns();
        const std::int64_t end_ns = playedOf(view)->end_ns() - view.start_ns;
        all.push_back(now_ns >= end_ns ? view : playedUntil(view, std::max<std::int64_t>(0, now_ns)));
    }
    return all;
}

}  // namespace bscope::ui
