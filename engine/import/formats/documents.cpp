#include "import/formats/documents.h"

#include <algorithm>
#include <map>
#include <utility>

#include "import/trace/import_error.h"
#include "import/ranks_of_run.h"

namespace bscope {
namespace {

// Nothing here says which ranks they are of, and one rank does not run twice at once.
void requireApart(std::vector<RawTrace>& traces) {
    std::vector<HostRange> spans;
    for (RawTrace& trace : traces)
        if (trace.rank < 0) spans.push_back(trace.span());
    std::ranges::sort(spans, {}, &HostRange::start_ns);
    for (std::size_t at = 1; at < spans.size(); ++at)
        if (spans[at].start_ns < spans[at - 1].end_ns)
            throw ImportError(
                ofFile(traces.front().file,
                       sentence("it holds {0} traces of the same time that do not say their ranks: split it "
                                "into one file per rank (rank0.json, rank1.json, ...)",
                                spans.size())));
}

}  // namespace

std::vector<RawTrace> lastDocuments(std::vector<RawTrace> documents, std::vector<Sentence>& notes) {
    const int of_name = rankInName(documents.front().file);
    std::vector<RawTrace> traces;
    for (RawTrace& document : documents)
        if (!document.holdsNothing() || (traces.empty() && &document == &documents.back()))
            traces.push_back(std::move(document));
    requireApart(traces);
    std::map<int, std::size_t> last;  // by rank
    for (std::size_t at = 0; at < traces.size(); ++at) {
        if (traces[at].rank < 0) traces[at].rank = of_name;
        last[traces[at].rank] = at;
    }
    if (last.size() < traces.size())
        notes.push_back(severalTracesNote(traces.front().file, traces.size()));
    std::vector<RawTrace> kept;
    for (const auto& [rank, at] : last) kept.push_back(std::move(traces[at]));
    return kept;
}

}  // namespace bscope
