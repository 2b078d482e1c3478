// Traces of Perfetto's format as PyTorch's profiler writes them, made here of its Chrome traces as its
// encoder makes them (torch/csrc/profiler/cupti): both must give the same run. Damaged ones are refused or
// named as cut off.
#include <zlib.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <map>
#include <sstream>

#include "export/perfetto.pb.h"
#include "export/perfetto_trace.h"
#include "import/formats/file_text.h"
#include "import/formats/perfetto_events.h"
#include "import_files.h"
#include "imported_runs.h"
#include "registered_test.h"

namespace tst_import_perfetto {

namespace {

using namespace bscope;
namespace fs = std::filesystem;
using perfetto::TracePacket;
using perfetto::TrackEvent;

enum class Form { Categories, Plain };  // the newer has categories and the GPU's work in stages

class Encoder {
public:
    Encoder(const QJsonObject& trace, Form form)
        : form_(form), base_ns_(trace[u"baseTimeNanoseconds"].toVariant().toLongLong()) {
        if (form == Form::Categories) {
            auto* clock = packet().mutable_clock_snapshot()->add_clocks();
            clock->set_clock_id(1);
            clock->set_timestamp(static_cast<std::uint64_t>(base_ns_));
        }
        names_ = out_.packet_size();
        for (const QJsonValue& each : trace[u"traceEvents"].toArray()) event(each.toObject());
        auto& interned = *out_.mutable_packet(intern())->mutable_interned_data();
        for (const auto& [name, iid] : event_names_) add(*interned.add_event_names(), name, iid);
        for (const auto& [name, iid] : categories_) add(*interned.add_event_categories(), name, iid);
        add(*interned.add_gpu_specifications(), "Kernel", 1);
        for (TracePacket& each : begins_) *out_.add_packet() = std::move(each);
        for (TracePacket& each : ends_) *out_.add_packet() = std::move(each);
    }
    std::string bytes() const { return out_.SerializeAsString(); }

private:
    TracePacket& packet() { return *out_.add_packet(); }
    static void add(perfetto::InternedData::Name& name, const std::string& text, std::uint64_t iid) {
        name.set_iid(iid);
        name.set_name(text);
    }
    int intern() {
        packet();
        return out_.packet_size() - 1;
    }
    static std::uint64_t numberOf(std::map<std::string, std::uint64_t>& names, const std::string& name) {
        return names.try_emplace(name, names.size() + 1).first->second;
    }
    std::uint64_t track(int process, int thread, bool gpu) {
        const auto [found, is_new] = tracks_.try_emplace({process, thread}, 2 * tracks_.size() + 2);
        if (!is_new) return found->second;
        auto& parent = *packet().mutable_track_descriptor();
        parent.set_uuid(found->second + 1);
        parent.mutable_process()->set_pid(process);
        parent.mutable_process()->set_process_name(gpu ? "GPU 0" : "python");
        auto& own = *packet().mutable_track_descriptor();
        own.set_uuid(found->second);
        own.set_parent_uuid(found->second + 1);
        own.mutable_thread()->set_pid(process);
        own.mutable_thread()->set_tid(thread);
        return found->second;
    }
    void event(const QJsonObject& event) {
        if (event[u"ph"].toString() != u"X") return;
        const std::string category = event[u"cat"].toString().toStdString(),
                          name = event[u"name"].toString().toStdString();
        if (category == "Trace") return;
        const auto nanoseconds = [](const QJsonValue& us) { return std::llround(1000 * us.toDouble()); };
        const std::int64_t start = base_ns_ + nanoseconds(event[u"ts"]), length = nanoseconds(event[u"dur"]);
        const bool gpu = category == "kernel";
        if (gpu && form_ == Form::Categories) return stage(event, start, length, name);
        TracePacket& begin = begins_.emplace_back();
        begin.set_timestamp(static_cast<std::uint64_t>(start));
        TrackEvent& slice = *begin.mutable_track_event();
        slice.set_type(TrackEvent::TYPE_SLICE_BEGIN);
        slice.set_track_uuid(track(event[u"pid"].toInt(), event[u"tid"].toInt(), gpu));
        slice.set_name_iid(numberOf(event_names_, name));
        if (form_ == Form::Categories) slice.add_category_iids(numberOf(categories_, category));
        const QJsonObject arguments = event[u"args"].toObject();
        for (auto each = arguments.begin(); each != arguments.end(); ++each) {
            auto& annotation = *slice.add_debug_annotations();
            annotation.set_name(each.key().toStdString());
            if (each.value().isDouble())
                annotation.set_int_value(each.value().toVariant().toLongLong());
            else if (each.value().isString())
                annotation.set_string_value(each.value().toString().toStdString());
            else
                annotation.add_array_values()->set_bool_value(true);
        }
        TracePacket& end = ends_.emplace_back();
        end.set_timestamp(static_cast<std::uint64_t>(start + length));
        end.mutable_track_event()->set_type(TrackEvent::TYPE_SLICE_END);
        end.mutable_track_event()->set_track_uuid(slice.track_uuid());
    }
    void stage(const QJsonObject& event, std::int64_t start, std::int64_t length, const std::string& name) {
        TracePacket& packet = begins_.emplace_back();
        packet.set_timestamp(static_cast<std::uint64_t>(start));
        auto& stage = *packet.mutable_gpu_render_stage_event();
        stage.set_duration(static_cast<std::uint64_t>(length));
        stage.set_stage_iid(1);
        stage.set_name_iid(numberOf(event_names_, name));
        auto& extra = *stage.add_extra_data();
        extra.set_name("correlation");
        extra.set_value(QString::number(event[u"args"][u"correlation"].toInt()).toStdString());
    }

    Form form_;
    std::int64_t base_ns_;
    int names_ = 0;
    perfetto::Trace out_;
    std::map<std::string, std::uint64_t> event_names_, categories_;
    std::map<std::pair<int, int>, std::uint64_t> tracks_;
    std::vector<TracePacket> begins_, ends_;
};

std::string zipped(const std::string& bytes) {
    std::string out(bytes.size() + 1024, '\0');
    z_stream zip = {};
    deflateInit2(&zip, 1, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
    zip.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    zip.avail_in = static_cast<unsigned>(bytes.size());
    zip.next_out = reinterpret_cast<Bytef*>(out.data());
    zip.avail_out = static_cast<unsigned>(out.size());
    deflate(&zip, Z_FINISH);
    out.resize(zip.total_out);
    deflateEnd(&zip);
    return out;
}

QJsonObject traceOf(const fs::path& file) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(wholeJson(file, std::size_t{64} << 20)))
        .object();
}

void compare(const ImportedRun& perfetto, const ImportedRun& json) {
    QCOMPARE(perfetto.schedule.name, json.schedule.name);
    QCOMPARE(perfetto.timeline.ranks(), json.timeline.ranks());
    for (int rank = 0; rank < json.timeline.ranks(); ++rank) {
        const auto own = perfetto.timeline.compute(rank), other = json.timeline.compute(rank);
        QCOMPARE(own.size(), other.size());
        QVERIFY(!own.empty());
        for (std::size_t i = 0; i < own.size(); ++i) {
            QVERIFY(own[i].op == other[i].op && own[i].stage == other[i].stage &&
                    own[i].microbatch == other[i].microbatch);
            // The encoder counts in doubles.
            const auto near = [](std::int64_t a, std::int64_t b) { return std::abs(a - b) <= 1; };
            QVERIFY(near(own[i].start_ns - own[0].start_ns, other[i].start_ns - other[0].start_ns));
            QVERIFY(near(own[i].end_ns - own[i].start_ns, other[i].end_ns - other[i].start_ns));
        }
    }
}

// Every operation as a range, a launch and a kernel that runs a little later.
std::string kernelTrace(const Timeline& timeline, int rank) {
    std::vector<std::string> events;
    int correlation = 0;
    for (const Event& event : timeline.compute(rank)) {
        if (!isCompute(event.op)) continue;
        const int start = static_cast<int>(event.start_ns / 1000),
                  length = static_cast<int>((event.end_ns - event.start_ns) / 1000);
        const std::string name = "PP:" + std::to_string(event.stage) + std::string(opText(event.op)) +
                                 std::to_string(event.microbatch);
        ++correlation;
        events.push_back(kinetoX("user_annotation", name, start, length - 2));
        events.push_back(kinetoX("cuda_runtime", "cudaLaunchKernel", start + 1, 2, 1, correlation));
        events.push_back(kinetoX("kernel", "sgemm", start + 5, length - 3, 7, correlation));
    }
    return kinetoFile(events, R"({"rank":)" + std::to_string(rank) + "}");
}

}  // namespace

class TestImportPerfetto : public QObject {
    Q_OBJECT

private slots:
    void isTheRunOfTheChromeTraces_data() {
        QTest::addColumn<QString>("run");
        QTest::addColumn<int>("form");
        QTest::addColumn<bool>("zips");
        for (const char* run : {"kineto-1f1b-p2-m4", "kineto-interleaved-p2-v2-m4", "kernels"})
            for (const Form form : {Form::Categories, Form::Plain})
                QTest::addRow("%s, %s", run, form == Form::Plain ? "without categories" : "with categories")
                    << run << static_cast<int>(form) << (form == Form::Categories);
    }
    void isTheRunOfTheChromeTraces() {
        QFETCH(QString, run);
        QFETCH(int, form);
        QFETCH(bool, zips);
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString(), traces = root / "pf", chrome = root / "json";
        fs::create_directories(traces);
        fs::create_directories(chrome);
        for (int rank = 0; rank < 2; ++rank) {
            const std::string number = "rank" + std::to_string(rank);
            fs::path file = fs::path(BUBBLESCOPE_SOURCE_DIR "/tests/data/real-runs") / run.toStdString() /
                            (number + "_trace.json.gz");
            if (run == "kernels") {
                file = chrome / (number + ".json");
                put(file, kernelTrace(playedTimeline("1f1b", {2, 1, 4}), rank));
            } else {
                fs::copy_file(file, chrome / file.filename());
            }
            const std::string bytes = Encoder(traceOf(file), static_cast<Form>(form)).bytes();
            put(traces / (number + ".pftrace"), zips ? zipped(bytes) : bytes);
        }
        compare(imported(traces), imported(chrome));
    }

    void whatIsCutOffIsReadAsFarAsItIsWhole() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        put(root / "rank0.json", kernelTrace(playedTimeline("gpipe", {1, 1, 4}), 0));
        const std::string bytes = Encoder(traceOf(root / "rank0.json"), Form::Categories).bytes();
        fs::remove(root / "rank0.json");
        for (std::size_t size = 1; size < bytes.size(); size += 1 + size / 40) {
            put(root / "rank0.pftrace", bytes.substr(0, size));
            try {
                const ImportedRun run = imported(root);
                QVERIFY(run.timeline.ranks() == 1);
            } catch (const ImportError&) {
            }
        }
    }

    // Neither crashes nor reads forever, whatever the bytes are.
    void altersNothingButTheRun() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        put(root / "rank0.json", kernelTrace(playedTimeline("gpipe", {1, 1, 2}), 0));
        const std::string bytes = Encoder(traceOf(root / "rank0.json"), Form::Categories).bytes();
        fs::remove(root / "rank0.json");
        int refused = 0;
        for (std::size_t at = 0; at < bytes.size(); at += 3) {
            std::string other = bytes;
            other[at] = static_cast<char>(other[at] ^ (1 << (at % 8)));
            put(root / "rank0.pftrace", other);
            try {
                imported(root);
            } catch (const ImportError&) {
                ++refused;
            }
        }
        QVERIFY(refused > 0);
    }

    // A name is any bytes: the event is JSON all the same.
    void namesAreAnyText() {
        perfetto::Trace trace;
        const std::string name = "a \"b\" \\ \t \x01 \xff";
        for (const auto type : {TrackEvent::TYPE_SLICE_BEGIN, TrackEvent::TYPE_SLICE_END}) {
            TracePacket& packet = *trace.add_packet();
            packet.set_timestamp(type == TrackEvent::TYPE_SLICE_BEGIN ? 1000 : 5000);
            packet.mutable_track_event()->set_type(type);
            packet.mutable_track_event()->set_track_uuid(1);
            if (type == TrackEvent::TYPE_SLICE_END) continue;
            packet.mutable_track_event()->set_name(name);
            auto& argument = *packet.mutable_track_event()->add_debug_annotations();
            argument.set_name(name);
            argument.set_string_value(name);
        }
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "names.pftrace";
        put(file, trace.SerializeAsString());
        FileText text(file);
        std::vector<QJsonObject> events;
        QVERIFY(readPerfetto(
            text,
            [&](std::string_view event) {
                events.push_back(
                    QJsonDocument::fromJson(QByteArray(event.data(), std::ssize(event))).object());
            },
            [](std::string_view, std::string_view) {}, [] {}));
        QCOMPARE(events.size(), 1U);
        const QString read = QStringLiteral("a \"b\" \\ \t \u0001 \ufffd");
        QCOMPARE(events.front()[u"name"].toString(), read);
        QCOMPARE(events.front()[u"args"].toObject()[read].toString(), read);
        QCOMPARE(events.front()[u"dur"].toDouble(), 4.0);
    }

    // What was looked at first is read, too: of files shorter and longer than that, plain and compressed.
    void theBeginningIsReadOnce() {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "bytes";
        for (const std::size_t size : {0UL, 10UL, 65'536UL, 200'000UL})
            for (const bool zips : {false, true}) {
                std::string bytes;
                for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>('a' + i % 23);
                put(file, zips ? zipped(bytes) : bytes);
                FileText text(file);
                QCOMPARE(text.beginning(), std::string_view(bytes).substr(0, 65'536));
                std::string read, piece(1000, '\0');
                while (const std::size_t count = text.read(piece)) read.append(piece, 0, count);
                QVERIFY(read == bytes);
            }
    }

    void ownTracesAreNamed() {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "run.pftrace";
        std::ostringstream out;
        writePerfettoTrace(out, playedTimeline("1f1b", {2, 1, 4}), {});
        put(file, out.str());
        try {
            imported(file);
            QFAIL("it was imported");
        } catch (const ImportError& error) {
            QVERIFY2(std::string(error.what()).find("that Bubblescope exported") != std::string::npos,
                     error.what());
        }
    }
};

BUBBLESCOPE_TEST(TestImportPerfetto)

}  // namespace tst_import_perfetto

#include "tst_import_perfetto.moc"
