#include "server/stream_recorder.h"

#include "clock/start_thread.h"

namespace bscope {
namespace {
constexpr std::size_t kDiskQueueBytes = 64u << 20;
}

StreamRecorder::StreamRecorder(const std::filesystem::path& file, RecordingWriter::ErrorHandler tell)
    : tell_(std::move(tell)),
      writer_(file, tell_),
      queue_(kDiskQueueBytes),
      thread_(startThread(sentence("the recording"), [this] { write(); })) {}

StreamRecorder::~StreamRecorder() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void StreamRecorder::push(OutFrame frame) {
    {
        const std::lock_guard lock(mutex_);
        queue_.push(std::move(frame));
    }
    changed_.notify_one();
}

void StreamRecorder::write() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return closing_ || !queue_.empty(); });
        const auto frame = queue_.pop();
        if (!frame) break;
        lock.unlock();
        writer_.write(*frame->bytes);
        if (frame->body == wire::Message::kIterationReport) writer_.flush();
        lock.lock();
    }
    lock.unlock();
    writer_.close();
    const auto reportMissing = [this](std::uint64_t count, const Sentence& what) {
        if (count > 0)
            tell_(sentence("The recording lacks {0} {1}: the disk was too slow for them.", count, what));
    };
    reportMissing(queue_.droppedEvents(), sentence("events"));
    reportMissing(queue_.droppedKernels(), sentence("kernels"));
}

}  // namespace bscope
