#include "server/server.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <optional>

#include "server/engine_loop.h"
#include "server/hello.h"
#include "server/history.h"
#include "server/listen.h"
#include "server/rare_log.h"
#include "server/stream_recorder.h"
#include "server/token.h"
#include "server/viewer.h"
#include "server/viewer_orders.h"
#include "words/catalog.h"

namespace bscope {
namespace {

using asio::ip::tcp;

constexpr std::size_t kMostViewers = 64;
constexpr std::size_t kMostUnknown = 32;  // connections that have not shown the token
constexpr std::chrono::milliseconds kAcceptAgain{200};

const ServerOptions& checked(const ServerOptions& options) {
    if (options.token.size() < kLeastTokenLetters)
        throw std::invalid_argument("the token of a server has at least " +
                                    std::to_string(kLeastTokenLetters) + " characters");
    return options;
}

}  // namespace

struct Server::Impl final : ViewerOwner {
    Impl(const ServerOptions& server_options, const RunConfig& config, Launcher* launcher)
        : options(checked(server_options)),
          acceptor(listenOn(context, options.address, options.port)),
          signals(context, SIGINT, SIGTERM),
          standard_input(context),
          loop(config,
               [this](OutFrame frame) {
                   asio::post(context, [this, sent = std::move(frame)] { broadcast(sent); });
               },
               {launcher, options.keep, options.load, [this] { asio::post(context, [this] { shutDown(); }); },
                [this](const Sentence& what) { std::cerr << say(what, options.language) << '\n'; }}) {
        if (!options.record.empty()) {
            recorder.emplace(options.record, [this](const Sentence& what) {
                std::cerr << say(what, options.language) << '\n';
                recording_is_whole = false;
                asio::post(context, [this, what] { broadcast(makeFrame(logMessage(what))); });
            });
            recorder->push(makeFrame(hello(false)));
        }
    }

    ~Impl() override { loop.quit(); }

    void run();
    void acceptNext();
    void acceptLater(const std::string& cause);
    bool dropOldestUnknown();
    void watchStandardInput();
    void shutDown();

    void attachAsked(Viewer& viewer, const wire::Attach& attach) override;
    void received(Viewer& viewer, const wire::Message& message) override;
    void gone(const std::shared_ptr<Viewer>& viewer) override;

    void broadcast(const OutFrame& frame);
    void reportDropped();
    wire::Message hello(bool controls) const;

    ServerOptions options;
    // From before anything is opened to after everything is closed.
    const ConfigurationFiles readable{
        [this](const std::filesystem::path& real) { return options.allowed.mayRead(real); }};
    asio::io_context context;
    tcp::acceptor acceptor;
    const std::string listening_on = textOf(acceptor.local_endpoint());
    asio::signal_set signals;
    asio::posix::stream_descriptor standard_input;
    std::array<char, 64> input_bytes{};
    asio::steady_timer accept_again{context};
    RareLog log{"bscope serve", options.language};
    const std::int64_t started_unix_ms = unixTime_ms();
    std::vector<std::shared_ptr<Viewer>> viewers;
    History history;
    bool ending = false;
    EngineLoop loop;
    ViewerOrders orders{loop, options.allowed, [this] { shutDown(); }};
    std::atomic<bool> recording_is_whole = true;
    std::optional<StreamRecorder> recorder;
};

void Server::Impl::run() {
    signals.async_wait([this](const asio::error_code& error, int) {
        if (error) return;
        // At once: what ends this process may give it no time for more.
        if (const Sentence hint = loop.resumeHint(); !hint.empty())
            std::cerr << "bscope serve: " + say(sentence("interrupted. {0}", hint), options.language) + "\n"
                      << std::flush;
        shutDown();
    });
    if (options.exit_with_input) watchStandardInput();
    acceptNext();
    if (!options.paused) loop.go();
    context.run();
}

void Server::Impl::acceptNext() {
    acceptor.async_accept([this](const asio::error_code& error, tcp::socket socket) {
        if (ending) return;
        if (error) return acceptLater(error.message());
        const auto unknown = std::count_if(viewers.begin(), viewers.end(), [](const auto& each) {
            return !each->attached() && !each->left();
        });
        if (static_cast<std::size_t>(unknown) >= kMostUnknown) {
            log.say("idle", sentence("more than {0} connections wait without showing the token; the oldest "
                                     "were closed",
                                     kMostUnknown));
            dropOldestUnknown();
        }
        viewers.push_back(std::make_shared<Viewer>(std::move(socket), *this, options.viewer_queue_bytes));
        viewers.back()->start();
        acceptNext();
    });
}

// The system has no descriptor or no memory for a connection. The one that came waits in the system.
void Server::Impl::acceptLater(const std::string& cause) {
    log.say("full", sentence("no more viewers can connect: {0}; the run goes on, and they can connect once a "
                             "file descriptor is free (ulimit -n)",
                             cause));
    if (dropOldestUnknown()) return acceptNext();
    accept_again.expires_after(kAcceptAgain);
    accept_again.async_wait([this](const asio::error_code& error) {
        if (!error && !ending) acceptNext();
    });
}

bool Server::Impl::dropOldestUnknown() {
    const auto oldest = std::find_if(viewers.begin(), viewers.end(),
                                     [](const auto& each) { return !each->attached() && !each->left(); });
    if (oldest == viewers.end()) return false;
    (*oldest)->leave();
    return true;
}

void Server::Impl::watchStandardInput() {
    asio::error_code error;
    if (!standard_input.is_open()) standard_input.assign(dup(STDIN_FILENO), error);
    if (error) return;  // a file or /dev/null: no other end exists
    standard_input.async_read_some(asio::buffer(input_bytes),
                                   [this](const asio::error_code& read_error, std::size_t) {
                                       if (read_error == asio::error::eof) return shutDown();
                                       if (!read_error && !ending) watchStandardInput();
                                   });
}

void Server::Impl::shutDown() {
    if (ending) return;
    ending = true;
    loop.quit();
    asio::error_code ignored;  // all of these end anyway
    acceptor.close(ignored);
    accept_again.cancel();
    signals.cancel(ignored);
    standard_input.close(ignored);
    // Behind what the engine said last.
    asio::post(context, [this] {
        const auto leaving = viewers;
        for (const auto& viewer : leaving) viewer->attached() ? viewer->finish() : viewer->leave();
        auto patience = std::make_shared<asio::steady_timer>(context, std::chrono::seconds(2));
        patience->async_wait([this, patience](const asio::error_code&) { context.stop(); });
        if (viewers.empty()) context.stop();
    });
}

void Server::Impl::attachAsked(Viewer& viewer, const wire::Attach& attach) {
    if (const auto mismatch = versionMismatch(attach.protocol_version()); !mismatch.empty())
        return viewer.refuse(sentence("The engine refuses this viewer: {0}.", mismatch),
                             sentence("Install the same version of Bubblescope on both machines."));
    if (!sameToken(attach.token(), options.token)) {
        log.say("token", sentence("refused a viewer from {0}: its token is wrong", viewer.address()));
        return viewer.refuseLater(
            sentence("The engine refuses this viewer: its token is wrong."),
            sentence("Give the token in the file that the engine prints when it starts (--token-file)."));
    }
    const auto inside = std::count_if(viewers.begin(), viewers.end(),
                                      [](const auto& each) { return each->attached() && !each->left(); });
    if (static_cast<std::size_t>(inside) >= kMostViewers)
        return viewer.refuse(sentence("The engine refuses this viewer: {0}.",
                                      sentence("it has {0} viewers already", kMostViewers)),
                             sentence("Close another viewer, then connect again."));
    const bool taken =
        std::any_of(viewers.begin(), viewers.end(), [](const auto& other) { return other->controls(); });
    viewer.accept(!taken && !attach.watch_only());
    viewer.send(makeFrame(hello(viewer.controls())));
    for (OutFrame frame : history.catchUp()) {
        frame.kept = true;
        viewer.send(std::move(frame));
    }
}

void Server::Impl::received(Viewer& viewer, const wire::Message& message) {
    try {
        if (viewer.controls()) {
            if (const auto answer = orders.handle(message)) viewer.send(makeFrame(*answer));
            return;
        }
    } catch (const NotAllowed& error) {
        log.say("file", sentence("a viewer named a file that it may not name"));
        return viewer.send(makeFrame(logMessage(error.problem.words)));
    }
    viewer.send(makeFrame(
        logMessage(sentence("Another viewer controls this engine; this one watches. It can control after the "
                            "other has left, by connecting again."))));
}

void Server::Impl::broadcast(const OutFrame& frame) {
    history.add(frame);
    if (recorder) recorder->push(frame);
    for (const auto& viewer : viewers)
        if (viewer->attached()) viewer->send(frame);
    if (frame.body == wire::Message::kIterationReport) reportDropped();
}

void Server::Impl::reportDropped() {
    for (const auto& viewer : viewers) {
        if (!viewer->attached() || viewer->newlyDropped() == 0) continue;
        wire::Message message;
        message.mutable_status()->set_state(loop.state());
        message.mutable_status()->set_dropped_events(viewer->droppedEvents());
        message.mutable_status()->set_dropped_kernels(viewer->droppedKernels());
        viewer->send(makeFrame(message));
    }
}

void Server::Impl::gone(const std::shared_ptr<Viewer>& viewer) {
    const bool was_attached = viewer->attached();
    std::erase(viewers, viewer);
    if (ending && viewers.empty()) context.stop();
    const bool alone =
        std::none_of(viewers.begin(), viewers.end(), [](const auto& other) { return other->attached(); });
    if (was_attached && alone && options.exit_when_alone) shutDown();
}

wire::Message Server::Impl::hello(bool controls) const {
    return helloMessage(loop.config(), loop.state(), started_unix_ms, controls);
}

Server::Server(const ServerOptions& options, const RunConfig& config, Launcher* launcher)
    : impl_(std::make_unique<Impl>(options, config, launcher)) {}
Server::~Server() = default;

std::string Server::listeningOn() const {
    return impl_->listening_on;
}

void Server::run() {
    impl_->run();
    impl_->loop.quit();
    impl_->recorder.reset();
}

bool Server::wroteEverything() const {
    return impl_->recording_is_whole && !impl_->loop.keepingFails();
}

}  // namespace bscope
