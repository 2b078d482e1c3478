// WatchedWindow: the main window attached to an engine that a script is, so that every number that arrives is
// known.
#pragma once

#include "fake_engine.h"
#include "opened_window.h"
#include "required.h"

namespace bscope::ui {

struct WatchedWindow : OpenedWindow {
    FakeEngine engine;
    RunConfig config;
    std::int64_t end_ns = 0;  // of the last iteration that ran

    using OpenedWindow::OpenedWindow;
    Session& session() { return part<Session>(window); }
    // The engine has `config` and is in that state.
    void attach(wire::RunState state) {
        window.connectTo({"127.0.0.1", engine.port(), {}}, false);
        REQUIRE_SOON(engine.last(wire::Message::kAttach));
        engine.hello(config, state);
        REQUIRE_SOON(session().hello().controller());
    }
    // From iteration 0 on; all are there.
    void run(int iterations) {
        engine.status(wire::RUNNING);
        engine.start(config, 0, 0);
        for (int i = 0; i < iterations; ++i) end_ns = engine.iteration(config, i, end_ns);
        REQUIRE_SOON(session().history().newestComplete() == iterations - 1);
    }
};

}  // namespace bscope::ui
