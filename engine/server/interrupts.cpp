#include "server/interrupts.h"

#include <asio.hpp>
#include <thread>

#include "clock/start_thread.h"

namespace bscope {

struct Interrupts::Impl {
    explicit Impl(std::function<void(int)> on_interrupt) : signals(context, SIGINT, SIGTERM) {
        signals.async_wait([this, call = std::move(on_interrupt)](const asio::error_code& error, int signal) {
            if (error) return;
            call(signal);
            signals.clear();  // the next one acts as the system does it
        });
        thread = startThread(sentence("signals"), [this] { context.run(); });
    }
    ~Impl() {
        context.stop();
        thread.join();
    }

    asio::io_context context;
    asio::signal_set signals;
    std::thread thread;
};

Interrupts::Interrupts(std::function<void(int)> on_interrupt)
    : impl_(std::make_unique<Impl>(std::move(on_interrupt))) {}
Interrupts::~Interrupts() = default;

}  // namespace bscope
