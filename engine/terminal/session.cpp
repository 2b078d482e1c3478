#include "terminal/session.h"

#include <unistd.h>

#include <asio.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "terminal/screen.h"

namespace bscope::terminal {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kBetweenPictures{100};

// Of COLORFGBG, "15;0": the last number is the ground.
bool saysLightGround() {
    const char* value = std::getenv("COLORFGBG");
    if (value == nullptr) return false;
    const std::string_view text(value);
    const std::string_view ground = text.substr(text.rfind(';') + 1);
    return ground == "7" || (ground.size() == 2 && ground >= "10" && ground <= "15") || ground == "9";
}

}  // namespace

struct Session::Impl {
    Impl(Viewer& its_viewer, const ScreenOptions& options)
        : viewer(its_viewer),
          signals(context, SIGINT, SIGTERM, SIGHUP),
          screen(options.colours),
          colours(screen.colours(), options.dark_ground.value_or(!saysLightGround())) {
        signals.add(SIGWINCH);
        signals.add(SIGTSTP);
    }

    void awaitInput() {
        input.async_wait(asio::posix::stream_descriptor::wait_read, [this](const asio::error_code& error) {
            if (error) return context.stop();
            bool any = false;
            while (const auto typed = screen.next()) {
                any = true;
                if (!viewer.handle(*typed, screen.columns(), screen.rows())) return context.stop();
            }
            if (!any && isClosed()) return context.stop();
            drawSoon();
            awaitInput();
        });
    }

    // Ready to be read and without a byte: the terminal is gone.
    static bool isClosed() {
        char byte = 0;
        return read(STDIN_FILENO, &byte, 1) == 0;
    }

    void awaitSignals() {
        signals.async_wait([this](const asio::error_code& error, int signal) {
            if (error) return;
            if (signal == SIGWINCH) {
                screen.resize();
                drawSoon();
            } else if (signal == SIGTSTP) {
                screen.suspend();
                draw();
            } else {
                return context.stop();
            }
            awaitSignals();
        });
    }

    void drawSoon() {
        if (is_due) return;
        is_due = true;
        timer.expires_at(std::max(Clock::now(), last_drawn + kBetweenPictures));
        timer.async_wait([this](const asio::error_code& error) {
            if (!error) draw();
        });
    }

    void draw() {
        is_due = false;
        last_drawn = Clock::now();
        screen.show(viewer.draw(colours, screen.columns(), screen.rows()));
    }

    Viewer& viewer;
    asio::io_context context;
    asio::signal_set signals;  // before the screen, so that these are handled here alone
    Screen screen;
    Colours colours;
    asio::posix::stream_descriptor input{context, dup(STDIN_FILENO)};
    asio::steady_timer timer{context};
    Clock::time_point last_drawn{};
    bool is_due = false;
};

Session::Session(Viewer& viewer, const ScreenOptions& options)
    : impl_(std::make_unique<Impl>(viewer, options)) {}

Session::~Session() = default;

void Session::run() {
    impl_->awaitSignals();
    impl_->awaitInput();
    impl_->draw();
    impl_->context.run();
}

}  // namespace bscope::terminal
