#include "stream_reader.h"

#include "wire/convert.h"

namespace bscope::ui {

StreamChange applyToHistory(const wire::Message& message, RunHistory& history) {
    switch (message.body_case()) {
        case wire::Message::kIterationStart:
            history.iterationStarted(fromWire(message.iteration_start()));
            return StreamChange::Started;
        case wire::Message::kEvents:
            history.events(fromWire(message.events()));
            return StreamChange::Progress;
        case wire::Message::kMemory:
            history.memory(fromWire(message.memory()));
            return StreamChange::Progress;
        case wire::Message::kKernels:
            history.kernels(fromWire(message.kernels()));
            return StreamChange::Progress;
        case wire::Message::kWatermark:
            history.watermark(message.watermark().time_ns());
            return StreamChange::Progress;
        case wire::Message::kIterationReport:
            history.iterationFinished(fromWire(message.iteration_report()));
            return StreamChange::Finished;
        default:
            return StreamChange::None;
    }
}

}  // namespace bscope::ui
