// Screen: the terminal while a picture stands on it, by ncursesw alone. Whatever way it goes out of scope,
// the terminal is as it was. One object at a time, one thread.
#pragma once

#include <memory>
#include <optional>

#include "terminal/grid.h"
#include "terminal/keys.h"
#include "view/text/text_gantt.h"

namespace bscope::terminal {

class Screen {
public:
    // colours: false with NO_COLOR. Throws SentenceError: this program has no ncursesw, input or output is no
    // terminal, or TERM names one on which no letter can be placed.
    explicit Screen(bool colours);
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    int columns() const;
    int rows() const;
    TerminalColours colours() const;

    // Only what differs from the picture before is sent.
    void show(const Grid& grid);
    // What was typed or clicked next; nullopt: nothing more now.
    std::optional<Input> next();
    // The terminal has another size.
    void resize();
    // Gives the terminal back until the process is continued.
    void suspend();

private:
    void close();

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bscope::terminal
