// Flight recorder dumps made in test code: what ranks record that run the lists of a Program until one of
// them stops, as pickles of the two kinds there are (the writer of torch, protocol 2; Python's, protocol 4)
// and as JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "schedule/playback.h"
#include "schedule/program.h"

namespace bscope {

// Writes a pickle value by value; the caller sees to it that they fit together.
class PickleWriter {
public:
    explicit PickleWriter(int protocol) : protocol_(protocol) {
        put('\x80');
        put(static_cast<char>(protocol));
    }
    std::string finish() {
        put('.');
        return std::move(bytes_);
    }
    void put(char code) { bytes_ += code; }
    void raw(const std::string& bytes) { bytes_ += bytes; }
    void text(const std::string& value) {
        if (protocol_ >= 4 && value.size() < 256) {
            put('\x8c');
            little(value.size(), 1);
        } else {
            put('X');
            little(value.size(), 4);
        }
        bytes_ += value;
        if (protocol_ >= 4) {
            put('\x94');
        } else if (memo_ < 256) {
            put('q');
            little(memo_++, 1);
        } else {
            put('r');
            little(memo_++, 4);
        }
    }
    void integer(std::int64_t value) {
        if (value >= 0 && value < 256) {
            put('K');
            little(static_cast<std::uint64_t>(value), 1);
        } else if (value >= 0 && value < 65536) {
            put('M');
            little(static_cast<std::uint64_t>(value), 2);
        } else {
            put('\x8a');
            little(8, 1);
            little(static_cast<std::uint64_t>(value), 8);
        }
    }
    void none() { put('N'); }
    void boolean(bool value) { put(value ? '\x88' : '\x89'); }
    void list(std::size_t count, const std::function<void(std::size_t)>& write) {
        put(']');
        put('(');
        for (std::size_t i = 0; i < count; ++i) write(i);
        put('e');
    }
    void openDict() { raw("}("); }
    void closeDict() { put('u'); }
    void pair(const std::string& first, const std::string& second) {
        text(first);
        text(second);
        put('\x86');
    }

private:
    void little(std::uint64_t value, int size) {
        for (int i = 0; i < size; ++i) put(static_cast<char>(value >> (8 * i)));
    }
    std::string bytes_;
    int protocol_;
    std::uint64_t memo_ = 0;
};

struct MadeEntry {
    std::string name;  // "nccl:send 0->1"
    std::vector<std::int64_t> sizes = {4, 16};
    std::string type = "Float";
    std::string state = "completed";
    std::int64_t created_ns = 0, completed_ns = 0;
    bool is_p2p = true;
    std::int64_t record = 0, collective = 0, p2p = 0;
    std::string group = "0", description = "default_pg";
};

struct MadeDump {
    int rank = 0;
    std::map<std::string, std::vector<int>> groups;
    std::vector<MadeEntry> entries;
    std::string frame_file = "/code/train.py";

    void add(MadeEntry entry) {
        entry.record = static_cast<std::int64_t>(entries.size());
        if (entry.created_ns == 0) entry.created_ns = kBegin_ns + 1'000'000 * entry.record;
        if (entry.state == "completed" && entry.completed_ns == 0)
            entry.completed_ns = entry.created_ns + 500'000;
        entries.push_back(std::move(entry));
    }
    static constexpr std::int64_t kBegin_ns = 1'790'000'000'000'000'000;

    std::string ranksText(const std::vector<int>& ranks) const {
        std::string text = "[";
        for (const int each : ranks) text += (text.size() > 1 ? ", " : "") + std::to_string(each);
        return text + "]";
    }
    std::string pickle(int protocol) const {
        PickleWriter out(protocol);
        out.openDict();
        out.text("version");
        out.text("2.10");
        out.text("pg_config");
        out.openDict();
        for (const auto& [name, ranks] : groups) {
            out.text(name);
            out.openDict();
            for (const auto& [key, value] : {std::pair<std::string, std::string>{"name", name},
                                             {"desc", "default_pg"},
                                             {"ranks", ranksText(ranks)}}) {
                out.text(key);
                out.text(value);
            }
            out.closeDict();
        }
        out.closeDict();
        out.text("entries");
        out.list(entries.size(), [&](std::size_t i) { writeEntry(out, entries[i]); });
        out.closeDict();
        return out.finish();
    }
    std::string json() const {
        std::string text = R"({"version":"2.10","pg_config":{)";
        for (const auto& [name, ranks] : groups)
            text += (text.back() == '{' ? "\"" : ",\"") + name + R"(":{"name":")" + name +
                    R"(","desc":"default_pg","ranks":")" + ranksText(ranks) + "\"}";
        text += R"(},"entries":[)";
        for (const MadeEntry& each : entries) {
            if (text.back() == '}') text += ',';
            const std::string sizes = ranksText({each.sizes.begin(), each.sizes.end()});
            text += R"({"record_id":)" + std::to_string(each.record) + R"(,"process_group":[")" + each.group +
                    "\",\"" + each.description + R"("],"collective_seq_id":)" +
                    std::to_string(each.collective) + R"(,"p2p_seq_id":)" + std::to_string(each.p2p) +
                    R"(,"profiling_name":")" + each.name + R"(","time_created_ns":)" +
                    std::to_string(each.created_ns) + R"(,"input_sizes":[)" + sizes +
                    R"(],"output_sizes":[)" + sizes + R"(],"input_dtypes":[")" + each.type +
                    R"("],"output_dtypes":[")" + each.type + R"("],"state":")" + each.state +
                    R"(","time_discovered_completed_ns":)" + std::to_string(each.completed_ns) +
                    R"(,"is_p2p":)" + (each.is_p2p ? "true" : "false") + R"(,"retired":false})";
        }
        return text + "]}";
    }

private:
    void writeEntry(PickleWriter& out, const MadeEntry& each) const {
        const auto sizes = [&] {
            out.list(1, [&](std::size_t) {
                out.list(each.sizes.size(), [&](std::size_t i) { out.integer(each.sizes[i]); });
            });
        };
        const auto types = [&] { out.list(1, [&](std::size_t) { out.text(each.type); }); };
        out.openDict();
        out.text("frames");
        out.list(1, [&](std::size_t) {
            out.openDict();
            out.text("name");
            out.text("_step");
            out.text("filename");
            out.text(frame_file);
            out.text("line");
            out.integer(12);
            out.closeDict();
        });
        out.text("record_id");
        out.integer(each.record);
        out.text("process_group");
        out.pair(each.group, each.description);
        out.text("collective_seq_id");
        out.integer(each.collective);
        out.text("p2p_seq_id");
        out.integer(each.p2p);
        out.text("profiling_name");
        out.text(each.name);
        out.text("time_created_ns");
        out.integer(each.created_ns);
        out.text("input_sizes");
        sizes();
        out.text("output_sizes");
        sizes();
        out.text("input_dtypes");
        types();
        out.text("output_dtypes");
        types();
        out.text("state");
        out.text(each.state);
        out.text("time_discovered_completed_ns");
        each.completed_ns > 0 ? out.integer(each.completed_ns) : out.none();
        out.text("is_p2p");
        out.boolean(each.is_p2p);
        out.text("retired");
        out.boolean(false);
        out.closeDict();
    }
};

// Ranks run their lists again and again: a message is posted and does not wait, computation waits for what it
// receives. Rank `stops` never ends the action `at` of that iteration. Sends that `blocks` wait for their
// receives. Ranks of the world are first_rank, first_rank + stride, ...
struct MadeRun {
    const Program& program;
    int iterations = 1;
    int stops = -1;
    Action at = {};
    bool blocks = false;

    std::vector<MadeDump> run() const {
        const Playback shape(program.schedule);
        const std::size_t ranks = program.actions.size();
        std::vector<MadeDump> dumps(ranks);
        std::vector<int> all;
        for (std::size_t r = 0; r < ranks; ++r) all.push_back(static_cast<int>(r));
        for (std::size_t r = 0; r < ranks; ++r) {
            dumps[r].rank = static_cast<int>(r);
            dumps[r].groups["0"] = all;
        }
        struct Side {
            int iteration;
            std::size_t rank, entry;
        };
        std::map<std::tuple<int, int, int, bool>, Side> sends,
            receives;  // iteration, stage, micro-batch, forward
        std::vector<std::pair<int, std::size_t>> place(ranks, {0, 0});
        std::vector<bool> is_posted(ranks, false);
        std::int64_t now_ns = MadeDump::kBegin_ns;
        const auto isDone = [&](std::tuple<int, int, int, bool> key) {
            return sends.contains(key) && receives.contains(key);
        };
        for (bool progress = true; progress;) {
            progress = false;
            for (std::size_t r = 0; r < ranks; ++r) {
                auto& [iteration, i] = place[r];
                if (iteration == iterations) continue;
                if (i == program.actions[r].size()) {
                    ++iteration;
                    i = 0;
                    progress = true;
                    continue;
                }
                const Action& action = program.actions[r][i];
                const bool last = iteration + 1 == iterations;
                if (last && static_cast<int>(r) == stops && action == at) continue;
                if (isCommunication(action.op)) {
                    const bool forward = action.op == Op::SendForward || action.op == Op::RecvForward;
                    const Action own{action.stage, forward ? Op::Forward : Op::Backward, action.microbatch};
                    const int other = isSend(action.op) ? shape.outputStage(own) : shape.inputStage(own);
                    const int to = isSend(action.op) ? other : action.stage;
                    const std::tuple key(iteration, to, action.microbatch, forward);
                    auto& mine = isSend(action.op) ? sends : receives;
                    if (!mine.contains(key)) {
                        MadeEntry entry;
                        entry.name = "nccl:" + std::string(isSend(action.op) ? "send " : "recv ") +
                                     std::to_string(r) + (isSend(action.op) ? "->" : "<-") +
                                     std::to_string(shape.rank(other));
                        entry.state = "scheduled";
                        entry.created_ns = now_ns += 1'000'000;
                        mine[key] = {iteration, r, dumps[r].entries.size()};
                        dumps[r].add(entry);
                        progress = true;
                        if (isDone(key))
                            for (const Side& side : {sends.at(key), receives.at(key)}) {
                                MadeEntry& done = dumps[side.rank].entries[side.entry];
                                done.state = "completed";
                                done.completed_ns = now_ns += 1'000'000;
                            }
                    }
                    if (blocks && !isDone(key)) continue;
                    ++i;
                    progress = true;
                    continue;
                }
                const int from = action.op == Op::OptimizerStep ? -1 : shape.inputStage(action);
                if (from >= 0 && shape.crossesRanks(from, action.stage) &&
                    !isDone({iteration, action.stage, action.microbatch, action.op == Op::Forward}))
                    continue;
                ++i;
                progress = true;
            }
        }
        return dumps;
    }
};

}  // namespace bscope
