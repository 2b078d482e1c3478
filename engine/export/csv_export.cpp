#include "export/csv_export.h"

namespace bscope {

void writeEventsCsv(std::ostream& out, const Timeline& timeline) {
    out << "provenance,iteration,rank,op,stage,microbatch,start_ns,end_ns,transfer_ns,bytes,disturbed,weight_"
           "version,staleness\n";
    const auto row = [&](const Event& e) {
        out << toText(timeline.provenance()) << ',' << e.iteration << ',' << e.rank << ',' << opText(e.op)
            << ',' << e.stage << ',' << e.microbatch << ',' << e.start_ns << ',' << e.end_ns << ',';
        if (isReceive(e.op)) out << e.transfer_ns;
        out << ',' << e.bytes << ',' << (e.disturbed ? 1 : 0) << ',';
        if (e.weight_version != kNoVersion)
            out << e.weight_version << ',' << e.staleness << '\n';
        else
            out << ",\n";
    };
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        for (const Event& e : timeline.compute(rank)) row(e);
        for (const Event& e : timeline.receives(rank)) row(e);
    }
}

}  // namespace bscope
