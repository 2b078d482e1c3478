// The part of Replayer that reads a file into steps, and gives out its beginning before the rest is read.
// Runs on the loading thread; touches nothing else.
#pragma once

#include <algorithm>
#include <map>

#include "app/recording/replayer.h"
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
    static Loaded load(const QString& path, const RecordingReader::Progress& progress,
                       const TakePart& take_part);

private:
    void add(const wire::Message& message);
    template <typename T>
    void boundary(const T& what);
    void event(const Event& event);
    Loaded inOrder(Loaded loaded) const;

    Loaded loaded_;
    std::optional<std::int64_t> first_ns_;                 // start of the earliest event
    std::map<std::pair<int, bool>, std::int64_t> row_ns_;  // (rank, receive): time of the last step
    std::int64_t floor_ns_ = 0, latest_ns_ = 0;
};

}  // namespace bscope::ui
