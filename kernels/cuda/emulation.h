// CUDA's names on the CPU, for tests of the kernels without a GPU: a launch runs block after block, the
// threads of a block as fibers that change places at barriers and warp-wide calls. Numbers are those of the
// same kernel up to the rounding of the mathematical functions. A barrier that some thread never reaches
// throws std::logic_error. One launch at a time in a thread.
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/plugin/bf16.h"

#define __global__ __attribute__((unused))
#define __device__
#define __host__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(threads)

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

    // Runs `thread` as every thread of one block.
    void runBlock(unsigned threads, const std::function<void()>& thread) {
        thread_ = &thread;
        while (fibers_.size() < threads) fibers_.push_back(std::make_unique<Fiber>());
        for (unsigned i = 0; i < threads; ++i) start(*fibers_[i]);
        for (unsigned finished = 0; finished < threads;) {
            bool moved = false;
            for (unsigned i = 0; i < threads; ++i) {
                Fiber& fiber = *fibers_[i];
                if (fiber.state != State::Ready) continue;
                moved = true;
                threadIdx.x = i;
                running_ = &fiber;
                resume(fiber);
                if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
                if (fiber.state == State::Done) ++finished;
            }
            moved = release(threads) || moved;
            if (!moved && finished < threads)
                throw std::logic_error("a barrier that not every thread reaches");
        }
    }

    void barrier() { wait(State::AtBarrier); }

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

    // Lets go whoever waits at something that all others have reached.
    bool release(unsigned threads) {
        bool any = false;
        const auto all = [&](unsigned first, unsigned end, State state) {
            return std::all_of(fibers_.begin() + first, fibers_.begin() + end,
                               [&](const auto& fiber) { return fiber->state == state; });
        };
        const auto letGo = [&](unsigned first, unsigned end) {
            for (unsigned i = first; i < end; ++i) fibers_[i]->state = State::Ready;
            any = true;
        };
        for (unsigned first = 0; first + 32 <= threads; first += 32)
            if (all(first, first + 32, State::AtWarp)) letGo(first, first + 32);
        const bool barrier = std::all_of(fibers_.begin(), fibers_.begin() + threads, [](const auto& fiber) {
            return fiber->state == State::AtBarrier || fiber->state == State::Done;
        });
        if (barrier)
            for (unsigned i = 0; i < threads; ++i)
                if (fibers_[i]->state == State::AtBarrier) letGo(i, i + 1);
        return any;
    }

    std::vector<std::unique_ptr<Fiber>> fibers_;
    jmp_buf scheduler_;
    Fiber* running_ = nullptr;
    std::exception_ptr error_;  // thrown by a thread
    const std::function<void()>* thread_ = nullptr;
};

inline void __syncthreads() {
    Emulator::current().barrier();
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int mask) {
    return Emulator::current().exchange(value)[(threadIdx.x % 32) ^ static_cast<unsigned>(mask)];
}
template <class T>
T __shfl_sync(unsigned, T value, int lane) {
    return Emulator::current().exchange(value)[lane];
}
inline unsigned __ballot_sync(unsigned, int predicate) {
    const unsigned* seen = Emulator::current().exchange(static_cast<unsigned>(predicate != 0));
    unsigned mask = 0;
    for (unsigned lane = 0; lane < 32; ++lane) mask |= seen[lane] << lane;
    return mask;
}
inline int __ffs(unsigned x) {
    return x == 0 ? 0 : std::countr_zero(x) + 1;
}

inline std::uint16_t to_bf16(float x) {
    return toBf16(x);
}
inline float from_bf16(std::uint16_t bits) {
    return fromBf16(bits);
}

// Throws std::logic_error where a GPU would fault.
inline std::uint32_t load_pair(const std::uint16_t* at) {
    if (reinterpret_cast<std::uintptr_t>(at) % 4 != 0) throw std::logic_error("a misaligned load");
    std::uint32_t pair;
    std::memcpy(&pair, at, sizeof(pair));
    return pair;
}

inline void mma_16x8x16(float (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
    struct Fragments {
        std::uint32_t a[4], b[2];
    };
    const Fragments* lanes = Emulator::current().exchange(Fragments{{a[0], a[1], a[2], a[3]}, {b[0], b[1]}});
    const auto half = [](std::uint32_t pair, unsigned which) {
        return from_bf16(static_cast<std::uint16_t>(pair >> 16 * which & 0xffffU));
    };
    const auto left = [&](unsigned row, unsigned k) {  // a (row, k)
        return half(lanes[row % 8 * 4 + k % 8 / 2].a[row / 8 + 2 * (k / 8)], k % 2);
    };
    const auto right = [&](unsigned k, unsigned column) {  // b (k, column)
        return half(lanes[column * 4 + k % 8 / 2].b[k / 8], k % 2);
    };
    const unsigned lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned k = 0; k < 16; ++k) c[i] += left(g + 8 * (i / 2), k) * right(k, 2 * t + i % 2);
}

// Stands where a launch on a stream stands under nvcc.
struct EmulatedLaunch {
    template <class... Parameters, class... Arguments>
    void operator()(Index grid, unsigned block, void (*kernel)(Parameters...), Arguments... arguments) const {
        gridDim = grid;
        blockDim = {block, 1};
        for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y)
            for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x)
                Emulator::current().runBlock(block, [&] { kernel(static_cast<Parameters>(arguments)...); });
    }
};

}  // namespace bscope::cuda
