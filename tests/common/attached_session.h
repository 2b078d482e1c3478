// AttachedSession: a session of the window at an engine made of a script.
#pragma once

#include "app/session/session.h"
#include "fake_engine.h"
#include "required.h"

namespace bscope::ui {

// A session attached to an engine that runs the default configuration; `iterations` of it are done.
struct AttachedSession {
    FakeEngine engine;
    Session session;
    RunConfig config;
    std::int64_t end_ns = 0;

    explicit AttachedSession(int iterations = 0, bool controller = true) {
        session.connectTo({"127.0.0.1", engine.port(), {}}, false);
        REQUIRE_SOON(engine.last(wire::Message::kAttach));
        engine.hello(config, wire::RUNNING, controller);
        engine.start(config, 0, 0);
        for (int i = 0; i < iterations; ++i) end_ns = engine.iteration(config, i, end_ns);
        REQUIRE_SOON(session.history().newestComplete() == iterations - 1);
        REQUIRE_SOON(session.state() == SessionState::Running);
    }
    std::uint64_t request() const {
        const wire::Message* configure = engine.last(wire::Message::kConfigure);
        return configure ? configure->configure().request() : 0;
    }
};

inline RunConfig withM(RunConfig config, int m) {
    config.params.m = m;
    return config;
}

}  // namespace bscope::ui
