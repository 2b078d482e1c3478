// Interrupts: Ctrl-C and SIGTERM as a callback on a thread of its own. The first signal calls it; a second
// one ends the process immediately. One object at a time.
#pragma once

#include <functional>
#include <memory>

namespace bscope {

class Interrupts {
public:
    // signal: SIGINT or SIGTERM.
    explicit Interrupts(std::function<void(int signal)> on_interrupt);
    ~Interrupts();
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bscope
