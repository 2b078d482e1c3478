// Kernel launches and graphs of the fake runtime.
#include <algorithm>
#include <stdexcept>

#include "fake.h"
#include "kernels/cuda/known_kernel.h"

using namespace fake;
using bscope::cuda::Argument;
using bscope::cuda::Call;
using bscope::cuda::MakeCall;

namespace {

struct Known {
    std::string name;
    MakeCall make;
};

std::map<const void*, Known>& known() {
    static auto* const only = new std::map<const void*, Known>;
    return *only;
}

struct Executable {
    Device* device;
    std::vector<Operation> operations;
};

std::set<const Executable*>& executables() {
    static auto* const only = new std::set<const Executable*>;
    return *only;
}

bool faultsNow() {
    static Nth launch("BSCOPE_FAKE_FAULT");
    return launch.now();
}

// Whether this call may end the stream's capture.
cudaError_t endOfCapture(World& world, const Stream& stream) {
    if (!stream.captured) {
        world.broken("cudaStreamEndCapture of a stream that is not captured");
        return cudaErrorStreamCaptureUnmatched;
    }
    if (stream.captured_by != world.thread().number && stream.capture_mode != cudaStreamCaptureModeRelaxed) {
        world.broken("cudaStreamEndCapture by another thread than began it");
        return cudaErrorStreamCaptureWrongThread;
    }
    return cudaSuccess;
}

}  // namespace

void bscope::cuda::knowKernel(const void* kernel, const char* name, MakeCall make) {
    FAKE_ENTER;
    known().try_emplace(kernel, Known{name, std::move(make)});
}

extern "C" {

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t handle) {
    FAKE_ENTER;
    Stream& stream = *of(handle);
    const Device& on = *stream.device;
    Thread& self = world.thread();
    if (self.last != cudaSuccess)
        world.broken("a launch with the error of " + self.last_call + " left behind");
    if (self.device != on.index) {
        world.broken("cudaLaunchKernel: the current GPU is not the stream's");
        return world.result(cudaErrorInvalidResourceHandle, __func__);
    }
    const auto found = known().find(kernel);
    if (found == known().end()) return world.result(cudaErrorInvalidDeviceFunction, __func__);
    // CUDA programming guide, compute capabilities.
    if (grid.x == 0 || grid.y == 0 || grid.x > 0x7fffffffU || grid.y > 65535 || block.x == 0 ||
        block.x * block.y * block.z > 1024 || shared > 49152) {
        world.broken("cudaLaunchKernel: a grid or block that no GPU takes");
        return world.result(cudaErrorInvalidConfiguration, __func__);
    }
    const std::string& name = found->second.name;
    Operation operation{.what = name, .traced = {Kind::Kernel, name.c_str(), 0}, .library = kernel};
    Call call = found->second.make(arguments);
    for (const Argument& argument : call.arguments)
        if (argument.pointer)
            operation.accesses.push_back(world.touch(argument.pointer, 0, argument.writes, on, name));
    const bool faults = faultsNow();
    operation.run = [=, run = std::move(call.run)] {
        if (faults) throw AskedFor("a fault");
        run(grid.x, grid.y, block.x);
    };
    return world.result(world.hand(stream, std::move(operation)), __func__);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
    FAKE_ENTER;
    Stream& stream = *of(handle);
    if (stream.device->fault != cudaSuccess) return world.result(stream.device->fault, __func__);
    if (stream.captured) {
        world.broken("cudaStreamBeginCapture of a stream that is captured already");
        stream.capture_broken = true;
        return world.result(cudaErrorIllegalState, __func__);
    }
    stream.captured = new Graph{stream.device, {}};
    stream.captured_by = world.thread().number;
    stream.capture_mode = mode;
    stream.capture_broken = false;
    world.capturing.push_back(&stream);
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* made) {
    FAKE_ENTER;
    *made = nullptr;
    Stream& stream = *of(handle);
    if (const cudaError_t error = endOfCapture(world, stream); error != cudaSuccess)
        return world.result(error, __func__);
    std::erase(world.capturing, &stream);
    Graph* const graph = std::exchange(stream.captured, nullptr);
    if (stream.capture_broken) {
        delete graph;
        return world.result(cudaErrorStreamCaptureInvalidated, __func__);
    }
    *made = reinterpret_cast<cudaGraph_t>(graph);
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t handle, unsigned long long) {
    FAKE_ENTER;
    const auto* const graph = reinterpret_cast<const Graph*>(handle);
    auto* const executable = new Executable{graph->device, graph->operations};
    executables().insert(executable);
    *made = reinterpret_cast<cudaGraphExec_t>(executable);
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle) {
    delete reinterpret_cast<Graph*>(handle);
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream_handle) {
    FAKE_ENTER;
    const auto* const executable = reinterpret_cast<const Executable*>(handle);
    Stream& stream = *of(stream_handle);
    if (!executables().contains(executable)) {
        world.broken("cudaGraphLaunch of a graph that was destroyed");
        return world.result(cudaErrorInvalidValue, __func__);
    }
    if (executable->device != stream.device)
        world.broken("cudaGraphLaunch: the graph was captured on another GPU");
    if (world.thread().device != stream.device->index)
        world.broken("cudaGraphLaunch: the current GPU is not the stream's");
    if (stream.device->fault != cudaSuccess) return world.result(stream.device->fault, __func__);
    const std::uint32_t correlation = world.called ? world.called(Kind::Other, "cudaGraphLaunch") : 0;
    for (const Operation& each : executable->operations) {
        const auto operation = std::make_shared<Operation>(each);
        operation->correlation = correlation;
        for (Access& access : operation->accesses)
            if (access.first != access.past && !world.blockOf(access.first))
                world.broken("cudaGraphLaunch: " + each.what + " in the graph uses memory that was freed");
        world.put(stream, operation);
    }
    return cudaSuccess;
}

// One that runs is freed when it has run (cuGraphExecDestroy, driver manual): what it does was copied.
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t handle) {
    FAKE_ENTER;
    const auto* const executable = reinterpret_cast<const Executable*>(handle);
    if (executables().erase(executable) == 0) {
        world.broken("cudaGraphExecDestroy: destroyed twice");
        return world.result(cudaErrorInvalidValue, __func__);
    }
    delete executable;
    return cudaSuccess;
}

}  // extern "C"
