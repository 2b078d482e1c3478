#include "view/stream_reader.h"

#include "catalog/catalog.h"
#include "wire/convert.h"
#include "wire/ranges.h"

namespace bscope {
namespace {

constexpr long kMostCellsUnsent = kMaxCells / 16;  // of an order that did not travel
constexpr long kMostCellsOfStream = kMaxCells / 4;

// Of the piece of the endless stream that a plan plays.
long streamCells(const ScheduleParams& params, int m) {
    const long ahead = (params.p - 1 + m - 1) / m;
    return static_cast<long>(params.p) * m * (2 * ahead + 4);
}

}  // namespace

IterationStart startWithOrder(const wire::IterationStart& message) {
    IterationStart start = fromWire(message);
    const RunConfig& config = start.config;
    if (!start.schedule) {
        if (config.params.cells() > kMostCellsUnsent)
            throw WireError(sentence("the order of {0} is too large to be made again here", config.schedule));
        if (const auto found = problems(config); !found.empty()) throw WireError(found.front().withLegal());
        start.schedule = std::make_shared<const Schedule>(makeSchedule(config.schedule, config.params));
    }
    if (start.schedule->step_every > 0 && streamCells(config.params, config.params.m) > kMostCellsOfStream)
        throw WireError(sentence("the stream of {0} is too large to be planned here", config.schedule));
    return start;
}

StreamChange applyToHistory(const wire::Message& message, RunHistory& history) {
    switch (message.body_case()) {
        case wire::Message::kIterationStart:
            try {
                history.iterationStarted(startWithOrder(message.iteration_start()));
            } catch (const WireError&) {
                history.startRefused();
                throw;
            }
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
            history.watermark(checkedTime(message.watermark().time_ns()));
            return StreamChange::Progress;
        case wire::Message::kIterationReport:
            history.iterationFinished(fromWire(message.iteration_report()));
            return StreamChange::Finished;
        case wire::Message::kPromise:
            history.promised(fromWire(message.promise()));
            return StreamChange::Progress;
        case wire::Message::kNote:
            history.noted(fromWire(message.note()));
            return StreamChange::Progress;
        default:
            return StreamChange::None;
    }
}

}  // namespace bscope
