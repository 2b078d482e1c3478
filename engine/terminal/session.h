// Session: a viewer on a screen until the person quits: keys, the terminal's size and signals come in,
// pictures go out, at most about ten a second and none while nothing changes. The terminal is given back
// whatever ends it. One thread: the caller's.
#pragma once

#include <memory>

#include "terminal/viewer.h"

namespace bscope::terminal {

struct ScreenOptions {
    bool colours = true;              // as far as the terminal has them
    std::optional<bool> dark_ground;  // nullopt: as COLORFGBG says, else dark
};

class Session {
public:
    // Opens the screen. Throws as Screen does.
    Session(Viewer& viewer, const ScreenOptions& options);
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
