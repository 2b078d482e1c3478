#include "analysis/critical_path.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "schedule/index.h"

namespace bscope {

std::int64_t CriticalPath::length_ns() const {
    return std::accumulate(time_ns.begin(), time_ns.end(), messages_ns + pauses_ns);
}

CriticalPath criticalPath(const EventGraph& graph) {
    CriticalPath path;
    for (int index = graph.last(); index != EventGraph::kNone; index = graph.node(index).reason()) {
        const EventGraph::Node& node = graph.node(index);
        path.nodes.push_back(index);
        path.time_ns[static_cast<std::size_t>(node.event->op)] += node.event->duration_ns();
        path.pauses_ns += node.pause_ns();
        if (node.message_binds) path.messages_ns += node.transit_ns;
    }
    std::ranges::reverse(path.nodes);
    return path;
}

std::vector<std::int64_t> slack(const EventGraph& graph) {
    constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
    if (graph.last() == EventGraph::kNone) return std::vector<std::int64_t>(graph.nodes().size(), kNever);
    const std::int64_t end_ns = graph.node(graph.last()).event->end_ns;
    std::vector<std::int64_t> latest_end;
    for (const EventGraph::Node& node : graph.nodes())
        latest_end.push_back(isCompute(node.event->op) ? end_ns : kNever);
    const std::span<const int> order = graph.order();
    for (auto each = order.rbegin(); each != order.rend(); ++each) {
        const EventGraph::Node& node = graph.node(*each);
        if (latest_end[at(*each)] == kNever) continue;
        const std::int64_t latest_start = latest_end[at(*each)] - node.event->duration_ns() - node.pause_ns();
        const auto mustEndBy = [&](int index, std::int64_t time_ns) {
            if (index != EventGraph::kNone) latest_end[at(index)] = std::min(latest_end[at(index)], time_ns);
        };
        mustEndBy(node.before, latest_start);
        mustEndBy(node.producer, latest_start - node.transit_ns);
    }
    for (std::size_t i = 0; i < latest_end.size(); ++i)
        if (latest_end[i] != kNever)
            latest_end[i] = std::max<std::int64_t>(0, latest_end[i] - graph.nodes()[i].event->end_ns);
    return latest_end;
}

}  // namespace bscope
