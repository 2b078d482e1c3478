// Screen where ncursesw is missing: a sentence.
#include "terminal/screen.h"
#include "words/sentence_error.h"

namespace bscope::terminal {

struct Screen::Impl {};

Screen::Screen(bool) {
    throw SentenceError<>(
        sentence("this bscope was built without ncursesw; install it (Debian, Ubuntu: "
                 "libncurses-dev) and build again"));
}
Screen::~Screen() = default;
int Screen::columns() const {
    return 0;
}
int Screen::rows() const {
    return 0;
}
TerminalColours Screen::colours() const {
    return TerminalColours::None;
}
void Screen::show(const Grid&) {}
std::optional<Input> Screen::next() {
    return std::nullopt;
}
void Screen::resize() {}
void Screen::suspend() {}
void Screen::close() {}

}  // namespace bscope::terminal
