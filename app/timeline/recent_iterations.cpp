#include "app/timeline/recent_iterations.h"

#include <algorithm>
#include <vector>

#include "timeline/median.h"
#include "widgets/text/format.h"

namespace bscope::ui {

namespace {

std::size_t operationsIn(const Timeline& timeline) {
    std::size_t operations = 0;
    for (int rank = 0; rank < timeline.ranks(); ++rank) operations += timeline.compute(rank).size();
    return operations;
}

}  // namespace

RecentIterations::RecentIterations(Session& session, QObject* parent) : QObject(parent), session_(session) {
    next_.setSingleShot(true);
    next_.setInterval(0);
    connect(&next_, &QTimer::timeout, this, &RecentIterations::lookAtNext);
    connect(&session, &Session::barsChanged, this, &RecentIterations::begin);
    // What plays from a file completes iterations whose bars are there already.
    connect(&session, &Session::shownChanged, this, [this] {
        if (session_.history().newestComplete() != newest_) begin();
    });
}

// What is no longer there, or is of another configuration, is forgotten.
void RecentIterations::begin() {
    const RunHistory& history = session_.history();
    newest_ = history.newestComplete();
    const auto newest = history.ran(newest_);
    const std::shared_ptr<const IterationStart> start = newest ? newest->start : nullptr;
    const std::size_t before = looked_.size();
    if (start != start_) looked_.clear();
    start_ = start;
    std::erase_if(looked_, [&](const Looked& each) {
        const auto ran = history.ran(each.iteration);
        return !ran || ran->events != each.events;
    });
    if (looked_.size() != before) emit changed();
    if (start_) next_.start();
}

const RecentIterations::Looked* RecentIterations::find(std::int32_t iteration) const {
    const auto at = std::ranges::find(looked_, iteration, &Looked::iteration);
    return at == looked_.end() ? nullptr : &*at;
}

// The newest that is not known yet.
void RecentIterations::lookAtNext() {
    const RunHistory& history = session_.history();
    std::size_t places = kMost;
    for (std::int32_t iteration = history.newestComplete(); places > 0 && iteration >= 0; --places) {
        const auto ran = history.ran(iteration);
        if (!ran || ran->start != start_ || operationsIn(*ran->events) > kMostOperations) return;
        if (find(iteration) == nullptr) {
            Looked looked{iteration, ran->events,
                          std::make_shared<const PairedDurations>(
                              IterationPart{*ran->events, iteration, ran->first_microbatch}),
                          std::nullopt};
            if (!ran->is_stream) {
                const EventGraph graph(*ran->events, iteration, ran->events->begin_ns());
                looked.outliers = Usual(graph, RunHistory::factsOf(*ran->start, *ran->report)).outliers();
            }
            const auto later = std::ranges::find_if(
                looked_, [iteration](const Looked& each) { return each.iteration > iteration; });
            looked_.insert(later, std::move(looked));
            if (looked_.size() > kMost) looked_.pop_front();
            next_.start();
            return emit changed();
        }
        const std::int32_t earlier = history.neighbour(iteration, -1);
        if (earlier == iteration) return;
        iteration = earlier;
    }
}

IterationView RecentIterations::withDurations(IterationView view) const {
    const auto ran = session_.history().ran(view.iteration);
    const bool is_own = ran && ran->events == view.ran && ran->start == start_;
    const bool goes_on = view.now_ns >= 0 && start_ && view.config == start_->config;
    if (!is_own && !goes_on) return view;
    for (const Looked& each : looked_) view.recent.push_back(each.durations);
    return view;
}

std::optional<Straggler> RecentIterations::found() const {
    std::vector<Outliers> iterations;
    for (const Looked& each : looked_)
        if (each.outliers) iterations.push_back(*each.outliers);
    return stragglerOf(iterations);
}

QString RecentIterations::straggler(const Notation& notation) const {
    const auto found = this->found();
    if (!found) return {};
    const QString factor = numberText(found->factor, 2), count = QString::number(found->found_in),
                  of = QString::number(found->of);
    switch (found->kind) {
        case Straggler::Kind::Rank: {
            const QString rank = QString::number(found->index);
            const QString slow =
                found->twin >= 0 ? tr("rank %1 or its stage %2 slow, ×%3 (%4 of %5 iterations)")
                                       .arg(rank, QString::number(found->twin), factor, count, of)
                                 : tr("rank %1 slow, ×%2 (%3 of %4 iterations)").arg(rank, factor, count, of);
            if (!found->launch_gaps) return slow;
            return tr("%1, including %2 of launch gaps").arg(slow, shareText(*found->launch_gaps));
        }
        case Straggler::Kind::Stage:
            if (found->twin >= 0)
                return tr("stage %1 or its rank %2 slow, ×%3 (%4 of %5 iterations)")
                    .arg(QString::number(found->index), QString::number(found->twin), factor, count, of);
            return tr("stage %1 heavy, ×%2 (%3 of %4 iterations)")
                .arg(QString::number(found->index), factor, count, of);
        case Straggler::Kind::Microbatch:
            return tr("micro-batch %1 long, ×%2 (%3 of %4 iterations)")
                .arg(notation.microbatch(found->index), factor, count, of);
        case Straggler::Kind::Link:
            return tr("link %1 → %2 slow, ×%3 (%4 of %5 iterations)")
                .arg(QString::number(found->index), QString::number(found->to), factor, count, of);
    }
    return {};
}

std::optional<RecentIterations::Median> RecentIterations::median() const {
    const std::vector<IterationBar>& bars = session_.bars();
    if (bars.empty()) return std::nullopt;
    const int shown = session_.shownIteration();
    const auto own = std::ranges::find(bars, shown, &IterationBar::iteration);
    const IterationBar& like = own == bars.end() ? bars.back() : *own;
    std::vector<double> lengths;
    for (const IterationBar& bar : bars)
        if (bar.sharesBracket(like) && bar.since == like.since) lengths.push_back(bar.iteration_ms);
    Median found;
    found.of = static_cast<int>(lengths.size());
    found.median_ms = bscope::median(std::move(lengths));
    std::vector<double> kept_ms;
    std::vector<std::int32_t> kept;
    for (const IterationBar& bar : bars) {
        if (!bar.sharesBracket(like) || bar.since != like.since || !session_.history().ran(bar.iteration))
            continue;
        kept.push_back(bar.iteration);
        kept_ms.push_back(std::abs(bar.iteration_ms - found.median_ms));
    }
    if (kept.empty()) return std::nullopt;
    found.iteration = kept[static_cast<std::size_t>(std::ranges::min_element(kept_ms) - kept_ms.begin())];
    return found;
}

}  // namespace bscope::ui
