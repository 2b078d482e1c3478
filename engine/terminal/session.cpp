#include "terminal/session.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <asio.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>

#include "terminal/ground.h"
#include "terminal/own_engine.h"
#include "terminal/screen.h"
#include "words/sentence_error.h"

namespace bscope::terminal {
namespace {

using Clock = std::chrono::steady_clock;
// Between two pictures: after a key, and of a run that goes on by itself.
constexpr std::chrono::milliseconds kTyped{100}, kLive{250};
constexpr int kLongestWait_s = 16;

}  // namespace

struct Session::Impl {
    Impl(Viewer& its_viewer, const ScreenOptions& options, std::optional<EngineSource> its_source)
        : viewer(its_viewer),
          source(std::move(its_source)),
          signals(context, SIGINT, SIGTERM, SIGHUP),
          screen(options.colours),
          colours(screen.colours(), options.dark_ground.value_or(!hasLightGround())) {
        signals.add(SIGWINCH);
        signals.add(SIGTSTP);
        signals.add(SIGCHLD);
    }

    void connect() {
        retry.cancel();
        link.close();
        viewer.setLink(Viewer::Link::Starting, {});
        drawSoon(kTyped);
        if (!source->is_own) return link.connectTo(source->address);
        try {
            engine.start(source->arguments);
        } catch (const std::exception& error) {
            viewer.setLink(Viewer::Link::Ended, {sentenceOf(error)});
        }
    }

    void onMessage(const wire::Message& message) {
        if (message.has_hello()) next_wait_s = 1;
        viewer.take(message);
        drawSoon(kLive);
    }

    // Of an own engine the end of its process says it better, which is seen later.
    void onLost(const LinkLoss& why) {
        if (why.transient && !source->is_own) {
            wait_s = next_wait_s;
            next_wait_s = std::min(2 * next_wait_s, kLongestWait_s);
            loss = why;
            return awaitRetry();
        }
        viewer.setLink(Viewer::Link::Ended, {why.what, why.what_to_do});
        drawSoon(kTyped);
    }

    void awaitRetry() {
        if (wait_s == 0) return connect();
        viewer.setLink(Viewer::Link::Waiting, {loss.what, loss.what_to_do}, wait_s);
        drawSoon(kTyped);
        retry.expires_after(std::chrono::seconds(1));
        retry.async_wait([this](const asio::error_code& error) {
            if (error) return;
            --wait_s;
            awaitRetry();
        });
    }

    void onEngineEnded(const Sentence& why, const std::string& said) {
        link.close();
        std::vector<Sentence> notices{why};
        std::string in_a_line = said;
        std::ranges::replace(in_a_line, '\n', ' ');
        if (!said.empty()) notices.push_back(sentence("{0}", in_a_line));
        notices.push_back(sentence("R starts a new one with the same settings."));
        viewer.setLink(Viewer::Link::Ended, notices);
        drawSoon(kTyped);
    }

    void carryOutRequests() {
        for (const wire::Message& request : viewer.takeRequests()) link.send(request);
        if (viewer.takeReconnect()) connect();
    }

    void awaitInput() {
        input.async_wait(asio::posix::stream_descriptor::wait_read, [this](const asio::error_code& error) {
            if (error) return context.stop();
            bool any = false;
            while (const auto typed = screen.next()) {
                any = true;
                if (!viewer.handle(*typed, screen.columns(), screen.rows())) return context.stop();
            }
            if (!any && isGone()) return context.stop();
            carryOutRequests();
            drawSoon(kTyped);
            awaitInput();
        });
    }

    static bool isGone() {
        pollfd terminal{STDIN_FILENO, POLLIN, 0};
        return poll(&terminal, 1, 0) > 0 && (terminal.revents & (POLLHUP | POLLERR)) != 0;
    }
    // Apart from standard input and output, which the shell goes on with: asio makes what it waits for
    // non-blocking.
    static int openTerminal() {
        const int opened = open("/dev/tty", O_RDONLY | O_CLOEXEC);
        if (opened < 0) throw std::system_error(errno, std::generic_category(), "/dev/tty");
        return opened;
    }

    void awaitSignals() {
        signals.async_wait([this](const asio::error_code& error, int signal) {
            if (error) return;
            if (signal == SIGWINCH) {
                screen.resize();
                drawSoon(kTyped);
            } else if (signal == SIGCHLD) {
                engine.childEnded();
            } else if (signal == SIGTSTP) {
                screen.suspend();
                draw();
            } else {
                return context.stop();
            }
            awaitSignals();
        });
    }

    // So long after the picture before, at once when that is past.
    void drawSoon(std::chrono::milliseconds after) {
        const auto at = std::max(Clock::now(), last_drawn + after);
        if (is_due && timer.expiry() <= at) return;
        is_due = true;
        timer.expires_at(at);
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
    std::optional<EngineSource> source;  // nullopt: a recording
    asio::io_context context;
    asio::signal_set signals;  // before the screen, so that these are handled here alone
    Screen screen;
    Colours colours;
    asio::posix::stream_descriptor input{context, openTerminal()};
    asio::steady_timer timer{context}, retry{context};
    Clock::time_point last_drawn{};
    bool is_due = false;
    EngineLink link{context, [this](const wire::Message& message) { onMessage(message); },
                    [this](const LinkLoss& why) { onLost(why); }};
    OwnEngine engine{context, [this](const EngineAddress& address) { link.connectTo(address); },
                     [this](const Sentence& why, const std::string& said) { onEngineEnded(why, said); }};
    LinkLoss loss;
    int wait_s = 0, next_wait_s = 1;
};

Session::Session(Viewer& viewer, const ScreenOptions& options, std::optional<EngineSource> source)
    : impl_(std::make_unique<Impl>(viewer, options, std::move(source))) {}

Session::~Session() = default;

void Session::run() {
    impl_->awaitSignals();
    impl_->awaitInput();
    if (impl_->source) impl_->connect();
    impl_->draw();
    impl_->context.run();
}

}  // namespace bscope::terminal
