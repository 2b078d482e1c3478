#include "analysis/event_graph.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "timeline/median.h"

namespace bscope {
namespace {

// When messages arrived. Files of other programs do not tell it of a message that was sent while its receiver
// still computed: its receive ends where the receiver went on. Such a message takes what the messages of its
// link usually take to receivers that were waiting for them when they were sent.
class UsualTransits {
public:
    UsualTransits(const Timeline& timeline, const IterationEvents& events)
        : imported_(timeline.provenance() == Provenance::Imported) {
        if (!imported_) return;
        std::map<Link, std::vector<double>> transits;
        std::vector<double> all;
        for (int rank = 0; rank < events.ranks(); ++rank)
            for (const Event& event : events.compute(rank)) {
                const EventRef receive = events.receiveOf(event);
                const EventRef producer = receive ? events.producerOf(*receive) : EventRef();
                if (!producer || isHidden(*receive, *producer)) continue;
                const std::int64_t arrival = std::min(receive->end_ns, event.start_ns);
                if (arrival < producer->end_ns) continue;
                all.push_back(static_cast<double>(arrival - producer->end_ns));
                transits[{producer->rank, event.rank}].push_back(all.back());
            }
        if (!all.empty()) usual_ns_ = std::llround(median(std::move(all)));
        for (auto& [link, times] : transits) of_links_[link] = std::llround(median(std::move(times)));
    }

    // At the latest when the receiver went on. `producer` is none of another iteration's.
    std::int64_t arrivalOf(const Event& event, const Event& receive, EventRef producer) const {
        const std::int64_t recorded = std::min(receive.end_ns, event.start_ns);
        if (!imported_ || !producer || !isHidden(receive, *producer)) return recorded;
        const auto link = of_links_.find({producer->rank, event.rank});
        return std::min(recorded, producer->end_ns + (link == of_links_.end() ? usual_ns_ : link->second));
    }

private:
    using Link = std::pair<int, int>;  // ranks, from and to
    static bool isHidden(const Event& receive, const Event& producer) {
        return receive.transfer_ns >= receive.end_ns && producer.end_ns < receive.start_ns;
    }

    bool imported_;
    std::int64_t usual_ns_ = 0;  // of all links
    std::map<Link, std::int64_t> of_links_;
};

}  // namespace

EventGraph::EventGraph(const Timeline& timeline, std::int32_t iteration, std::int64_t start_ns)
    : start_ns_(start_ns) {
    const IterationEvents events(timeline, iteration);
    std::size_t count = 0;
    for (int rank = 0; rank < events.ranks(); ++rank) count += events.compute(rank).size();
    nodes_.reserve(count);
    first_.push_back(0);
    for (int rank = 0; rank < events.ranks(); ++rank) {
        const EventSlice row = events.compute(rank);
        for (std::size_t i = 0; i < row.size(); ++i) {
            Node& node = nodes_.emplace_back();
            node.event = row.begin() + static_cast<std::ptrdiff_t>(i);
            if (i > 0) node.before = static_cast<int>(nodes_.size()) - 2;
        }
        first_.push_back(static_cast<int>(nodes_.size()));
    }
    connect(timeline, events);
    sort();
}

// The end of the one before it, also of another iteration; the start of the iteration without one.
std::int64_t EventGraph::rankFree(const Timeline& timeline, const Node& node) const {
    const Event event = *node.event;
    const bool is_first = node.event == timeline.compute(event.rank).begin();
    const std::int64_t free = is_first ? start_ns_ : std::max(start_ns_, (node.event - 1)->end_ns);
    return std::min(free, event.start_ns);
}

void EventGraph::connect(const Timeline& timeline, const IterationEvents& events) {
    const UsualTransits usual(timeline, events);
    for (int index = 0; index < static_cast<int>(nodes_.size()); ++index) {
        Node& node = nodes_[static_cast<std::size_t>(index)];
        const Event& event = *node.event;
        const std::int64_t rank_free = rankFree(timeline, node);
        node.free_ns = rank_free;
        if (isCompute(event.op) && (last_ == kNone || event.end_ns > this->node(last_).event->end_ns))
            last_ = index;
        const EventRef receive = events.receiveOf(event);
        if (!receive) continue;
        const EventRef producer = events.producerOf(*receive);
        const std::int64_t arrival = usual.arrivalOf(event, *receive, producer);
        const EventSlice row = producer ? events.compute(producer->rank) : EventSlice();
        const bool is_known = !row.empty() && producer >= row.begin() && producer < row.end();
        // Clocks that contradict each other: it was not waited for.
        if (is_known && producer->end_ns > arrival) continue;
        if (is_known) node.producer = first(producer->rank) + static_cast<int>(producer - row.begin());
        node.transit_ns = arrival - (is_known ? producer->end_ns : std::min(receive->transfer_ns, arrival));
        node.message_binds = arrival > rank_free;
        node.free_ns = std::max(rank_free, arrival);
    }
}

// Operations without length that wait for each other: one of them, first on its rank, did not wait.
int EventGraph::freeStuck(std::vector<int>& missing) {
    const auto isDone = [&](int index) { return missing[static_cast<std::size_t>(index)] == 0; };
    int index = 0;
    while (isDone(index) || (node(index).before != kNone && !isDone(node(index).before))) ++index;
    Node& stuck = nodes_[static_cast<std::size_t>(index)];
    stuck.producer = kNone;
    stuck.transit_ns = 0;
    stuck.message_binds = false;
    stuck.free_ns = stuck.event->start_ns;
    missing[static_cast<std::size_t>(index)] = 0;
    return index;
}

void EventGraph::sort() {
    std::vector<int> missing(nodes_.size(), 0), first_consumer(nodes_.size(), kNone),
        next_consumer(nodes_.size(), kNone);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        missing[i] = (nodes_[i].before != kNone) + (nodes_[i].producer != kNone);
        if (nodes_[i].producer == kNone) continue;
        const auto producer = static_cast<std::size_t>(nodes_[i].producer);
        next_consumer[i] = first_consumer[producer];
        first_consumer[producer] = static_cast<int>(i);
    }
    order_.reserve(nodes_.size());
    const auto arrived = [&](int index) {
        if (--missing[static_cast<std::size_t>(index)] == 0) order_.push_back(index);
    };
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        if (missing[i] == 0) order_.push_back(static_cast<int>(i));
    for (std::size_t done = 0; done < nodes_.size(); ++done) {
        if (done == order_.size()) {
            order_.push_back(freeStuck(missing));
        }
        const int index = order_[done];
        for (int each = first_consumer[static_cast<std::size_t>(index)]; each != kNone;
             each = next_consumer[static_cast<std::size_t>(each)])
            if (missing[static_cast<std::size_t>(each)] > 0 && node(each).producer == index) arrived(each);
        const int next = index + 1;
        if (next < static_cast<int>(nodes_.size()) && node(next).before == index) arrived(next);
    }
}

}  // namespace bscope
