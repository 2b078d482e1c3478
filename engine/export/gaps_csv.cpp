#include "export/gaps_csv.h"

namespace bscope {

void writeGapsCsv(std::ostream& out, const BubbleCauses& causes) {
    out << "provenance,iteration,rank,start_ns,end_ns,next,cause";
    for (int cause = 0; cause < kBubbleCauses; ++cause)
        out << ',' << toText(static_cast<BubbleCause>(cause)) << "_ns";
    out << '\n';
    const IterationSummary& summary = causes.summary();
    for (const Gap& gap : causes.gaps()) {
        out << toText(summary.provenance) << ',' << summary.iteration << ',' << gap.rank << ','
            << gap.start_ns << ',' << gap.end_ns << ',' << (gap.next ? toText(*gap.next) : "") << ','
            << toText(gap.cause);
        for (const std::int64_t part : gap.parts) out << ',' << part;
        out << '\n';
    }
}

}  // namespace bscope
