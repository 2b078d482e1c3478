// Files of integrations/pytorch/bubblescope_probe.py: probe_rank_R.jsonl, a header line and then a line an
// operation (docs/FILE_FORMATS.md).
#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <string>

#include "files/shallow_json.h"
#include "import/file_text.h"
#include "import/files_progress.h"
#include "import/import_error.h"
#include "import/ranks_of_run.h"
#include "import/readers.h"

namespace bscope {
namespace {

constexpr std::size_t kMostLine = 1 << 20;
constexpr std::int64_t kMostNumber = 1 << 30;

class ProbeFile {
public:
    explicit ProbeFile(const std::filesystem::path& file) { rank_.file = file.string(); }

    void line(const std::string& text) {
        ++line_;
        if (text.find_first_not_of(" \t\r") == std::string::npos) return;
        if (isTooDeepJson(text)) refuse(JsonTooDeep().said);
        simdjson::dom::element told;
        if (parser_.parse(text).get(told) != simdjson::SUCCESS) refuse(sentence("it is no JSON object"));
        if (line_ == 1) return header(told);
        std::string_view word;
        if (told["op"].get(word) != simdjson::SUCCESS) return;  // the end of an iteration
        const auto op = parseOp(word);
        if (!op || !(isCompute(*op) || *op == Op::OptimizerStep)) refuse(sentence("its \"op\" is none"));
        TracedOp& next = rank_.ops.emplace_back();
        next.op = *op;
        next.iteration = number(told, "i").value_or(0);
        next.stage = number(told, "s").value_or(-1);
        next.chunk = number(told, "c").value_or(-1);
        next.microbatch = number(told, "mb").value_or(-1);
        if (told["t0"].get(next.start_ns) != simdjson::SUCCESS ||
            told["t1"].get(next.end_ns) != simdjson::SUCCESS || next.start_ns < 0 ||
            next.end_ns > kFarthest_ns || next.end_ns < next.start_ns)
            refuse(sentence("it has no times \"t0\" and \"t1\", in ns"));
    }

    const TracedRank& rank() const { return rank_; }
    const std::string& host() const { return host_; }
    bool cuda() const { return cuda_; }
    int lines() const { return line_; }

private:
    [[noreturn]] void refuse(Sentence what) const {
        throw ImportError(sentence("{0}, line {1}: {2}", rank_.file, line_, std::move(what)));
    }
    std::optional<int> number(const simdjson::dom::element& told, const char* key) const {
        std::int64_t value = 0;
        if (told[key].get(value) != simdjson::SUCCESS) return std::nullopt;
        if (value < 0 || value > kMostNumber) refuse(sentence("it has an impossible \"{0}\"", key));
        return static_cast<int>(value);
    }
    void header(const simdjson::dom::element& told) {
        const auto version = number(told, "bubblescope_probe"), rank = number(told, "rank");
        if (version != 1) refuse(sentence("it is no header of the probe's version 1"));
        if (!rank) refuse(sentence("it does not say its \"rank\""));
        rank_.rank = *rank;
        rank_.job_ranks = number(told, "world_size").value_or(0);
        std::string_view word;
        if (told["host"].get(word) == simdjson::SUCCESS) host_ = word;
        cuda_ = told["clock"].get(word) == simdjson::SUCCESS && word == "cuda";
    }

    simdjson::dom::parser parser_;
    TracedRank rank_;
    std::string host_;
    bool cuda_ = false;
    int line_ = 0;
};

// A last line without its end is one that was being written.
void readLines(const std::filesystem::path& path, ProbeFile& file, const FilesProgress& progress) {
    FileText text(path);
    std::string held, piece(1 << 16, '\0');
    while (const std::size_t count = text.read(piece)) {
        std::size_t from = 0;
        for (std::size_t at = piece.find('\n'); at < count; at = piece.find('\n', from)) {
            held.append(piece, from, at - from);
            file.line(held);
            held.clear();
            from = at + 1;
        }
        held.append(piece, from, count - from);
        if (held.size() > kMostLine)
            throw ImportError(ofFile(path, sentence("a line is longer than any of the probe")));
        progress.tell(text.position());
    }
}

}  // namespace

TracedRun readProbe(std::span<const std::filesystem::path> paths, const ReadOptions& options) {
    FilesProgress progress(paths, options.progress);
    TracedRun run;
    run.source = "Bubblescope probe (PyTorch)";
    bool cuda = false, one_host = true;
    std::string host;
    std::vector<TracedRank> ranks;
    for (const auto& path : paths) {
        ProbeFile file(path);
        readLines(path, file, progress);
        progress.finish(path);
        if (file.lines() == 0) throw ImportError(ofFile(path, sentence("it is empty")));
        cuda = cuda || file.cuda();
        if (ranks.empty()) host = file.host();
        one_host = one_host && !host.empty() && file.host() == host;
        ranks.push_back(file.rank());
    }
    run.times = cuda ? Times::Told : Times::Host;
    run.clocks = one_host && !cuda ? Clocks::Shared : Clocks::PerRank;
    takeReplica(run, std::move(ranks), {}, options.replica);
    return run;
}

}  // namespace bscope
