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
    for (IterationView& view : views_) {
        const PreparedView whole(view);
        longest_ns_ = std::max(longest_ns_, static_cast<std::int64_t>(whole.extent().to_ns));
        view.analysis = whole.analysis();
    }
    if (options_.kind == FilmKind::Growth) {
        painter_.emplace(views_, figure, 1, firstAndLastMoments());
        return;
    }
    for (IterationView& view : views_) view.beside.reset();
    figure.title = nameOfChange(views_[0], views_[1]);
    painter_.emplace(std::span(views_).first(1), figure, 1, std::span(views_).subspan(1));
}

const FigurePainter& Film::shown(int index) {
    if (options_.kind == FilmKind::Change)
        change(index / std::max(1.0, frames_ - 1.0));
    else
        painter_->show(moments(shareAt(index)));
    return *painter_;
}

double Film::shareAt(int index) const {
    const double still = std::min(kStill * frames_, kStill_s * options_.fps);
    return std::min(1.0, index / std::max(1.0, frames_ - 1 - still));
}

void Film::change(double share) {
    const double way = eased(std::clamp((share - kStands) / (1 - 2 * kStands), 0.0, 1.0));
    const bool moves = way > 0 && way < 1;
    const IterationView view = between(views_[0], views_[1], way);
    if (moves)
        painter_->showBetween(view);
    else
        painter_->show({&view, 1});
    const QString name = nameOfChange(views_[0], views_[1]);
    painter_->setTitle(moves ? Figure::tr("%1: on the way, at times of neither").arg(name) : name);
}

std::optional<std::int64_t> Film::timeOf(const IterationView& view, double share) const {
    const std::int64_t now_ns =
        static_cast<std::int64_t>(share * static_cast<double>(longest_ns_)) - view.shift_ns();
    if (now_ns >= playedOf(view)->end_ns() - view.start_ns) return std::nullopt;
    return std::max<std::int64_t>(0, now_ns);
}

std::vector<IterationView> Film::moments(double share) const {
    std::vector<IterationView> all;
    for (const IterationView& view : views_) {
        const auto time_ns = timeOf(view, share);
        all.push_back(time_ns ? playedUntil(view, *time_ns) : view);
        all.back().analysis = view.analysis;  // a gap's cause is what came out as its cause, from the first
        all.back().unexplained = view.analysis == nullptr;
    }
    return all;
}

std::vector<IterationView> Film::firstAndLastMoments() const {
    std::vector<IterationView> all = moments(0);
    for (const IterationView& view : views_) {
        int last = frames_ - 1;
        while (last > 0 && !timeOf(view, shareAt(last))) --last;
        const std::vector<IterationView> then = moments(shareAt(last));
        all.insert(all.end(), then.begin(), then.end());
    }
    return all;
}

}  // namespace bscope::ui
