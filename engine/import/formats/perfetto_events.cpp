#include "import/formats/perfetto_events.h"

#include <google/protobuf/io/coded_stream.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "export/perfetto.pb.h"
#include "import/trace/import_error.h"

namespace bscope {
namespace {

using google::protobuf::io::CodedInputStream;
using perfetto::DebugAnnotation;
using perfetto::TracePacket;
using perfetto::TrackEvent;

constexpr std::uint32_t kPacketTag = 0x0a;  // field 1 of Trace, bytes
constexpr std::uint32_t kRealtime = 1;      // ClockSnapshot::Clock::clock_id

// Bytes of the next packet; nullopt: the file has ended. Throws ImportError.
class Packets {
public:
    Packets(FileText& text, const std::function<void()>& progress) : text_(text), progress_(progress) {}

    std::optional<std::string_view> next() {
        constexpr std::size_t kLongestHead = 11;  // tag and length
        fill(kLongestHead);
        if (at_ == held_.size()) return std::nullopt;
        CodedInputStream head(reinterpret_cast<const std::uint8_t*>(held_.data() + at_),
                              static_cast<int>(std::min(held_.size() - at_, kLongestHead)));
        std::uint32_t size = 0;
        if (head.ReadTag() != kPacketTag || !head.ReadVarint32(&size) || size > kLargest) return end();
        at_ += static_cast<std::size_t>(head.CurrentPosition());
        fill(size);
        if (held_.size() - at_ < size) return end();
        at_ += size;
        return std::string_view(held_).substr(at_ - size, size);
    }
    bool whole() const { return whole_; }

private:
    static constexpr std::size_t kLargest = std::size_t{256} << 20;

    // Inside a packet a file ends too early; other bytes than a packet's are damage.
    std::nullopt_t end() {
        const bool more = !ended_;
        whole_ = false;
        at_ = held_.size();
        if (more) throw ImportError(ofFile(text_.path(), sentence("a packet of the trace is damaged")));
        return std::nullopt;
    }
    void fill(std::size_t wanted) {
        if (held_.size() - at_ >= wanted) return;
        held_.erase(0, std::exchange(at_, 0));
        constexpr std::size_t kPiece = 1 << 20;
        while (!ended_ && held_.size() < wanted) {
            const std::size_t before = held_.size();
            held_.resize(before + kPiece);
            const std::size_t got = text_.read(std::span(held_).subspan(before));
            held_.resize(before + got);
            ended_ = got == 0;
            progress_();
        }
    }

    FileText& text_;
    const std::function<void()>& progress_;
    std::string held_;
    std::size_t at_ = 0;
    bool ended_ = false, whole_ = true;
};

// Bytes that are no UTF-8 become U+FFFD.
std::string jsonText(const nlohmann::json& json) {
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Microseconds with three decimals, as the profiler writes them.
void appendMicroseconds(std::string& out, std::int64_t time_ns) {
    const std::int64_t whole = time_ns / 1000, rest = time_ns % 1000;
    if (time_ns < 0) out += '-';
    out += std::to_string(whole < 0 ? -whole : whole) + '.';
    const std::string decimals = std::to_string(rest < 0 ? -rest : rest);
    out += std::string(3 - decimals.size(), '0') + decimals;
}

struct Names {
    std::map<std::uint64_t, std::string> categories, events, annotations, stages;
};

std::string nameOf(const std::map<std::uint64_t, std::string>& names, std::uint64_t iid) {
    const auto found = names.find(iid);
    return found == names.end() ? std::string() : found->second;
}

std::string keyOf(const DebugAnnotation& annotation, const Names& names) {
    return annotation.has_name() ? annotation.name() : nameOf(names.annotations, annotation.name_iid());
}

nlohmann::json argumentOf(const DebugAnnotation& annotation, const Names& names);

template <class Annotations>
nlohmann::json argumentsOf(const Annotations& members, const Names& names) {
    nlohmann::json object = nlohmann::json::object();
    for (const DebugAnnotation& each : members) object[keyOf(each, names)] = argumentOf(each, names);
    return object;
}

nlohmann::json argumentOf(const DebugAnnotation& annotation, const Names& names) {
    if (annotation.dict_entries_size() > 0) return argumentsOf(annotation.dict_entries(), names);
    if (annotation.has_bool_value()) return annotation.bool_value();
    if (annotation.has_int_value()) return annotation.int_value();
    if (annotation.has_uint_value()) return annotation.uint_value();
    if (annotation.has_double_value()) return annotation.double_value();
    if (annotation.has_string_value()) return annotation.string_value();
    nlohmann::json list = nlohmann::json::array();
    for (const DebugAnnotation& each : annotation.array_values()) list.push_back(argumentOf(each, names));
    return list;
}

// Of traces without categories: by the track, and by the names that PyTorch gives.
std::string categoryOf(const std::string& name, bool of_gpu) {
    if (of_gpu) return "kernel";
    for (const char* prefix : {"aten::", "c10d::", "autograd::"})
        if (name.starts_with(prefix)) return "cpu_op";
    for (const char* prefix : {"cuda", "cuLaunch", "hip"})
        if (name.starts_with(prefix)) return "cuda_runtime";
    return "user_annotation";
}

class PerfettoReader {
public:
    void take(const TracePacket& packet) {
        if (packet.has_clock_snapshot()) clocks(packet.clock_snapshot());
        if (packet.has_track_descriptor()) track(packet.track_descriptor());
        if (packet.has_interned_data()) intern(packet.interned_data());
        const auto time_ns = static_cast<std::int64_t>(
            std::min<std::uint64_t>(packet.timestamp(), std::numeric_limits<std::int64_t>::max()));
        if (packet.has_track_event()) slice(time_ns, packet.track_event());
        if (packet.has_gpu_render_stage_event()) stage(time_ns, packet.gpu_render_stage_event());
    }

    void give(const std::function<void(std::string_view)>& event,
              const std::function<void(std::string_view, std::string_view)>& value) {
        place();
        if (!pairInOrder()) pairNested();
        std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
            return std::tie(a.start_ns, b.end_ns) < std::tie(b.start_ns, a.end_ns);
        });
        if (!found_.empty() && !base_ns_) base_ns_ = found_.front().start_ns;
        const std::string base = std::to_string(base_ns_.value_or(0));
        value("baseTimeNanoseconds", base);
        for (const Found& each : found_) {
            std::string text = eventText(each);
            text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
            event(text);
        }
    }

private:
    struct Track {
        int process = 0, thread = 0;
        std::uint64_t parent = 0;
        std::string name;
    };
    struct Found {
        std::int64_t start_ns = 0, end_ns = 0;
        std::string name, category, arguments;
        int process = 0, thread = 0;
    };
    struct Edge {
        std::uint64_t track = 0;
        std::int64_t time_ns = 0;
        std::size_t slice = 0;  // of found_, of a beginning
        bool begins = false;
    };

    void clocks(const perfetto::ClockSnapshot& snapshot) {
        for (const auto& clock : snapshot.clocks())
            if (clock.clock_id() == kRealtime && !base_ns_)
                base_ns_ = static_cast<std::int64_t>(
                    std::min<std::uint64_t>(clock.timestamp(), std::numeric_limits<std::int64_t>::max()));
    }
    void track(const perfetto::TrackDescriptor& found) {
        Track& track = tracks_[found.uuid()];
        track = {found.has_thread() ? found.thread().pid() : found.process().pid(), found.thread().tid(),
                 found.parent_uuid(),
                 found.has_process()  ? found.process().process_name()
                 : found.has_thread() ? found.thread().thread_name()
                                      : found.name()};
    }
    void intern(const perfetto::InternedData& data) {
        const auto learn = [](const auto& from, std::map<std::uint64_t, std::string>& names) {
            for (const auto& each : from) names[each.iid()] = each.name();
        };
        learn(data.event_categories(), names_.categories);
        learn(data.event_names(), names_.events);
        learn(data.debug_annotation_names(), names_.annotations);
        learn(data.gpu_specifications(), names_.stages);
    }
    void slice(std::int64_t time_ns, const TrackEvent& event) {
        if (event.type() == TrackEvent::TYPE_SLICE_END) {
            edges_.push_back({event.track_uuid(), time_ns, 0, false});
            return;
        }
        if (event.type() != TrackEvent::TYPE_SLICE_BEGIN) return;
        Found& found = found_.emplace_back();
        found.start_ns = time_ns;
        found.end_ns = kOpen;
        found.name = event.has_name() ? event.name() : nameOf(names_.events, event.name_iid());
        if (event.category_iids_size() > 0)
            found.category = nameOf(names_.categories, event.category_iids(0));
        else if (event.categories_size() > 0)
            found.category = event.categories(0);
        found.arguments = jsonText(argumentsOf(event.debug_annotations(), names_));
        edges_.push_back({event.track_uuid(), time_ns, found_.size() - 1, true});
    }
    // Its arguments are texts, which a number is where it is one.
    void stage(std::int64_t time_ns, const perfetto::GpuRenderStageEvent& event) {
        const std::string stage = nameOf(names_.stages, event.stage_iid());
        if (stage != "Kernel" && !event.has_name_iid() && !event.has_name()) return;  // a copy, an annotation
        if (stage == "Annotation") return;
        Found& found = found_.emplace_back();
        found.start_ns = time_ns;
        const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() - time_ns);
        found.end_ns = time_ns + static_cast<std::int64_t>(std::min(event.duration(), most));
        found.name = event.has_name() ? event.name() : nameOf(names_.events, event.name_iid());
        found.category = "kernel";
        found.process = event.gpu_id();
        found.thread = static_cast<int>(event.hw_queue_iid() & 0x7fffffff);
        nlohmann::json arguments = nlohmann::json::object();
        for (const auto& each : event.extra_data()) {
            std::int64_t number = 0;
            const char* const last = each.value().data() + each.value().size();
            const auto [end, error] = std::from_chars(each.value().data(), last, number);
            const bool is_number = error == std::errc() && end == last && !each.value().empty();
            arguments[each.name()] = is_number ? nlohmann::json(number) : nlohmann::json(each.value());
        }
        found.arguments = jsonText(arguments);
    }

    // Tracks may be described behind their slices.
    void place() {
        for (const Edge& edge : edges_) {
            if (!edge.begins) continue;
            const Track track = tracks_[edge.track];
            Found& slice = found_[edge.slice];
            slice.process = track.process;
            slice.thread = track.thread;
            if (slice.category.empty())
                slice.category = categoryOf(slice.name, tracks_[track.parent].name.starts_with("GPU "));
        }
    }
    // PyTorch writes many beginnings and then, in the same order, their ends: so slices may overlap on a
    // track. False: the packets are not in that form, but in the order of their times.
    bool pairInOrder() {
        std::int64_t latest_ns = std::numeric_limits<std::int64_t>::min();
        bool by_time = true;
        for (const Edge& edge : edges_)
            by_time = by_time && edge.time_ns >= std::exchange(latest_ns, edge.time_ns);
        if (by_time) return false;
        std::vector<std::pair<std::size_t, std::int64_t>> pairs;
        std::deque<const Edge*> open;
        for (const Edge& edge : edges_) {
            if (edge.begins) {
                open.push_back(&edge);
                continue;
            }
            if (open.empty() || open.front()->track != edge.track || open.front()->time_ns > edge.time_ns)
                return false;
            pairs.emplace_back(open.front()->slice, edge.time_ns);
            open.pop_front();
        }
        for (const auto& [slice, end_ns] : pairs) found_[slice].end_ns = end_ns;
        return true;
    }
    // Every end closes what was opened last on its track. At one time slices that began before end first, and
    // one without length last.
    void pairNested() {
        std::stable_sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) {
            return std::tie(a.track, a.time_ns) < std::tie(b.track, b.time_ns);
        });
        std::vector<std::size_t> open;
        for (std::size_t first = 0, last; first < edges_.size(); first = last) {
            const Edge& edge = edges_[first];
            if (first > 0 && edges_[first - 1].track != edge.track) open.clear();
            std::size_t ended = 0;
            for (last = first; last < edges_.size() && edges_[last].track == edge.track &&
                               edges_[last].time_ns == edge.time_ns;
                 ++last)
                ended += edges_[last].begins ? 0 : 1;
            const std::size_t before = std::min(ended, open.size());
            end(open, before, edge.time_ns);
            for (std::size_t at = first; at < last; ++at)
                if (edges_[at].begins) open.push_back(edges_[at].slice);
            end(open, std::min(ended - before, open.size()), edge.time_ns);
        }
    }
    void end(std::vector<std::size_t>& open, std::size_t count, std::int64_t time_ns) {
        for (; count > 0; --count) {
            found_[open.back()].end_ns = time_ns;
            open.pop_back();
        }
    }

    std::string eventText(const Found& found) const {
        std::string text = "{\"ph\":\"X\",\"cat\":" + jsonText(found.category) +
                           ",\"name\":" + jsonText(found.name) + ",\"pid\":" + std::to_string(found.process) +
                           ",\"tid\":" + std::to_string(found.thread);
        text += ",\"ts\":";
        appendMicroseconds(text, found.start_ns - base_ns_.value_or(0));
        if (found.end_ns != kOpen) {  // one that never ended has no length, and counts for nothing
            text += ",\"dur\":";
            appendMicroseconds(text, found.end_ns - found.start_ns);
        }
        return text + ",\"args\":" + found.arguments + "}";
    }

    static constexpr std::int64_t kOpen = std::numeric_limits<std::int64_t>::min();

    std::optional<std::int64_t> base_ns_;
    Names names_;
    std::map<std::uint64_t, Track> tracks_;
    std::vector<Edge> edges_;  // as the packets come
    std::vector<Found> found_;
};

}  // namespace

PerfettoKind perfettoKind(std::string_view beginning) {
    CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(beginning.data()),
                            static_cast<int>(beginning.size()));
    for (bool is_trace = false;;) {
        std::uint32_t size = 0;
        std::string bytes;
        if (stream.ReadTag() != kPacketTag || !stream.ReadVarint32(&size)) return PerfettoKind::None;
        if (size > beginning.size() || !stream.ReadString(&bytes, static_cast<int>(size)))
            return is_trace ? PerfettoKind::Profiler : PerfettoKind::None;  // the beginning ends within it
        TracePacket packet;
        if (!packet.ParseFromString(bytes)) return PerfettoKind::None;
        if (packet.has_track_descriptor()) {
            const auto& track = packet.track_descriptor();
            if (track.has_process() || track.has_thread()) return PerfettoKind::Profiler;
            return is_trace ? PerfettoKind::Profiler : PerfettoKind::Own;
        }
        is_trace = packet.has_clock_snapshot() || packet.has_interned_data() || packet.has_track_event();
        if (!is_trace) return PerfettoKind::None;
    }
}

bool readPerfetto(FileText& text, const std::function<void(std::string_view object)>& event,
                  const std::function<void(std::string_view key, std::string_view value)>& value,
                  const std::function<void()>& progress) {
    Packets packets(text, progress);
    PerfettoReader reader;
    TracePacket packet;
    while (const auto bytes = packets.next()) {
        if (!packet.ParseFromArray(bytes->data(), static_cast<int>(bytes->size())))
            throw ImportError(ofFile(text.path(), sentence("a packet of the trace is damaged")));
        reader.take(packet);
    }
    reader.give(event, value);
    return packets.whole() && !text.cutOff();
}

}  // namespace bscope
