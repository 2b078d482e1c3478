#include "app/session/sweeps.h"

#include <utility>

#include "wire/convert.h"

namespace bscope::ui {

Sweeps::Sweeps(EngineStream& stream, QObject* parent) : QObject(parent), stream_(stream) {
    connect(&stream, &EngineStream::sweepReceived, this, [this](const SweepState& state) {
        state_ = state;
        emit changed();
    });
}

void Sweeps::start(const Request& request) {
    if (stream_.refusesToControl()) return;
    wire::Message message;
    wire::StartSweep& start = *message.mutable_start_sweep();
    start.set_axis(toWire(request.axis));
    for (const int value : request.values) start.add_m(value);
    start.set_iterations(request.iterations);
    start.set_fixed_batch(request.fixed_batch);
    start.set_memory_cap_mb(request.memory_cap_mb);
    state_.reset();
    emit changed();
    if (stream_.isAttached()) return stream_.send(message);
    waiting_ = message;
    if (stream_.connection().phase() == EngineConnection::Phase::Off) emit engineWanted();
}

void Sweeps::cancel() {
    waiting_.reset();
    if (!stream_.isAttached()) return end();
    wire::Message message;
    message.mutable_cancel_sweep();
    stream_.send(message);
}

QString Sweeps::obstacle() const {
    if (stream_.connection().phase() == EngineConnection::Phase::Waiting)
        return tr("The engine is not connected.");
    if (stream_.onlyWatches()) return tr("This window only watches: another one controls the engine.");
    return {};
}

void Sweeps::sendWaiting() {
    if (waiting_) stream_.send(*std::exchange(waiting_, std::nullopt));
}

void Sweeps::end() {
    if (!state_ || state_->finished || state_->cancelled) return;
    state_->cancelled = true;
    emit changed();
}

}  // namespace bscope::ui
