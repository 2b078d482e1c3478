#include "app/recording/stream_recorder.h"

#include <limits>

#include "widgets/text/config_text.h"

namespace bscope::ui {
namespace {

constexpr std::int32_t kAll = std::numeric_limits<std::int32_t>::max();

}  // namespace

bool StreamRecorder::start(const QString& path, bool between_iterations) {
    stop();
    error_.clear();
    try {
        writer_ = std::make_unique<RecordingWriter>(path.toStdString(),
                                                    [this](const Sentence& what) { error_ = said(what); });
    } catch (const WireError& error) {
        emit failed({tr("The recording could not be started: %1.").arg(said(error.said)),
                     tr("Choose another file or folder."),
                     {}});
        return false;
    }
    path_ = path;
    waiting_ = !between_iterations || aside_;
    writer_->write(hello_);
    if (!waiting_) begin(kAll);
    flush();
    if (writer_) emit changed();
    return writer_ != nullptr;
}

void StreamRecorder::stop() {
    if (!writer_) return;
    writer_->close();
    endIfStopped();
    if (!writer_) return;
    writer_.reset();
    emit changed();
}

void StreamRecorder::take(const Received& received) {
    const bool start = received.message.has_iteration_start();
    if (received.message.has_hello()) hello_ = received.frame;
    if (start) iteration_start_ = received.frame;
    if (!writer_ || aside_) return;
    const bool boundary = start || received.message.has_iteration_report();
    if (returning_) {
        if (!boundary) return;
        returning_ = false;
        if (!waiting_) return writer_->write(iteration_start_);
    }
    if (!waiting_) {
        writer_->write(received.frame);
        return;
    }
    if (boundary) {
        waiting_ = false;
        begin(start ? received.message.iteration_start().iteration() : kAll);
    }
}

void StreamRecorder::begin(std::int32_t before) {
    writer_->write(iteration_start_);
    for (const std::string& frame : kept_) writer_->write(frame);
    if (!written_) return;
    for (const std::string& frame : written_(before)) writer_->write(frame);
}

void StreamRecorder::add(const std::string& frame, Keep keep) {
    if (keep == Keep::Yes) kept_.push_back(frame);
    if (!writer_ || waiting_ || aside_) return;
    writer_->write(frame);
    flush();
}

void StreamRecorder::setAside(bool aside) {
    returning_ = aside_ && !aside;
    aside_ = aside;
}

void StreamRecorder::flush() {
    if (!writer_) return;
    writer_->flush();
    endIfStopped();
}

void StreamRecorder::forget() {
    hello_.clear();
    iteration_start_.clear();
    kept_.clear();
}

void StreamRecorder::endIfStopped() {
    if (error_.isEmpty()) return;
    writer_.reset();
    emit changed();
    emit failed({tr("Recording to %1 stopped: the file could not be written.").arg(path_),
                 tr("Make room on the disk or choose another folder; the run goes on, and what was written "
                    "can be opened."),
                 std::exchange(error_, {})});
}

}  // namespace bscope::ui
