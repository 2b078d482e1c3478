// Screen by ncursesw; without_curses.cpp stands in its place where that is missing.
#define NCURSES_NOMACROS
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include "terminal/screen.h"
#include "words/sentence_error.h"

namespace bscope::terminal {
namespace {

constexpr int kManyColours = 256, kAnyColour = 1 << 24, kEscapeDelay_ms = 25;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

// As the terminal is described, or as the same one with any colour, when it says that it has them and the
// system knows it. Null: the system knows neither.
SCREEN* openTerminal(const std::string& term) {
    const std::string colours = variable("COLORTERM");
    if (colours == "truecolor" || colours == "24bit")
        if (SCREEN* screen =
                newterm((term.substr(0, term.find("-256color")) + "-direct").c_str(), stdout, stdin))
            return screen;
    return term.empty() ? nullptr : newterm(term.c_str(), stdout, stdin);
}

// Letters go out as UTF-8, as all that bscope prints.
void useUtf8() {
    std::setlocale(LC_CTYPE, "");
    if (std::string(nl_langinfo(CODESET)) != "UTF-8") std::setlocale(LC_CTYPE, "C.UTF-8");
}

std::optional<Key> keyOf(int code) {
    switch (code) {
        case KEY_UP:
            return Key::Up;
        case KEY_DOWN:
            return Key::Down;
        case KEY_LEFT:
            return Key::Left;
        case KEY_RIGHT:
            return Key::Right;
        case KEY_HOME:
            return Key::Home;
        case KEY_END:
            return Key::End;
        case KEY_PPAGE:
            return Key::PageUp;
        case KEY_NPAGE:
            return Key::PageDown;
        case KEY_BACKSPACE:
            return Key::Backspace;
        case KEY_ENTER:
            return Key::Enter;
        case KEY_F(1):
            return Key::F1;
        case KEY_F(5):
            return Key::F5;
        case KEY_F(6):
            return Key::F6;
        default:
            return std::nullopt;
    }
}

}  // namespace

struct Screen::Impl {
    SCREEN* screen = nullptr;
    TerminalColours colours = TerminalColours::None;
    std::map<std::pair<int, int>, int> pairs;

    // A terminal has so many at once; what comes later has its own colours.
    int pairOf(const Paint& paint) {
        if (paint.ink < 0 && paint.fill < 0) return 0;
        const auto [known, is_new] =
            pairs.try_emplace({paint.ink, paint.fill}, static_cast<int>(pairs.size()) + 1);
        if (is_new &&
            (known->second >= COLOR_PAIRS || init_extended_pair(known->second, paint.ink, paint.fill) != OK))
            known->second = 0;
        return known->second;
    }

    cchar_t cellOf(const Cell& cell) {
        attr_t attributes = A_NORMAL;
        if (cell.paint.bold) attributes |= A_BOLD;
        if (cell.paint.dim) attributes |= A_DIM;
        if (cell.paint.underline) attributes |= A_UNDERLINE;
        if (cell.paint.reverse) attributes |= A_REVERSE;
        const wchar_t letters[] = {static_cast<wchar_t>(cell.letter), L'\0'};
        int pair = pairOf(cell.paint);
        cchar_t made{};
        setcchar(&made, letters, attributes, 0, &pair);
        return made;
    }
};

Screen::Screen(bool with_colours) : impl_(std::make_unique<Impl>()) {
    const std::string term = variable("TERM");
    if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0)
        throw SentenceError<>(
            sentence("input and output must be a terminal; bscope replay and bscope run print "
                     "the picture for pipes and files"));
    useUtf8();
    impl_->screen = openTerminal(term);
    const bool places_letters = impl_->screen != nullptr && tigetstr("cup") != nullptr;
    if (!places_letters) {
        if (impl_->screen != nullptr) close();
        throw SentenceError<>(
            sentence("TERM={0} is no terminal on which a picture can stand; legal are xterm, "
                     "xterm-256color, tmux, screen, linux, vt100 and others of their kind; "
                     "bscope replay prints the picture anywhere",
                     term));
    }
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(kEscapeDelay_ms);
    curs_set(0);
    mouseinterval(0);
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, nullptr);
    if (!with_colours || !has_colors()) return;
    start_color();
    use_default_colors();
    impl_->colours = COLORS >= kAnyColour     ? TerminalColours::Direct
                     : COLORS >= kManyColours ? TerminalColours::Indexed
                     : COLORS >= 8            ? TerminalColours::Basic
                                              : TerminalColours::None;
}

Screen::~Screen() {
    close();
}

void Screen::close() {
    endwin();
    delscreen(impl_->screen);
}

int Screen::columns() const {
    return getmaxx(stdscr);
}

int Screen::rows() const {
    return getmaxy(stdscr);
}

TerminalColours Screen::colours() const {
    return impl_->colours;
}

void Screen::show(const Grid& grid) {
    ::erase();
    for (int row = 0; row < std::min(grid.rows(), rows()); ++row)
        for (int column = 0; column < std::min(grid.columns(), columns()); ++column) {
            const Cell& cell = grid.at(column, row);
            if (cell.letter == 0) continue;
            const cchar_t made = impl_->cellOf(cell);
            mvadd_wch(row, column, &made);
        }
    ::refresh();
}

std::optional<Input> Screen::next() {
    for (;;) {
        wint_t code = 0;
        const int kind = get_wch(&code);
        if (kind == ERR) return std::nullopt;
        if (kind != KEY_CODE_YES) {
            if (code == L'\r') code = L'\n';
            if (code == 8) code = static_cast<wint_t>(Key::Backspace);
            return Input{static_cast<Key>(code)};
        }
        MEVENT mouse{};
        if (code == KEY_MOUSE && getmouse(&mouse) == OK) {
            const Key key = (mouse.bstate & BUTTON4_PRESSED) != 0   ? Key::WheelUp
                            : (mouse.bstate & BUTTON5_PRESSED) != 0 ? Key::WheelDown
                                                                    : Key::Click;
            return Input{key, mouse.x, mouse.y};
        }
        if (const auto key = keyOf(static_cast<int>(code))) return Input{*key};
    }
}

void Screen::resize() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
        resizeterm(size.ws_row, size.ws_col);
    clearok(stdscr, TRUE);
}

void Screen::suspend() {
    endwin();
    raise(SIGSTOP);
    resize();  // it may have changed meanwhile
}

}  // namespace bscope::terminal
