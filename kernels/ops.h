// Ops: the operations of operations.h on one device and one stream. Results depend only on the arguments: the
// same call gives the same bits on the same machine, on any thread. Used by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "kernels/operations.h"
#include "kernels/products.h"

namespace bscope {

#define BSCOPE_NAME_OPERATION(Name, name) using Name = Bscope##Name;
BSCOPE_OPERATIONS(BSCOPE_NAME_OPERATION)
#undef BSCOPE_NAME_OPERATION

class Ops {
public:
    virtual ~Ops() = default;

    // Memory this object holds to work in, counted with the rank's buffers.
    virtual std::size_t workspaceBytes() const = 0;
    // What attention keeps for its backward.
    virtual std::size_t attentionKeptFloats(std::size_t B, std::size_t T, std::size_t heads) const = 0;

    // On the CPU: what multiplies matrices from now on. Throws std::invalid_argument when this processor does
    // not run the loops. Others have one way to multiply.
    virtual void choose(Products) {}

    // The operations that `calls` makes, handed over in one go where the device has a way to, which pays when
    // the same come again. Not for AdamW, whose numbers are others at every step.
    virtual void together(const std::function<void()>& calls) { calls(); }

#define BSCOPE_RUN_OPERATION(Name, name) virtual void run(const Name& operation) = 0;
    BSCOPE_OPERATIONS(BSCOPE_RUN_OPERATION)
#undef BSCOPE_RUN_OPERATION
};

// For a list of operations: the class that this stands in runs them.
#define BSCOPE_RUNS(Name, name) void run(const Name& operation) override;

}  // namespace bscope
