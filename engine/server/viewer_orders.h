// ViewerOrders: carries out the requests of a controlling viewer: settings, run and pause, sweeps, and states
// in those files alone that the engine's owner allowed. The server's thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/allowed_files.h"
#include "server/engine_loop.h"

namespace bscope {

class ViewerOrders {
public:
    // Both live longer.
    ViewerOrders(EngineLoop& loop, const AllowedFiles& allowed, std::function<void()> shut_down)
        : loop_(loop), allowed_(allowed), shut_down_(std::move(shut_down)) {}

    // The answer for this viewer, where there is one. Throws NotAllowed.
    std::optional<wire::Message> handle(const wire::Message& message);

private:
    void control(wire::Control::Verb verb);
    wire::ConfigureReply configure(const wire::Configure& wanted);
    void admitFiles(RunConfig& config, std::vector<Problem>& found) const;

    EngineLoop& loop_;
    const AllowedFiles& allowed_;
    std::function<void()> shut_down_;
};

}  // namespace bscope
