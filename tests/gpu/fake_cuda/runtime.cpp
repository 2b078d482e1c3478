// Devices, memory and copies of the fake runtime.
#include <sys/mman.h>

#include <cstring>

#include "fake.h"

using namespace fake;

namespace {

constexpr int kNonsense = 0xFF;  // a NaN in every float
constexpr std::size_t kAlignment = 256;

std::size_t deviceBytes() {
    return static_cast<std::size_t>(setting("BSCOPE_FAKE_BYTES", 2L << 30));
}

// Host memory is pageable here, of which the runtime's manual says that such a copy may wait; the order of
// accesses is not checked for it.
Access deviceSide(World& world, const void* address, std::size_t bytes, bool writes, const Device& on,
                  const std::string& what) {
    return world.touch(address, bytes, writes, on, what);
}

}  // namespace

extern "C" {

cudaError_t cudaDriverGetVersion(int* version) {
    *version = static_cast<int>(setting("BSCOPE_FAKE_DRIVER", 13000));
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
    FAKE_ENTER;
    *count = static_cast<int>(world.devices.size());
    return world.result(*count == 0 ? cudaErrorNoDevice : cudaSuccess, __func__);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    FAKE_ENTER;
    if (device < 0 || static_cast<std::size_t>(device) >= world.devices.size())
        return world.result(cudaErrorInvalidDevice, __func__);
    std::memset(properties, 0, sizeof(*properties));
    std::strcpy(properties->name, "Checked GPU");
    properties->major = static_cast<int>(setting("BSCOPE_FAKE_MAJOR", 9));
    properties->minor = 0;
    properties->multiProcessorCount = static_cast<int>(setting("BSCOPE_FAKE_PROCESSORS", 132));
    properties->totalGlobalMem = deviceBytes();
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int room, int device) {
    std::snprintf(text, static_cast<std::size_t>(room), "0000:%02X:00.0", device + 1);
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int from, int to) {
    *can = from != to ? 1 : 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
    *value = 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
    *value =
        attribute == cudaDevAttrMultiProcessorCount ? static_cast<int>(setting("BSCOPE_FAKE_PROCESSORS", 132))
        : attribute == cudaDevAttrComputeCapabilityMajor ? static_cast<int>(setting("BSCOPE_FAKE_MAJOR", 9))
                                                         : 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
    FAKE_ENTER;
    if (device < 0 || static_cast<std::size_t>(device) >= world.devices.size())
        return world.result(cudaErrorInvalidDevice, __func__);
    world.thread().device = device;
    return world.result(world.device(device).fault, __func__);
}

cudaError_t cudaGetDevice(int* device) {
    FAKE_ENTER;
    *device = std::max(world.thread().device, 0);
    return cudaSuccess;
}

cudaError_t cudaGetLastError() {
    FAKE_ENTER;
    Thread& self = world.thread();
    const cudaError_t last = std::exchange(self.last, cudaSuccess);
    const cudaError_t fault = self.device < 0 ? cudaSuccess : world.device(self.device).fault;
    return fault != cudaSuccess ? fault : last;
}

const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
        case cudaSuccess:
            return "no error";
        case cudaErrorMemoryAllocation:
            return "out of memory";
        case cudaErrorNotReady:
            return "device not ready";
        case cudaErrorIllegalAddress:
            return "an illegal memory access was encountered";
        case cudaErrorInvalidResourceHandle:
            return "invalid resource handle";
        default:
            return "another error (fake)";
    }
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
    FAKE_ENTER;
    Device& on = world.current(__func__);
    *memory = nullptr;
    if (!world.allocates(__func__)) return world.result(cudaErrorStreamCaptureUnsupported, __func__);
    if (on.fault != cudaSuccess) return world.result(on.fault, __func__);
    const std::size_t room = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (room == 0) return cudaSuccess;
    if (on.used + room > deviceBytes()) return world.result(cudaErrorMemoryAllocation, __func__);
    // A page more than asked for: memory that is freed leaves a hole where nothing else begins.
    *memory = std::aligned_alloc(kAlignment, room + kAlignment);
    std::memset(*memory, kNonsense, room);
    on.used += room;
    world.blocks[static_cast<const char*>(*memory)] = {on.index, bytes, {}, {}};
    return cudaSuccess;
}

// It waits for what uses the memory (and for everything else); relying on that is a mistake where kernels
// spin.
cudaError_t cudaFree(void* memory) {
    FAKE_ENTER;
    Device& on = world.current(__func__);
    if (!memory) return cudaSuccess;
    const auto found = world.blocks.find(static_cast<const char*>(memory));
    if (found == world.blocks.end()) {
        world.broken("cudaFree: freed twice, or never allocated");
        return world.result(cudaErrorInvalidValue, __func__);
    }
    if (!world.allocates(__func__)) return world.result(cudaErrorStreamCaptureUnsupported, __func__);
    if (found->second.device != on.index)
        world.broken("cudaFree: memory of another GPU than the current one");
    if (on.fault == cudaSuccess)
        for (const Seen& seen : found->second.seen) {
            const auto row = static_cast<std::size_t>(seen.row);
            bool runs = false;
            for (const Stream* stream : on.streams)
                runs = runs || (stream->row == seen.row && stream->done < stream->handed &&
                                (row >= world.host.size() || seen.tick > world.host[row]));
            if (runs) {
                world.broken("cudaFree of what " + seen.what + " still uses");
                break;
            }
        }
    while (world.advance()) {
    }
    std::memset(memory, kNonsense, found->second.bytes);
    on.used -= (found->second.bytes + kAlignment - 1) / kAlignment * kAlignment;
    world.blocks.erase(found);
    std::free(memory);
    return world.result(on.fault, __func__);
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
    FAKE_ENTER;
    const Device& on = world.current(__func__);
    *total_bytes = deviceBytes();
    *free_bytes = *total_bytes - on.used;
    return world.result(on.fault, __func__);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t handle) {
    FAKE_ENTER;
    Stream& stream = *of(handle);
    if (bytes == 0) return cudaSuccess;
    const bool from_device = world.blockOf(static_cast<const char*>(from)) != nullptr;
    const bool to_device = world.blockOf(static_cast<const char*>(to)) != nullptr;
    if (kind == cudaMemcpyDeviceToDevice && !(from_device && to_device))
        world.broken("cudaMemcpyAsync between GPUs of what is no memory of a GPU, or freed");
    Operation operation{.what = "a copy", .traced = {Kind::Copy, nullptr, bytes}};
    if (to_device) operation.accesses.push_back(deviceSide(world, to, bytes, true, *stream.device, "a copy"));
    if (from_device)
        operation.accesses.push_back(deviceSide(world, from, bytes, false, *stream.device, "a copy"));
    operation.run = [=] { std::memcpy(to, from, bytes); };
    return world.result(world.hand(stream, std::move(operation)), __func__);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind, cudaStream_t handle) {
    FAKE_ENTER;
    Stream& stream = *of(handle);
    if (width == 0 || height == 0) return cudaSuccess;
    Operation operation{.what = "a copy", .traced = {Kind::Copy, nullptr, width * height}};
    operation.accesses = {
        deviceSide(world, to, to_pitch * (height - 1) + width, true, *stream.device, "a copy"),
        deviceSide(world, from, from_pitch * (height - 1) + width, false, *stream.device, "a copy")};
    operation.run = [=] {
        for (std::size_t row = 0; row < height; ++row)
            std::memcpy(static_cast<char*>(to) + row * to_pitch,
                        static_cast<const char*>(from) + row * from_pitch, width);
    };
    return world.result(world.hand(stream, std::move(operation)), __func__);
}

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t handle) {
    FAKE_ENTER;
    Stream& stream = *of(handle);
    if (bytes == 0) return cudaSuccess;
    Operation operation{.what = "a fill", .traced = {Kind::Fill, nullptr, bytes}};
    operation.accesses = {deviceSide(world, memory, bytes, true, *stream.device, "a fill")};
    operation.run = [=] { std::memset(memory, value, bytes); };
    return world.result(world.hand(stream, std::move(operation)), __func__);
}

}  // extern "C"
