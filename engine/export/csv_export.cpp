#include "export/csv_export.h"

namespace bscope {

namespace {

// Where sequences are cut every operation on a micro-batch names its segment.
bool hasSegments(const Timeline& timeline) {
    for (int rank = 0; rank < timeline.ranks(); ++rank)
        for (const Event& event : timeline.compute(rank))
            if (event.microbatch >= 0) return event.segment >= 0;
    return false;
}

}  // namespace

void writeEventsCsv(std::ostream& out, const Timeline& timeline) {
    const bool cut = hasSegments(timeline);
    out << "provenance,iteration,rank,op,stage,microbatch,start_ns,end_ns,transfer_ns,bytes,disturbed,weight_"
           "version,staleness"
        << (cut ? ",segment\n" : "\n");
    const auto row = [&](const Event& e) {
        out << toText(timeline.provenance()) << ',' << e.iteration << ',' << e.rank << ',' << opText(e.op)
            << ',' << e.stage << ',' << e.microbatch << ',' << e.start_ns << ',' << e.end_ns << ',';
        if (isReceive(e.op)) out << e.transfer_ns;
        out << ',' << e.bytes << ',' << (e.disturbed ? 1 : 0) << ',';
        if (e.weight_version != kNoVersion)
            out << e.weight_version << ',' << e.staleness;
        else
            out << ',';
        if (cut) out << ',';
        if (e.segment >= 0) out << static_cast<int>(e.segment);
        out << '\n';
    };
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        for (const Event& e : timeline.compute(rank)) row(e);
        for (const Event& e : timeline.receives(rank)) row(e);
    }
}

}  // namespace bscope
