#include "server/interrupts.h"

#include <asio.hpp>
#include <thread>

namespace bscope {

struct Interrupts::Impl {
    explicit Impl(std::function<void()> on_interrupt) : signals(context, SIGINT, SIGTERM) {
        signals.async_wait([this, call = std::move(on_interrupt)](const asio::error_code& error, int) {
            if (error) return;
            call();
            signals.clear();  // the next one acts as the system does it
        });
        thread = std::thread([this] { context.run(); });
    }
    ~Impl() {
        context.stop();
        thread.join();
    }

    asio::io_context context;
    asio::signal_set signals;
    std::thread thread;
};

Interrupts::Interrupts(std::function<void()> on_interrupt)
    : impl_(std::make_unique<Impl>(std::move(on_interrupt))) {}
Interrupts::~Interrupts() = default;

}  // namespace bscope
