// StreamRecorder: a thread that writes frames to a recording, so that a slow disk delays no rank and no
// viewer. push() from any thread.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "server/frame_queue.h"
#include "wire/recording.h"

namespace bscope {

class StreamRecorder {
public:
    // Throws WireError when the file cannot be created. tell gets what goes wrong, in sentences, from the
    // recorder's thread.
    StreamRecorder(const std::filesystem::path& file, RecordingWriter::ErrorHandler tell);
    // Writes what was pushed, closes the file.
    ~StreamRecorder();
    StreamRecorder(const StreamRecorder&) = delete;
    StreamRecorder& operator=(const StreamRecorder&) = delete;

    void push(OutFrame frame);

private:
    void write();

    RecordingWriter::ErrorHandler tell_;
    RecordingWriter writer_;
    std::mutex mutex_;
    std::condition_variable changed_;
    FrameQueue queue_;
    bool closing_ = false;
    std::thread thread_;
};

}  // namespace bscope
