// Timeline: rows of events, one row a rank, append-only. The ghost, a live run and a recording are all this
// type and are drawn and analysed by the same code. Prefix sums per row and operation give the exact busy
// share of any time range in O(log n). One thread at a time; the window appends on its tick and reads in
// paint.
#pragma once

#include <cstdint>
#include <vector>

#include "timeline/event.h"
#include "timeline/packed_rows.h"
#include "timeline/running_totals.h"

namespace bscope {

class Timeline {
public:
    explicit Timeline(int ranks = 0, Provenance provenance = Provenance::Predicted);

    // Compute events of one rank must come in order of start, memory points in order of time; receives may
    // come late and are put in their place (a hidden transfer is known only when its consumer runs). Throws
    // std::invalid_argument otherwise, for a rank outside 0..ranks-1 and for a sum of durations beyond all
    // time; nothing is appended then.
    void append(const Event& event);
    void append(const MemoryPoint& point);
    // So many events and memory points of a rank will come: they are appended without moving what is there.
    void reserve(int rank, std::size_t compute, std::size_t receives, std::size_t memory);

    int ranks() const { return static_cast<int>(rows_.size()); }
    Provenance provenance() const { return provenance_; }
    // Compute, recompute and optimizer events of a rank, by start.
    EventSlice compute(int rank) const { return whole(rows_[index(rank)].compute); }
    // Receive events of a rank, by start.
    EventSlice receives(int rank) const { return whole(rows_[index(rank)].receives); }
    MemoryPoints memory(int rank) const { return whole(rows_[index(rank)].memory); }

    std::int64_t begin_ns() const {
        return empty_ ? 0 : begin_ns_;
    }                                                             // least start over all events, 0 when empty
    std::int64_t end_ns() const { return empty_ ? 0 : end_ns_; }  // greatest end over all events
    bool empty() const { return empty_; }                         // no events

    // Nanoseconds of [from, to) in which the rank ran compute operations (F, B, I, W, R; not the optimizer).
    std::int64_t busy_ns(int rank, std::int64_t from_ns, std::int64_t to_ns) const;
    // The same for one operation.
    std::int64_t busy_ns(int rank, Op op, std::int64_t from_ns, std::int64_t to_ns) const;
    // First compute event of the row with end > time_ns; index into compute(rank), may be one past the last.
    std::size_t firstEndingAfter(int rank, std::int64_t time_ns) const;
    using Totals = RunningTotals::Totals;
    static constexpr std::size_t total(Op op) { return RunningTotals::place(op); }
    // Of the rank's first `count` compute events: drawing walks neighbouring pixel columns with it, one step
    // a column instead of two searches.
    Totals totals_ns(int rank, std::size_t count) const;
    // The walk needs this count soon.
    void prefetchTotals(int rank, std::size_t count) const {
        const Row& row = rows_[index(rank)];
        if (count >= row.compute.size()) return;
        row.compute.prefetch(count);
        row.before.prefetch(count / kBlock);
    }

private:
    static constexpr std::size_t kBlock = RunningTotals::kBlock;
    struct Row {
        PackedEvents compute, receives;
        PackedMemory memory;
        RunningTotals before;  // of compute
        Totals all{};
    };
    template <class Packed>
    static Slice<Packed> whole(const Packed& row) {
        return {row, 0, row.size()};
    }
    static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
    Row& row(int rank) {
        if (rank < 0 || rank >= ranks()) refuseRank(rank);
        return rows_[index(rank)];
    }
    [[noreturn]] void refuseRank(int rank) const;

    std::vector<Row> rows_;
    Provenance provenance_;
    bool empty_ = true;
    std::int64_t begin_ns_ = 0, end_ns_ = 0;
};

}  // namespace bscope
