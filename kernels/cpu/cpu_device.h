// The CPU as a Device: always there. Copies and operations are done when the call returns.
#pragma once

#include <memory>
#include <string>

#include "kernels/device.h"
#include "kernels/products.h"

namespace bscope {

// Every thread that computes calls prepareThread() first: one thread a rank, also inside the matrix products.
std::unique_ptr<Device> makeCpuDevice();

bool hasProductLoops();  // this processor runs them
// What multiplies here: "own loops", "oneDNN 2.6.3".
std::string productsName(Products products);

}  // namespace bscope
