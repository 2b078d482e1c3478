// The part of Replayer that reads a file into steps, and gives out its beginning before the rest is read.
// Runs on the loading thread; touches nothing else.
#pragma once

#include <algorithm>
#include <map>

#include "app/recording/replayer.h"
#include "check/report_audit.h"
#include "wire/convert.h"
#include "wire/recording.h"

namespace bscope::ui {

// Steps get the time at which they were true: an operation its end, the start and the report of an iteration
// the greatest time before them in the file. No step is earlier than the start it belongs to, and the steps
// of one row of the timeline keep their order.
class Replayer::Loader {
public:
    // The file up to the report of an iteration, as if it ended there: after kFirstPartBytes, then each time
    // four times as much is read, so that all copies together are at most a third of the whole.
    using TakePart = std::function<void(Loaded)>;
    static constexpr std::uint64_t kFirstPartBytes = 1 << 20, kPartGrowth = 4;
    // Steps are sorted as each iteration ends, as soon as there are so many.
    static constexpr std::size_t kSortedTogether = 1 << 12;
    static Loaded load(const QString& path, const RecordingReader::Progress& progress,
                       const TakePart& take_part);

private:
    void add(const wire::Message& message);
    template <typename T>
    void boundary(const T& what);
    void event(const Event& event);
    void kernels(KernelPart part);
    Loaded inOrder(Loaded loaded) const;

    Loaded loaded_;
    ReportAudit audit_;
    std::optional<std::int64_t> first_ns_;                       // start of the earliest event
    using Row = std::pair<int, bool>;                            // rank, receive
    std::map<Row, std::int64_t> row_ns_;                         // time of its last step
    std::map<Row, std::int64_t>::iterator row_ = row_ns_.end();  // of the last event: batches are of one rank
    std::int64_t floor_ns_ = 0, latest_ns_ = 0;
};

}  // namespace bscope::ui
