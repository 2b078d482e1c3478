// Emulator: the threads of one block as fibers that change places at barriers and warp-wide calls. What is
// undefined on a GPU throws std::logic_error: a barrier that some thread never reaches, threads that wait at
// different ones, a warp-wide call without the whole warp. Shared memory begins as NaN, and warps run in a
// random order. One block at a time in a thread.
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <random>
#include <source_location>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bscope::cuda {

struct Index {
    unsigned x = 0, y = 0;
};
inline thread_local Index threadIdx, blockIdx, blockDim, gridDim;

class Emulator {
public:
    using Place = std::source_location;  // of a barrier or a warp-wide call

    static Emulator& current() {
        static thread_local Emulator emulator;
        return emulator;
    }

    // Runs `thread` as every thread of one block. A warp runs as far as it can before the next one does: what
    // lacks a barrier reads what is not there yet, or finds it gone.
    void runBlock(unsigned threads, const std::function<void()>& thread) {
        thread_ = &thread;
        poisoned_.clear();
        while (fibers_.size() < threads) fibers_.push_back(std::make_unique<Fiber>());
        for (auto& of_parity : slots_) of_parity.resize(std::max(of_parity.size(), fibers_.size()));
        for (unsigned i = 0; i < threads; ++i) start(*fibers_[i]);
        try {
            runAll(threads);
        } catch (...) {
            for (const auto& fiber : fibers_) fiber->begun = fiber->begun && fiber->state == State::Done;
            throw;
        }
    }

    void barrier(const Place& place) { wait(State::AtBarrier, place); }

    // Shared memory that no thread of this block has written holds NaN patterns.
    void uninitialised(void* memory, std::size_t bytes) {
        if (std::find(poisoned_.begin(), poisoned_.end(), memory) != poisoned_.end()) return;
        poisoned_.push_back(memory);
        std::memset(memory, 0xFF, bytes);
    }

    // Not done before the thread waits for it.
    void later(std::function<void()> work) { running_->late.push_back(std::move(work)); }
    void doWhatIsLate() {
        for (const auto& work : std::exchange(running_->late, {})) work();
    }

    struct Slot {
        alignas(16) unsigned char bytes[32];
    };
    // What the lanes of a warp have given.
    template <class T>
    class Lanes {
    public:
        explicit Lanes(const Slot* first) : first_(first) {}
        T operator[](unsigned lane) const {
            T value;
            std::memcpy(&value, first_ + lane, sizeof(T));
            return value;
        }

    private:
        const Slot* first_;
    };

    // Every lane of the warp gives a value and sees all 32. Valid until the lane's call after the next.
    template <class T>
    Lanes<T> exchange(const T& mine, unsigned mask, const Place& place) {
        static_assert(sizeof(T) <= sizeof(Slot));
        if (mask != 0xffffffffU) throw std::logic_error("a mask without all lanes of the warp");
        const unsigned parity = running_->exchanges++ % 2, first = threadIdx.x / 32 * 32;
        std::memcpy(&slots_[parity][threadIdx.x], &mine, sizeof(T));
        wait(State::AtWarp, place);
        return Lanes<T>(&slots_[parity][first]);
    }

    std::minstd_rand& chance() { return chance_; }

private:
    enum class State { Ready, AtBarrier, AtWarp, Done };
    struct Fiber {
        ucontext_t
            first;  // where it begins; afterwards it is left and entered by jumps, which are much cheaper
        jmp_buf place;
        bool begun = false;  // it stands in enter()
        State state = State::Done;
        Place waits_at;
        unsigned exchanges = 0;
        std::vector<std::function<void()>> late;
        std::vector<char> stack = std::vector<char>(64 * 1024);
    };

    // A fiber is every thread of its number, one block after the other.
    static void enter() {
        for (;;) {
            Emulator& self = current();
            try {
                (*self.thread_)();
            } catch (...) {
                self.error_ = std::current_exception();
            }
            self.leave(State::Done);
        }
    }

    void leave(State state) {
        running_->state = state;
        if (_setjmp(running_->place) == 0) _longjmp(scheduler_, 1);
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
        if (fiber.begun) return;
        getcontext(&fiber.first);
        fiber.first.uc_stack.ss_sp = fiber.stack.data();
        fiber.first.uc_stack.ss_size = fiber.stack.size();
        makecontext(&fiber.first, &Emulator::enter, 0);
    }

    void wait(State state, const Place& place) {
        const unsigned thread = threadIdx.x;
        running_->waits_at = place;
        leave(state);
        threadIdx.x = thread;
    }

    void runAll(unsigned threads) {
        const unsigned warps = (threads + 31) / 32;
        for (unsigned finished = 0; finished < threads;) {
            bool moved = false;
            const unsigned begin = static_cast<unsigned>(chance_()) % warps;
            for (unsigned i = 0; i < warps; ++i) {
                const unsigned first = (begin + i) % warps * 32;
                while (runWarp(first, std::min(first + 32, threads), finished)) moved = true;
            }
            moved = releaseBarrier(threads) || moved;
            if (!moved && finished < threads)
                throw std::logic_error("a barrier that not every thread reaches");
        }
    }

    static std::string text(const Place& place) {
        const std::string file = place.file_name();
        return file.substr(file.rfind('/') + 1) + ":" + std::to_string(place.line());
    }
    // All of those threads wait at one place.
    void areTogether(unsigned first, unsigned end) const {
        const Fiber* one = nullptr;
        for (unsigned i = first; i < end; ++i) {
            const Fiber& each = *fibers_[i];
            if (each.state == State::Done) continue;
            if (!one) one = &each;
            if (each.waits_at.line() != one->waits_at.line() ||
                each.waits_at.column() != one->waits_at.column() ||
                std::strcmp(each.waits_at.file_name(), one->waits_at.file_name()) != 0)
                throw std::logic_error("threads that must meet wait at " + text(one->waits_at) + " and " +
                                       text(each.waits_at));
        }
    }

    // Runs each lane until it waits or is done, then releases a warp that waits. False when none ran.
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
        if (end - first == 32 && std::all_of(begin + first, begin + end, [](const auto& fiber) {
                return fiber->state == State::AtWarp;
            })) {
            areTogether(first, end);
            for (unsigned i = first; i < end; ++i) fibers_[i]->state = State::Ready;
        }
        return moved;
    }

    // Releases the threads at a barrier once all others have reached it.
    bool releaseBarrier(unsigned threads) {
        const auto end = fibers_.begin() + threads;
        if (!std::all_of(fibers_.begin(), end, [](const auto& fiber) {
                return fiber->state == State::AtBarrier || fiber->state == State::Done;
            }))
            return false;
        areTogether(0, threads);
        bool any = false;
        for (auto fiber = fibers_.begin(); fiber != end; ++fiber)
            if ((*fiber)->state == State::AtBarrier) {
                (*fiber)->state = State::Ready;
                any = true;
            }
        return any;
    }

    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::array<std::vector<Slot>, 2> slots_;  // by parity and thread
    jmp_buf scheduler_;
    Fiber* running_ = nullptr;
    std::exception_ptr error_;  // thrown by a thread
    const std::function<void()>* thread_ = nullptr;
    std::vector<const void*> poisoned_;  // in this block
    std::minstd_rand chance_{1};
};

}  // namespace bscope::cuda
