// Files of integrations/pytorch/bubblescope_probe.py: probe_rank_R.jsonl, a header line and then a line an
// operation (docs/FILE_FORMATS.md).
#include <simdjson.h>
#include <zlib.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "files/shallow_json.h"
#include "import/formats/file_text.h"
#include "import/formats/files_progress.h"
#include "import/trace/import_error.h"
#include "import/ranks_of_run.h"
#include "import/readers.h"

namespace bscope {
namespace {

constexpr std::size_t kMostLine = 1 << 20;
constexpr std::int64_t kMostNumber = 1 << 30;
constexpr std::uintmax_t kMostEndLine = 128;  // that of an end of an iteration is shorter

class ProbeFile {
public:
    explicit ProbeFile(const std::filesystem::path& file) { rank_.file = file.string(); }

    void line(const std::string& text) {
        ++line_;
        offset_ += text.size() + 1;
        take(text);
        crc_ = std::exchange(ended_here_, false) ? 0 : crcWith(crcWith(crc_, text), "\n");
    }

    // As if everything up to there had been read, without its operations.
    void goOn(const GrowingFile& from) {
        std::istringstream head(from.head);
        for (std::string text; std::getline(head, text);) line(text);
        const IterationEnd& end = from.ends.front();
        line_ = end.line;
        offset_ = end.offset;
        ended_ = end.iteration;
        crc_ = 0;
    }
    GrowingFile growing() const { return {rank_.file, head_, ends_}; }

    TracedRank& rank() { return rank_; }
    std::vector<TracedOp>& evaluation() { return evaluation_; }  // forwards that no backward follows
    // Iterations whose lines are not those that the probe wrote; of them this file has no operation.
    const std::set<int>& altered() const { return altered_; }
    bool hasChecksums() const { return has_checksums_; }
    const std::vector<int>& pipeline() const { return pipeline_; }
    const std::string& host() const { return host_; }
    int jobRanks() const { return rank_.job_ranks; }  // 0: the file does not say
    bool cuda() const { return cuda_; }
    int lines() const { return line_; }
    bool endsIterations() const { return tells_ends_ || ended_ >= 0; }
    bool counts(const TracedOp& op) const { return closed_ || op.iteration <= ended_; }

    void noteWhatIsMissing(std::vector<Sentence>& notes) const {
        if (runs_ > 1) notes.push_back(severalRunsNote(rank_.file, runs_));
        if (doubled_ > 0)
            notes.push_back(
                sentence("{0} holds operations twice, one within the other, as attach() called twice writes "
                         "them: each "
                         "is counted once",
                         rank_.file));
        if (full_)
            notes.push_back(sentence(
                "{0} has reached the byte limit of the probe: what came after is not in it", rank_.file));
    }
    int every() const { return every_; }

private:
    void take(const std::string& text) {
        if (text.find_first_not_of(" \t\r") == std::string::npos) return;
        if (isTooDeepJson(text)) refuse(JsonTooDeep().said);
        simdjson::dom::element parsed;
        if (parser_.parse(text).get(parsed) != simdjson::SUCCESS) refuse(sentence("it is no JSON object"));
        if (line_ == 1) {
            keepInHead(text);
            return header(parsed);
        }
        std::string_view word;
        if (parsed["bubblescope_probe"].error() == simdjson::SUCCESS) return anotherRun(parsed, text);
        if (parsed["op"].get(word) != simdjson::SUCCESS) return other(parsed, text);
        const auto op = parseOp(word);
        if (!op || !(isCompute(*op) || *op == Op::OptimizerStep))
            refuse(sentence("its \"op\" is not an operation"));
        TracedOp next;
        next.op = *op;
        next.iteration = number(parsed, "i").value_or(0);
        next.stage = number(parsed, "s").value_or(-1);
        next.chunk = number(parsed, "c").value_or(-1);
        next.microbatch = number(parsed, "mb").value_or(-1);
        if (parsed["t0"].get(next.start_ns) != simdjson::SUCCESS ||
            parsed["t1"].get(next.end_ns) != simdjson::SUCCESS || next.start_ns < 0 ||
            next.end_ns > kFarthest_ns || next.end_ns < next.start_ns)
            refuse(sentence("it has no times \"t0\" and \"t1\", in ns"));
        keep(next, isTrue(parsed, "eval") ? evaluation_ : rank_.ops);
    }
    [[noreturn]] void refuse(Sentence what) const {
        throw ImportError(sentence("{0}, line {1}: {2}", rank_.file, line_, std::move(what)));
    }
    std::optional<int> number(const simdjson::dom::element& parsed, const char* key) const {
        std::int64_t value = 0;
        if (parsed[key].get(value) != simdjson::SUCCESS) return std::nullopt;
        if (value < 0 || value > kMostNumber) refuse(sentence("it has an impossible \"{0}\"", key));
        return static_cast<int>(value);
    }
    static bool isTrue(const simdjson::dom::element& parsed, const char* key) {
        bool value = false;
        return parsed[key].get(value) == simdjson::SUCCESS && value;
    }
    // Two wrappers around one operation: the inner one has ended, and so is written, first.
    void keep(const TracedOp& next, std::vector<TracedOp>& ops) {
        if (!ops.empty()) {
            const TracedOp& inner = ops.back();
            const auto named = [](const TracedOp& op) {
                return std::tie(op.op, op.iteration, op.stage, op.chunk, op.microbatch);
            };
            if (named(inner) == named(next) && next.start_ns <= inner.start_ns &&
                next.end_ns >= inner.end_ns) {
                ++doubled_;
                return;
            }
        }
        ops.push_back(next);
    }
    void header(const simdjson::dom::element& parsed) {
        const auto version = number(parsed, "bubblescope_probe"), rank = number(parsed, "rank");
        if (version != 1) refuse(sentence("it is no header of the probe's version 1"));
        if (!rank) refuse(sentence("it does not say its \"rank\""));
        rank_.rank = *rank;
        rank_.job_ranks = number(parsed, "world_size").value_or(0);
        const auto every = number(parsed, "every");
        every_ = every.value_or(1);
        tells_ends_ = every.has_value();
        std::string_view word;
        has_checksums_ = parsed["checksum"].get(word) == simdjson::SUCCESS && word == "crc32";
        if (parsed["host"].get(word) == simdjson::SUCCESS) host_ = word;
        cuda_ = parsed["clock"].get(word) == simdjson::SUCCESS && word == "cuda";
    }
    // A file that another run was written behind: what came before is that of an older one.
    void anotherRun(const simdjson::dom::element& object, const std::string& text) {
        const int before = rank_.rank;
        std::string file = std::move(rank_.file);
        rank_ = {};
        rank_.file = std::move(file);
        evaluation_.clear();
        pipeline_.clear();
        ends_.clear();
        head_.clear();
        closed_ = full_ = false;
        ended_ = -1;
        doubled_ = 0;
        crc_ = 0;
        since_end_ = {};
        altered_.clear();
        ++runs_;
        keepInHead(text);
        header(object);
        if (rank_.rank != before) refuse(sentence("it is of rank {0}, and the file of rank {1}", rank_.rank, before));
    }
    void keepInHead(const std::string& text) { head_ += text + '\n'; }
    static std::uint32_t crcWith(std::uint32_t crc, std::string_view text) {
        return static_cast<std::uint32_t>(
            crc32(crc, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
    }
    // An older probe writes no checksum, and then nothing is known.
    bool isAsWritten(const simdjson::dom::element& end, const std::string& text) {
        std::uint64_t stated = 0;
        const bool has_one = end["crc"].get(stated) == simdjson::SUCCESS;
        if (!has_one) return !has_checksums_;
        has_checksums_ = true;
        const std::size_t at = text.rfind(",\"crc\":");
        return at != std::string::npos && crcWith(crc_, std::string_view(text).substr(0, at)) == stated;
    }
    // Everything since the end before it, as which line was altered is not known; a number that is too great
    // for its place may be what was altered.
    void leaveOut(int iteration) {
        std::set<int> here;
        for (std::size_t at = since_end_.ops; at < rank_.ops.size(); ++at)
            if (const int of = rank_.ops[at].iteration;
                of > ended_ && (of <= iteration || iteration <= ended_))
                here.insert(of);
        if (here.empty()) here.insert(iteration);
        altered_.merge(here);
        rank_.ops.resize(since_end_.ops);
        evaluation_.resize(since_end_.evaluation);
    }
    // The end of an iteration, of the file or of the recording; the ranks of the pipeline.
    void other(const simdjson::dom::element& parsed, const std::string& text) {
        if (isTrue(parsed, "end")) {
            const int iteration = number(parsed, "i").value_or(0);
            if (isAsWritten(parsed, text)) {
                ended_ = std::max(ended_, iteration);
                ends_.push_back({ended_, line_, offset_});
            } else {
                leaveOut(iteration);
            }
            since_end_ = {rank_.ops.size(), evaluation_.size()};
            ended_here_ = true;
        }
        closed_ = closed_ || isTrue(parsed, "closed");
        full_ = full_ || isTrue(parsed, "full");
        simdjson::dom::array ranks;
        if (parsed["pipeline"].get(ranks) != simdjson::SUCCESS) return;
        keepInHead(text);
        pipeline_.clear();
        for (const simdjson::dom::element each : ranks) {
            std::int64_t rank = -1;
            if (each.get(rank) != simdjson::SUCCESS || rank < 0 || rank > kMostNumber ||
                std::ranges::find(pipeline_, rank) != pipeline_.end())
                refuse(sentence("it has an impossible \"{0}\"", "pipeline"));
            pipeline_.push_back(static_cast<int>(rank));
        }
        if (std::ranges::find(pipeline_, rank_.rank) == pipeline_.end())
            refuse(sentence("it has an impossible \"{0}\"", "pipeline"));
    }

    simdjson::dom::parser parser_;
    TracedRank rank_;
    std::vector<TracedOp> evaluation_;
    std::vector<int> pipeline_;  // ranks in the order of its stages; empty: not recorded
    std::string host_;
    bool cuda_ = false, closed_ = false, full_ = false;
    bool tells_ends_ = false;  // of iterations and of the file, as probes that say `every` do
    std::string head_;
    std::vector<IterationEnd> ends_;
    struct Place {
        std::size_t ops = 0, evaluation = 0;
    } since_end_;  // of an iteration, where what came since begins
    bool has_checksums_ = false, ended_here_ = false;
    std::uint32_t crc_ = 0;  // of what came since
    std::set<int> altered_;
    std::uintmax_t offset_ = 0;  // behind the line
    int line_ = 0, every_ = 1, ended_ = -1, doubled_ = 0, runs_ = 1;
};

// A last line without its end is one that was being written.
void readLines(const std::filesystem::path& path, ProbeFile& file, const FilesProgress& progress,
               const GrowingFile* since) {
    FileText text(path);
    if (since != nullptr && text.goTo(since->ends.front().offset)) file.goOn(*since);
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
        progress.report(text.position());
    }
}

// The files of the last reading, and the iteration with which it ended still stands there: a training that
// was started anew writes others under the same names.
bool areThose(std::span<const std::filesystem::path> paths, const GrowingFiles& since) {
    if (paths.size() != since.files.size()) return false;
    for (std::size_t at = 0; at < paths.size(); ++at) {
        const GrowingFile& file = since.files[at];
        if (file.path != paths[at].string() || file.ends.size() != 1) return false;
        const IterationEnd& end = file.ends.front();
        if (end.offset < file.head.size()) return false;
        FileText text(paths[at]);
        std::string found(std::min<std::uintmax_t>(end.offset, kMostEndLine), '\0');
        if (!text.goTo(end.offset - found.size()) || text.read(found) != found.size() || found.back() != '\n')
            return false;
        found.pop_back();
        const std::string line = found.substr(found.rfind('\n') + 1);
        const std::string begin = "{\"i\":" + std::to_string(end.iteration) + ",\"end\":true";
        if (line != begin + "}" && !line.starts_with(begin + ",")) return false;
        if (!text.goTo(0)) return false;
        const std::string first = file.head.substr(0, file.head.find('\n'));
        found.resize(first.size());
        if (text.read(found) != found.size() || found != first) return false;
    }
    return true;
}

// What is still being written is no iteration yet; files without any end of one never say.
void dropUnfinished(std::vector<ProbeFile>& files) {
    if (std::ranges::none_of(files, &ProbeFile::endsIterations)) return;
    for (ProbeFile& file : files)
        for (std::vector<TracedOp>* ops : {&file.rank().ops, &file.evaluation()})
            std::erase_if(*ops, [&file](const TracedOp& op) { return !file.counts(op); });
}

// On any rank: the others' operations of such an iteration say nothing without it.
void dropAltered(TracedRun& run, std::vector<ProbeFile>& files) {
    std::map<int, std::string> altered;  // iteration to file
    for (ProbeFile& file : files)
        for (const int iteration : file.altered()) altered.emplace(iteration, file.rank().file);
    for (const auto& [iteration, file] : altered)
        run.notes.push_back(
            sentence("iteration {0} is left out: lines of it in {1} were altered, lost or added after the "
                     "probe wrote them",
                     iteration, file));
    for (ProbeFile& file : files)
        for (std::vector<TracedOp>* ops : {&file.rank().ops, &file.evaluation()})
            std::erase_if(*ops, [&](const TracedOp& op) { return altered.contains(op.iteration); });
    if (!altered.empty() &&
        std::ranges::all_of(files, [](ProbeFile& file) { return file.rank().ops.empty(); }))
        throw ImportError(
            sentence("no iteration is as the probe wrote it: lines were altered, lost or added afterwards, "
                     "first in {0}. Give the files that the probe wrote",
                     altered.begin()->second));
}

// Iterations of a training alone. An evaluation is marked, or it is an iteration without a backward on any
// rank where others have one; a run without any backward is one of evaluations.
void dropEvaluation(TracedRun& run, std::vector<ProbeFile>& files) {
    std::set<int> trained, evaluated;
    for (ProbeFile& file : files) {
        for (const TracedOp& op : file.rank().ops)
            if (isCompute(op.op) && op.op != Op::Forward && op.op != Op::Recompute)
                trained.insert(op.iteration);
        for (const TracedOp& op : file.evaluation()) evaluated.insert(op.iteration);
    }
    if (trained.empty()) {
        for (ProbeFile& file : files) {
            std::vector<TracedOp>& ops = file.rank().ops;
            ops.insert(ops.end(), file.evaluation().begin(), file.evaluation().end());
        }
        return;
    }
    for (ProbeFile& file : files)
        std::erase_if(file.rank().ops, [&](const TracedOp& op) {
            if (trained.contains(op.iteration)) return false;
            if (isCompute(op.op)) evaluated.insert(op.iteration);
            return true;
        });
    if (!evaluated.empty())
        run.notes.push_back(
            evaluated.size() == 1
                ? sentence(
                      "1 iteration holds forwards without a backward, as an evaluation has; they are left "
                      "out")
                : sentence("{0} iterations hold forwards without a backward, as an evaluation has; they are "
                           "left out",
                           evaluated.size()));
}

// A folder that two jobs wrote into holds files of both. Throws ImportError.
void requireOneJob(const std::vector<ProbeFile>& files, std::span<const std::filesystem::path> paths) {
    std::map<int, std::size_t> pipeline_of;  // (ranks,) a file that names it
    for (std::size_t at = 0; at < files.size(); ++at) {
        if (files[at].jobRanks() != files.front().jobRanks() && files[at].jobRanks() > 0 &&
            files.front().jobRanks() > 0)
            throw ImportError(sentence(
                "{0} is of a job of {1} ranks and {2} of one of {3}: they are of two runs, name the files of "
                "one",
                paths.front().string(), files.front().jobRanks(), paths[at].string(), files[at].jobRanks()));
        for (const int rank : files[at].pipeline()) {
            const auto [known, is_new] = pipeline_of.emplace(rank, at);
            if (!is_new && files[known->second].pipeline() != files[at].pipeline())
                throw ImportError(sentence("{0} and {1} are of two runs: name one",
                                           paths[known->second].string(), paths[at].string()));
        }
    }
}

// The pipelines that the files name; none when a file names none.
Replicas pipelinesOf(const std::vector<ProbeFile>& files) {
    std::set<std::vector<int>> pipelines;
    for (const ProbeFile& file : files) {
        if (file.pipeline().empty()) return {};
        pipelines.insert(file.pipeline());
    }
    return {pipelines.begin(), pipelines.end()};
}

}  // namespace

TracedRun readProbe(std::span<const std::filesystem::path> paths, const ReadOptions& options) {
    FilesProgress progress(paths, options.progress);
    TracedRun run;
    run.source = "Bubblescope probe (PyTorch)";
    std::vector<ProbeFile> files;
    const GrowingFiles* since =
        options.since != nullptr && areThose(paths, *options.since) ? options.since : nullptr;
    if (since != nullptr) {
        run.goes_on = true;
        run.base_ns = since->base_ns;
        run.end_ns = since->end_ns;
    }
    for (const auto& path : paths) {
        ProbeFile& file = files.emplace_back(path);
        readLines(path, file, progress, since != nullptr ? &since->files[files.size() - 1] : nullptr);
        progress.finish(path);
        if (file.lines() == 0) throw UnfinishedRun(ofFile(path, sentence("it is empty")));
    }
    const bool cuda = std::ranges::any_of(files, &ProbeFile::cuda);
    const bool one_host =
        !files.front().host().empty() && std::ranges::all_of(files, [&](const ProbeFile& file) {
            return file.host() == files.front().host();
        });
    run.times = cuda ? Times::Recorded : Times::Host;
    run.clocks = one_host && !cuda ? Clocks::Shared : Clocks::PerRank;
    dropUnfinished(files);
    dropAltered(run, files);
    dropEvaluation(run, files);
    const int every = std::ranges::max_element(files, {}, &ProbeFile::every)->every();
    if (every > 1) run.notes.push_back(sentence("the probe recorded one of {0} iterations", every));
    for (const ProbeFile& file : files) file.noteWhatIsMissing(run.notes);
    requireOneJob(files, paths);
    Replicas pipelines = pipelinesOf(files);
    std::vector<TracedRank> ranks;
    for (ProbeFile& file : files) {
        run.growing.push_back(file.growing());
        ranks.push_back(std::move(file.rank()));
    }
    run.stages_by_rank =
        pipelines.empty() && std::ranges::none_of(ranks, [](const TracedRank& rank) {
            return std::ranges::any_of(rank.ops, [](const TracedOp& op) { return op.stage >= 0; });
        });
    takeReplica(run, std::move(ranks), std::move(pipelines), options.replica);
    if (!std::ranges::all_of(files, &ProbeFile::hasChecksums))
        run.notes.push_back(
            sentence("the files have no checksums, as older probes write them: a time that was altered, or "
                     "lines that every iteration lost alike, could not be noticed"));
    return run;
}

}  // namespace bscope
