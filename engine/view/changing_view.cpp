#include "view/changing_view.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "timeline/iteration_events.h"
#include "view/played_view.h"

namespace bscope {

namespace {

// Relative to the start of its iteration.
struct Span {
    double start_ns = 0, end_ns = 0;
    Span part(double first, double past) const {
        const double length = end_ns - start_ns;
        return {start_ns + first * length, start_ns + past * length};
    }
};

class Operations {
public:
    // rank, stage, operation, micro-batch in the iteration, segment
    using Key = std::tuple<int, int, Op, int, std::int8_t>;

    explicit Operations(const IterationView& view) {
        const Timeline& events = *playedOf(view);
        for (int rank = 0; rank < events.ranks(); ++rank)
            for (const Event& event : ofIteration(events.compute(rank), view.iteration))
                spans_[keyOf(view, event)] = {static_cast<double>(event.start_ns - view.start_ns),
                                              static_cast<double>(event.end_ns - view.start_ns)};
    }
    static Key keyOf(const IterationView& view, const Event& event) {
        const int microbatch = event.microbatch < 0 ? -1 : view.microbatchInIteration(event.microbatch);
        return {event.rank, event.stage, event.op, microbatch, event.segment};
    }
    std::size_t size() const { return spans_.size(); }
    std::optional<Span> of(const Key& key) const {
        const auto found = spans_.find(key);
        return found == spans_.end() ? std::nullopt : std::optional(found->second);
    }
    std::optional<Span> of(Key key, Op op) const {
        std::get<Op>(key) = op;
        return of(key);
    }
    // Where an operation of `other` is here, which may have it in one piece with another one, or not at all.
    std::optional<Span> placeOf(const Key& key, const Operations& other) const {
        if (const auto own = of(key)) return own;
        const Op op = std::get<Op>(key);
        const auto whole = of(key, Op::Backward);
        if (op == Op::Recompute && (whole || of(key, Op::BackwardInput)))
            return (whole ? whole : of(key, Op::BackwardInput))->part(0, 0);
        const auto input = other.of(key, Op::BackwardInput), weight = other.of(key, Op::BackwardWeight);
        if (!whole || !input || !weight) return std::nullopt;
        const double i = input->end_ns - input->start_ns, w = weight->end_ns - weight->start_ns;
        const double cut = i + w > 0 ? i / (i + w) : 0.5;
        return op == Op::BackwardInput ? whole->part(0, cut) : whole->part(cut, 1);
    }
    // (rank, stage) of all, and the micro-batches.
    std::pair<std::set<std::pair<int, int>>, std::set<int>> parts() const {
        std::pair<std::set<std::pair<int, int>>, std::set<int>> all;
        for (const auto& [key, span] : spans_) {
            if (std::get<3>(key) < 0) continue;
            all.first.emplace(std::get<0>(key), std::get<1>(key));
            all.second.insert(std::get<3>(key));
        }
        return all;
    }

private:
    std::map<Key, Span> spans_;
};

}  // namespace

Sentence changeRefusal(const IterationView& from, const IterationView& to) {
    if (Operations(from).parts() != Operations(to).parts())
        return sentence(
            "boxes can only move between iterations with the same stages on the same ranks and the same "
            "micro-batches (such as gpipe, 1f1b and zb-h1 of one p and m)");
    return {};
}

IterationView between(const IterationView& from, const IterationView& to, double share) {
    if (share <= 0) return from;
    if (share >= 1) return to;
    const Operations first(from), second(to);
    const bool by_second = second.size() >= first.size();  // which has more pieces
    const IterationView& pieces = by_second ? to : from;
    const Operations &own = by_second ? second : first, &other = by_second ? first : second;

    IterationView view = share < 0.5 ? from : to;
    const Timeline& events = *playedOf(pieces);
    auto moved = std::make_shared<Timeline>(events.ranks(), playedOf(view)->provenance());
    for (int rank = 0; rank < events.ranks(); ++rank) {
        std::vector<Event> row;
        for (Event event : ofIteration(events.compute(rank), pieces.iteration)) {
            const Operations::Key key = Operations::keyOf(pieces, event);
            const Span here = *own.of(key);
            const Span there = other.placeOf(key, own).value_or(here.part(0, 0));
            const double way = by_second ? 1 - share : share;  // from `here` to `there`
            const auto mixed = [way](double a, double b) { return a + way * (b - a); };
            event.iteration = view.iteration;
            event.start_ns = view.start_ns + static_cast<std::int64_t>(mixed(here.start_ns, there.start_ns));
            event.end_ns = std::max(event.start_ns,
                                    view.start_ns + static_cast<std::int64_t>(mixed(here.end_ns, there.end_ns)));
            row.push_back(event);
        }
        std::ranges::stable_sort(row, {}, &Event::start_ns);
        for (const Event& event : row) moved->append(event);
    }
    view.ran = moved;
    view.planned = std::make_shared<const Timeline>(events.ranks());
    view.before = view.after = nullptr;
    view.summary.reset();
    view.report.reset();
    view.analysis.reset();
    view.kernels.reset();
    view.summed.reset();
    view.first_microbatch = pieces.first_microbatch;
    view.numbers_hidden = view.unexplained = true;
    return view;
}

}  // namespace bscope
