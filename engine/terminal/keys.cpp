#include "terminal/keys.h"

#include <string>

namespace bscope::terminal {
namespace {

constexpr char32_t operator*(Key key) {
    return static_cast<char32_t>(key);
}

template <Key... keys>
inline constexpr char32_t kSpecial[] = {*keys..., 0};

constexpr char32_t kZoomIn[] = {U'w', U'+', U'=', 0};
constexpr char32_t kPanLeft[] = {U'a', *Key::Left, 0};
constexpr char32_t kPanRight[] = {U'd', *Key::Right, 0};
constexpr char32_t kWhole[] = {U'0', *Key::Home, 0};
constexpr char32_t kPrevious[] = {U'j', *Key::PageUp, 0};
constexpr char32_t kNext[] = {U'k', *Key::PageDown, 0};
constexpr char32_t kRun[] = {U' ', U'p', *Key::F5, 0};
constexpr char32_t kStep[] = {U'n', *Key::F6, 0};
constexpr char32_t kHelp[] = {U'?', *Key::F1, 0};

constexpr KeyRow kRows[] = {
    {Command::ZoomIn, kZoomIn, "W, +", "Zoom in at the cursor"},
    {Command::ZoomOut, U"s-", "S, -", "Zoom out"},
    {Command::PanLeft, kPanLeft, "A, Left", "Pan left"},
    {Command::PanRight, kPanRight, "D, Right", "Pan right"},
    {Command::LanesUp, kSpecial<Key::Up>, "Up", "The box on the lane above, or lanes up"},
    {Command::LanesDown, kSpecial<Key::Down>, "Down", "The box on the lane below, or lanes down"},
    {Command::Whole, kWhole, "0, Home", "Whole iteration"},
    {Command::Focus, U"f", "F", "Focus the selection"},
    {Command::UndoZoom, kSpecial<Key::Backspace>, "Backspace", "Undo zoom"},
    {Command::Clear, kSpecial<Key::Escape>, "Esc", "Clear the selection; leave a page"},
    {Command::PreviousBox, U",", ",", "Previous box on the lane"},
    {Command::NextBox, U".", ".", "Next box on the lane"},
    {Command::NextGap, U";", ";", "Next largest gap of the iteration"},
    {Command::LargerGap, U":", ":", "Back to the larger gap"},
    {Command::Back, U"[", "[", "Follow the dependency back"},
    {Command::Forth, U"]", "]", "Follow the dependency forwards"},
    {Command::PreviousIteration, kPrevious, "J, PgUp", "Previous iteration"},
    {Command::NextIteration, kNext, "K, PgDn", "Next iteration"},
    {Command::Newest, kSpecial<Key::End>, "End", "The newest iteration"},
    {Command::Follow, U"F", "Shift+F", "Follow the run", true},
    {Command::Bubbles, U"b", "B", "Bubbles"},
    {Command::Memory, U"y", "Y", "Memory"},
    {Command::Unit, U"u", "U", "Time in units of F"},
    {Command::Panel, U"Q", "Shift+Q", "Numbers beside the picture"},
    {Command::RunOrPause, kRun, "Space, P", "Run or pause", true},
    {Command::Step, kStep, "F6, N", "One iteration", true},
    {Command::Setup, kSpecial<Key::Tab>, "Tab", "Change schedule, p, m, v, checkpointing", true},
    {Command::Sweep, U"x", "X", "Sweep m, v, p or checkpointing", true},
    {Command::Explain, U"e", "E", "Explain the schedule"},
    {Command::Reconnect, U"r", "R", "Connect again", true},
    {Command::Help, kHelp, "?, F1", "This page"},
    {Command::Quit, U"q", "q", "Quit"},
};

}  // namespace

std::span<const KeyRow> keyRows() {
    return kRows;
}

Command commandOf(Key key) {
    for (const KeyRow& row : kRows)
        if (row.keys.find(*key) != std::u32string_view::npos) return row.command;
    // Capitals of letters that have no meaning of their own.
    if (*key >= U'A' && *key <= U'Z') return commandOf(static_cast<Key>(*key + (U'a' - U'A')));
    return Command::None;
}

}  // namespace bscope::terminal
