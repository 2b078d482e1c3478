// Keys of the terminal view and what they do: the window's own where a terminal has them. The help page is
// made of the same table. Constants; any thread.
#pragma once

#include <span>
#include <string_view>

namespace bscope::terminal {

// A letter as its code point; what has none lies above all of these.
enum class Key : char32_t {
    Tab = U'\t',
    Enter = U'\n',
    Escape = 27,
    Space = U' ',
    Backspace = 127,
    Up = 0x110000,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    F1,
    F5,
    F6,
    Click,
    WheelUp,
    WheelDown,
};

struct Input {
    Key key = Key::Escape;
    int column = 0, row = 0;  // of the mouse
};

enum class Command {
    None,
    ZoomIn,
    ZoomOut,
    PanLeft,
    PanRight,
    LanesUp,
    LanesDown,
    Whole,
    Focus,
    UndoZoom,
    Clear,
    PreviousBox,
    NextBox,
    NextGap,
    LargerGap,
    Back,
    Forth,
    PreviousIteration,
    NextIteration,
    Newest,
    Follow,
    Bubbles,
    Memory,
    Unit,
    Panel,
    RunOrPause,
    Step,
    Setup,
    Sweep,
    Explain,
    Reconnect,
    Help,
    Quit,
};

struct KeyRow {
    Command command;
    std::u32string_view keys;  // values of Key
    const char* shown;         // "W, +"; the same in every language
    const char* what;          // id of a sentence
    bool of_live = false;      // only where there is an engine
};
std::span<const KeyRow> keyRows();
Command commandOf(Key key);

}  // namespace bscope::terminal
