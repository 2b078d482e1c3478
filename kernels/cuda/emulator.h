// Emulator: the threads of one block as fibers that change places at barriers and warp-wide calls. A barrier
// that some thread never reaches throws std::logic_error. One block at a time in a thread.
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace bscope::cuda {

struct Index {
    unsigned x = 0, y = 0;
};
inline thread_local Index threadIdx, blockIdx, blockDim, gridDim;

class Emulator {
public:
    static Emulator& current() {
        static thread_local Emulator emulator;
        return emulator;
    }

    // Runs `thread` as every thread of one block. A warp runs as far as it can before the next one does: what
    // lacks a barrier reads what is not there yet, or finds it gone.
    void runBlock(unsigned threads, const std::function<void()>& thread) {
        thread_ = &thread;
        while (fibers_.size() < threads) fibers_.push_back(std::make_unique<Fiber>());
        for (unsigned i = 0; i < threads; ++i) start(*fibers_[i]);
        for (unsigned finished = 0; finished < threads;) {
            bool moved = false;
            for (unsigned first = 0; first < threads; first += 32)
                while (runWarp(first, std::min(first + 32, threads), finished)) moved = true;
            moved = releaseBarrier(threads) || moved;
            if (!moved && finished < threads)
                throw std::logic_error("a barrier that not every thread reaches");
        }
    }

    void barrier() { wait(State::AtBarrier); }

    // Not done before the thread waits for it.
    void later(std::function<void()> work) { running_->late.push_back(std::move(work)); }
    void doWhatIsLate() {
        for (const auto& work : std::exchange(running_->late, {})) work();
    }

    // Every lane of the warp gives a value and sees all 32.
    template <class T>
    const T* exchange(const T& mine) {
        static_assert(sizeof(T) <= sizeof(Fiber::slot[0]));
        Fiber& self = *running_;
        const unsigned parity = self.exchanges++ % 2;
        const unsigned lane = threadIdx.x % 32, first = threadIdx.x - lane;
        std::memcpy(self.slot[parity], &mine, sizeof(T));
        wait(State::AtWarp);
        T* const seen = reinterpret_cast<T*>(self.seen);
        for (unsigned i = 0; i < 32; ++i) std::memcpy(seen + i, fibers_[first + i]->slot[parity], sizeof(T));
        return seen;
    }

private:
    enum class State { Ready, AtBarrier, AtWarp, Done };
    struct Fiber {
        ucontext_t
            first;  // where it begins; afterwards it is left and entered by jumps, which are much cheaper
        jmp_buf place;
        bool begun = false;
        State state = State::Ready;
        unsigned exchanges = 0;
        std::vector<std::function<void()>> late;
        alignas(16) unsigned char slot[2][32];
        alignas(16) unsigned char seen[32 * 32];
        std::vector<char> stack = std::vector<char>(64 * 1024);
    };

    static void enter() {
        Emulator& self = current();
        try {
            (*self.thread_)();
        } catch (...) {
            self.error_ = std::current_exception();
        }
        self.running_->state = State::Done;
        _longjmp(self.scheduler_, 1);
    }

    // Until the fiber waits or ends.
    void resume(Fiber& fiber) {
        if (_setjmp(scheduler_) != 0) return;
        if (fiber.begun) _longjmp(fiber.place, 1);
        fiber.begun = true;
        setcontext(&fiber.first);
    }

    void start(Fiber& fiber) {
        fiber.state = State::Ready;
        fiber.exchanges = 0;
        fiber.late.clear();
        fiber.begun = false;
        getcontext(&fiber.first);
        fiber.first.uc_stack.ss_sp = fiber.stack.data();
        fiber.first.uc_stack.ss_size = fiber.stack.size();
        makecontext(&fiber.first, &Emulator::enter, 0);
    }

    void wait(State state) {
        Fiber& self = *running_;
        const unsigned thread = threadIdx.x;
        self.state = state;
        if (_setjmp(self.place) == 0) _longjmp(scheduler_, 1);
        threadIdx.x = thread;
    }

    // Until each lane waits or is done; then lets go those who wait for their warp. False when nobody moved.
    bool runWarp(unsigned first, unsigned end, unsigned& finished) {
        bool moved = false;
        for (unsigned i = first; i < end; ++i) {
            Fiber& fiber = *fibers_[i];
            if (fiber.state != State::Ready) continue;
            moved = true;
            threadIdx.x = i;
            running_ = &fiber;
            resume(fiber);
            if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
            if (fiber.state == State::Done) ++finished;
        }
        const auto begin = fibers_.begin();
        if (end - first == 32 && std::all_of(begin + first, begin + end,
                                             [](const auto& fiber) { return fiber->state == State::AtWarp; }))
            for (unsigned i = first; i < end; ++i) fibers_[i]->state = State::Ready;
        return moved;
    }

    // Lets go whoever waits at a barrier that all others have reached.
    bool releaseBarrier(unsigned threads) {
        const auto end = fibers_.begin() + threads;
        if (!std::all_of(fibers_.begin(), end, [](const auto& fiber) {
                return fiber->state == State::AtBarrier || fiber->state == State::Done;
            }))
            return false;
        bool any = false;
        for (auto fiber = fibers_.begin(); fiber != end; ++fiber)
            if ((*fiber)->state == State::AtBarrier) {
                (*fiber)->state = State::Ready;
                any = true;
            }
        return any;
    }

    std::vector<std::unique_ptr<Fiber>> fibers_;
    jmp_buf scheduler_;
    Fiber* running_ = nullptr;
    std::exception_ptr error_;  // thrown by a thread
    const std::function<void()>* thread_ = nullptr;
};

}  // namespace bscope::cuda
