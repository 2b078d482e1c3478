#include "kernels/plugin/graph_cache.h"

namespace bscope {

namespace {
// Sequences of a rank: stages times operations times micro-batches in flight. More come only where addresses
// change all the time, and then the old ones are of no use.
constexpr std::size_t kMost = 4096;
}  // namespace

void GraphCache::run(const std::function<void()>& work) {
    record(work);
    if (operations_.empty()) return;
    if (sequences_.size() >= kMost && !sequences_.contains(key_)) forget();
    Sequence& sequence = sequences_[key_];
    if (!sequence.seen) {
        handAllOver();
        sequence.seen = true;
        return;
    }
    if (sequence.graph == nullptr) sequence.graph = capture();
    check(api_.graph_launch(sequence.graph, stream_));
}

void GraphCache::record(const std::function<void()>& work) {
    key_.clear();
    operations_.clear();
    recording_ = true;
    try {
        work();
    } catch (...) {
        recording_ = false;
        throw;
    }
    recording_ = false;
}

void GraphCache::handAllOver() {
    for (const AnyOperation& any : operations_)
        std::visit([this](const auto& operation) { handOver(api_, ops_, operation); }, any);
}

BscopeGraph* GraphCache::capture() {
    BscopeGraph* graph = nullptr;
    check(api_.graph_begin(stream_));
    try {
        handAllOver();
    } catch (...) {
        if (api_.graph_end(stream_, &graph) == nullptr) api_.graph_close(graph);
        throw;
    }
    check(api_.graph_end(stream_, &graph));
    return graph;
}

void GraphCache::forget() {
    for (const auto& [key, sequence] : sequences_)
        if (sequence.graph != nullptr) api_.graph_close(sequence.graph);
    sequences_.clear();
}

}  // namespace bscope
