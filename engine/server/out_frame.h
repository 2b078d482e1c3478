// OutFrame: one message, encoded once, on its way to every viewer and to the recording. A value; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "wire/frame.h"

namespace bscope {

struct OutFrame {
    std::shared_ptr<const std::string> bytes;  // the whole frame
    wire::Message::BodyCase body = wire::Message::BODY_NOT_SET;
    std::uint32_t events = 0;     // of an EventBatch
    std::uint32_t kernels = 0;    // of a KernelBatch
    bool kept = false;            // goes out even when droppable: the history of a new viewer
    std::int32_t iteration = -1;  // of an IterationStart or a report

    // What may be left out for a viewer that stalls. Everything else always arrives.
    bool droppable() const {
        if (kept) return false;
        return body == wire::Message::kEvents || body == wire::Message::kMemory ||
               body == wire::Message::kKernels || body == wire::Message::kWatermark;
    }
};

inline OutFrame makeFrame(const wire::Message& message) {
    const auto events = message.has_events() ? message.events().start_delta_ns_size() : 0;
    const auto kernels = message.has_kernels() ? message.kernels().start_delta_ns_size() : 0;
    const std::int32_t iteration = message.has_iteration_start()    ? message.iteration_start().iteration()
                                   : message.has_iteration_report() ? message.iteration_report().iteration()
                                                                    : -1;
    return {std::make_shared<const std::string>(encode(message)),
            message.body_case(),
            static_cast<std::uint32_t>(events),
            static_cast<std::uint32_t>(kernels),
            false,
            iteration};
}

// Takes frames in the order of the stream. Called from any thread, must not block.
using FrameSink = std::function<void(OutFrame)>;

}  // namespace bscope
