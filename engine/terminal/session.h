// Session: a viewer on a screen until the person quits: keys, the terminal's size and signals come in,
// pictures go out, at most about ten a second and none while nothing changes. The terminal is given back
// whatever ends it. One thread: the caller's.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "terminal/engine_link.h"
#include "terminal/viewer.h"

namespace bscope::terminal {

struct ScreenOptions {
    bool colours = true;              // as far as the terminal has them
    std::optional<bool> dark_ground;  // nullopt: as COLORFGBG says, else dark
};

// A server to watch, or an engine of one's own.
struct EngineSource {
    EngineAddress address;  // without an own engine
    bool is_own = false;
    std::vector<std::string> arguments;  // of the own engine, as bscope serve takes them
};

class Session {
public:
    // Opens the screen; without a source the viewer has a recording. Throws as Screen does.
    Session(Viewer& viewer, const ScreenOptions& options, std::optional<EngineSource> source = std::nullopt);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // Until the person quits, Ctrl-C or SIGTERM.
    void run();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bscope::terminal
