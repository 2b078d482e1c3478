// Files of other programs as tests write them, each of a schedule that was played. Those of Ascend's profiler
// and of nsys are written after the documents of the formats (engine/import/formats/ascend.cpp, nsys.cpp): no file of
// a real machine was at hand.
#pragma once

#include <QTest>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "export/chrome_trace.h"
#include "timeline/predict.h"

#ifdef BUBBLESCOPE_SQLITE
#include <sqlite3.h>
#endif

namespace bscope {

inline std::string quoted(const std::string& text) {
    const std::string mark(1, '\x22');
    return mark + text + mark;
}

// Kineto events without what the reader skips; moc loses its way in raw strings.
inline std::string kinetoX(const std::string& category, const std::string& name, int ts, int dur,
                           int thread = 1, int correlation = 0, int node = -1) {
    return "{" + quoted("ph") + ":" + quoted("X") + "," + quoted("cat") + ":" + quoted(category) + "," +
           quoted("name") + ":" + quoted(name) + "," + quoted("tid") + ":" + std::to_string(thread) + "," +
           quoted("ts") + ":" + std::to_string(ts) + "," + quoted("dur") + ":" + std::to_string(dur) + "," +
           quoted("args") + ":{" + quoted("correlation") + ":" + std::to_string(correlation) +
           (node < 0 ? std::string() : "," + quoted("Sequence number") + ":" + std::to_string(node)) + "}}";
}
inline std::string kinetoFile(const std::vector<std::string>& events,
                              const std::string& info = R"({"rank":0})") {
    std::string text = "{" + quoted("distributedInfo") + ":" + info + "," + quoted("traceEvents") + ":[";
    for (std::size_t at = 0; at < events.size(); ++at) text += (at > 0 ? "," : "") + events[at];
    return text + "]}";
}

inline void put(const std::filesystem::path& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    QVERIFY(out.good());
}

inline Timeline playedTimeline(const std::string& name, const ScheduleParams& params, double latency = 0.1) {
    const Schedule schedule = makeSchedule(name, params);
    return predict(lower(schedule), unitCosts(schedule.stageCount(), 1, 1.2, 0.8, latency));
}

inline std::string chromeText(const Timeline& timeline, int shards = 1) {
    std::ostringstream text;
    writeChromeTrace(text, timeline, {}, shards);
    return text.str();
}

// What the probe writes of a schedule that was played.
inline void putProbeFiles(const std::filesystem::path& folder, const Timeline& timeline, bool named = true,
                          int first = 0, int world_size = 2) {
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        std::string text = R"({"bubblescope_probe":1,"rank":)" + std::to_string(first + rank) +
                           R"(,"world_size":)" + std::to_string(world_size) +
                           R"(,"host":"a","clock":"host","torch":"2"})" + "\n";
        for (const Event& event : timeline.compute(rank)) {
            if (!isCompute(event.op)) continue;
            text += R"({"i":0,"op":")" + std::string(opText(event.op)) + "\"";
            if (named)
                text +=
                    R"(,"s":)" + std::to_string(event.stage) + R"(,"mb":)" + std::to_string(event.microbatch);
            text += R"(,"t0":)" + std::to_string(event.start_ns) + R"(,"t1":)" +
                    std::to_string(event.end_ns) + "}\n";
        }
        put(folder / ("probe_rank_" + std::to_string(first + rank) + ".jsonl"),
            text + R"({"i":0,"end":true})" + "\n");
    }
}

// The same of a schedule that is run again and again, from one host or from as many as there are ranks.
inline void putLongProbeFiles(const std::filesystem::path& folder, const Timeline& once, int iterations,
                              bool one_host = true, bool named = true) {
    for (int rank = 0; rank < once.ranks(); ++rank) {
        std::ofstream out(folder / ("probe_rank_" + std::to_string(rank) + ".jsonl"), std::ios::binary);
        out << R"({"bubblescope_probe":1,"rank":)" << rank << R"(,"world_size":)" << once.ranks()
            << R"(,"host":"h)" << (one_host ? 0 : rank) << R"(","clock":"host","torch":"2"})" << '\n';
        for (int i = 0; i < iterations; ++i) {
            const std::int64_t from_ns = once.end_ns() * i;
            for (const Event& event : once.compute(rank)) {
                if (!isCompute(event.op)) continue;
                out << R"({"i":)" << i << R"(,"op":")" << opText(event.op) << '\x22';
                if (named) out << R"(,"s":)" << event.stage << R"(,"mb":)" << event.microbatch;
                out << R"(,"t0":)" << from_ns + event.start_ns << R"(,"t1":)" << from_ns + event.end_ns
                    << "}\n";
            }
            out << R"({"i":)" << i << R"(,"end":true})" << '\n';
        }
        QVERIFY(out.good());
    }
}

// Event dumps of a schedule with loop placement that was played.
inline void putEventTimes(const std::filesystem::path& folder, const Timeline& timeline, int p, int v,
                          int replica = 0) {
    for (int rank = 0; rank < p; ++rank) {
        std::string text = "{";
        for (const Event& event : timeline.compute(rank)) {
            if (!isCompute(event.op)) continue;
            const std::string key = std::string(event.op == Op::Forward ? "forward-" : "backward-") +
                                    (v > 1 ? std::to_string(event.stage / p) + "-" : std::string()) +
                                    std::to_string(event.microbatch);
            const auto ms = [](std::int64_t ns) { return std::to_string(static_cast<double>(ns) / 1e6); };
            text += text.size() > 1 ? "," : "";
            text += quoted(key + "-start") + ":" + ms(event.start_ns) + ",";
            text += quoted(key + "-end") + ":" + ms(event.end_ns);
        }
        put(folder / ("event_times_PP" + std::to_string(p) + "_VPP" + std::to_string(v) + "_TPxCPxDP_rank_" +
                      std::to_string(replica) + "_pp_rank_" + std::to_string(rank) + "_rank_" +
                      std::to_string(replica * p + rank) + ".json"),
            text + "}");
    }
}

// ASCEND_PROFILER_OUTPUT/trace_view.json of every rank, with the ranges of pp_chart on the device, the same
// on the host, and a receive of Ascend's in front of every operation that waited for a message.
inline void putAscendTraces(const std::filesystem::path& folder, const Timeline& timeline) {
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        const auto us = [](std::int64_t ns) {
            const std::string rest = std::to_string(ns % 1000);
            return quoted("17000000" + std::to_string(10'000'000 + ns / 1000) + "." +
                          std::string(3 - rest.size(), '0') + rest);
        };
        const auto event = [&](const std::string& name, int pid, std::int64_t start, std::int64_t end) {
            return R"({"ph":"X","name":)" + quoted(name) + R"(,"pid":)" + std::to_string(pid) +
                   R"(,"tid":1,"ts":)" + us(start) + R"(,"dur":)" +
                   std::to_string(static_cast<double>(end - start) / 1e3) + R"(,"args":{}})";
        };
        std::string text = R"([{"ph":"M","name":"process_name","pid":7,"args":{"name":"Python"}})";
        for (const Event& each : timeline.compute(rank)) {
            if (!isCompute(each.op)) continue;
            const std::string name =
                each.op == Op::Forward ? "{'name': 'forward_step'}" : "{'name': 'backward_step'}";
            text += ",\n" + event(name, 7, each.start_ns / 2, each.start_ns / 2 + 1000) + ",\n" +
                    event(name, 9, each.start_ns, each.end_ns);
        }
        int number = 0;
        for (const Event& each : timeline.receives(rank))
            text += ",\n" + event("hcom_receive__101_" + std::to_string(number++) + "_1", 9, each.start_ns,
                                  each.end_ns);
        text += ",\n" +
                std::string(R"({"ph":"M","name":"process_name","pid":9,"args":{"name":"Ascend Hardware"}}])");
        const std::filesystem::path of_rank = folder / ("worker" + std::to_string(rank) + "_ascend_pt");
        std::filesystem::create_directories(of_rank / "ASCEND_PROFILER_OUTPUT");
        put(of_rank / ("profiler_info_" + std::to_string(rank) + ".json"), "{}");
        put(of_rank / "ASCEND_PROFILER_OUTPUT" / "trace_view.json", text);
    }
}

#ifdef BUBBLESCOPE_SQLITE

inline void runSql(const std::filesystem::path& file, const std::string& text) {
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(file.c_str(), &database), SQLITE_OK);
    QCOMPARE(sqlite3_exec(database, ("BEGIN;" + text + "COMMIT;").c_str(), nullptr, nullptr, nullptr),
             SQLITE_OK);
    sqlite3_close(database);
}

// ascend_pytorch_profiler_R.db of every rank, after pp_chart.
inline void putAscendDatabases(const std::filesystem::path& folder, const Timeline& timeline) {
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        std::string text =
            "CREATE TABLE StepTaskInfo(name TEXT, startNs INTEGER, endNs INTEGER, type INTEGER);"
            "CREATE TABLE STRING_IDS(id INTEGER, value TEXT);"
            "CREATE TABLE COMMUNICATION_OP(opName INTEGER, startNs INTEGER, endNs INTEGER);";
        for (const Event& each : timeline.compute(rank))
            if (isCompute(each.op))
                text += std::string("INSERT INTO StepTaskInfo VALUES('") +
                        (each.op == Op::Forward ? "forward_step" : "backward_step") + "'," +
                        std::to_string(each.start_ns) + "," + std::to_string(each.end_ns) + ",0);";
        int number = 0;
        for (const Event& each : timeline.receives(rank)) {
            text += "INSERT INTO STRING_IDS VALUES(" + std::to_string(number) + ",'hcom_receive__101_" +
                    std::to_string(number) + "_1');INSERT INTO COMMUNICATION_OP VALUES(" +
                    std::to_string(number) + "," + std::to_string(each.start_ns) + "," +
                    std::to_string(each.end_ns) + ");";
            ++number;
        }
        runSql(folder / ("ascend_pytorch_profiler_" + std::to_string(rank) + ".db"), text);
    }
}

// A database of nsys, two processes under sail's names: the text in StringIds, every operation one kernel
// later on the device.
inline void putNsys(const std::filesystem::path& file, const Timeline& timeline) {
    std::string text =
        "CREATE TABLE StringIds(id INTEGER, value TEXT);"
        "CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER, "
        "globalTid INTEGER);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, correlationId INTEGER, "
        "globalTid "
        "INTEGER);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, correlationId INTEGER, "
        "globalPid "
        "INTEGER, shortName INTEGER);"
        "CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INTEGER);"
        "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES(1700000000000000000);"
        "INSERT INTO StringIds VALUES(1, 'gemm'), (2, 'ncclDevKernel_SendRecv');";
    int id = 10;
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        const std::int64_t process = (100 + rank) * (std::int64_t{1} << 24);
        std::int64_t host = 0;
        for (const Event& event : timeline.compute(rank)) {
            if (!isCompute(event.op)) continue;
            const std::string correlation = std::to_string(++id);
            const char letter = event.op == Op::Forward ? 'F' : event.op == Op::BackwardWeight ? 'W' : 'B';
            text += "INSERT INTO StringIds VALUES(" + correlation + ", '" + letter +
                    std::to_string(event.microbatch) + ".0." + correlation + "');" +
                    "INSERT INTO NVTX_EVENTS VALUES(" + std::to_string(host) + "," +
                    std::to_string(host + 10) + ",59,NULL," + correlation + "," +
                    std::to_string(process + 7) + ");" + "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(" +
                    std::to_string(host + 2) + "," + std::to_string(host + 3) + "," + correlation + "," +
                    std::to_string(process + 9) + ");" + "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(" +
                    std::to_string(event.start_ns) + "," + std::to_string(event.end_ns) + "," + correlation +
                    "," + std::to_string(process) + ",1);";
            host += 20;
        }
    }
    runSql(file, text);
}

// The same of Megatron-LM with --nvtx-ranges, which names messages alone: one process a rank, a 1F1B or GPipe
// order. Each operation gives the first and the last of its time to a receive and a send; the first and the
// last rank name theirs, too.
inline constexpr std::int64_t kMegatronMessage_ns = 10;
inline void putNsysOfMegatron(const std::filesystem::path& file, const Timeline& timeline) {
    std::string text =
        "CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid "
        "INTEGER);";
    const std::string prefix = "megatron.core.pipeline_parallel.p2p_communication.";
    for (int rank = 0; rank < timeline.ranks(); ++rank) {
        const std::string thread = std::to_string((100 + rank) * (std::int64_t{1} << 24) + 7);
        const auto range = [&](const std::string& name, std::int64_t start, std::int64_t end) {
            text += "INSERT INTO NVTX_EVENTS VALUES(" + std::to_string(start) + "," + std::to_string(end) +
                    ",59,'" + prefix + name + "'," + thread + ");";
        };
        for (const Event& event : timeline.compute(rank)) {
            if (!isCompute(event.op)) continue;
            const std::string direction = event.op == Op::Forward ? "forward" : "backward";
            range("recv_" + direction, event.start_ns, event.start_ns + kMegatronMessage_ns);
            range("send_" + direction, event.end_ns - kMegatronMessage_ns, event.end_ns);
        }
    }
    runSql(file, text);
}

#endif

}  // namespace bscope
