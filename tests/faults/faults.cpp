// To preload: BSCOPE_FAULT=KIND:N makes the Nth call of a kind fail once, counted from the program's first
// thread on. Kinds: malloc, thread, write, fsync, accept, open (for writing).
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

std::atomic<bool> counting{false};
std::atomic<long> left{0};
char kind[16] = "";

__attribute__((constructor)) void readRequest() {
    const char* request = std::getenv("BSCOPE_FAULT");
    const char* colon = request ? std::strchr(request, ':') : nullptr;
    if (!colon || colon - request >= static_cast<long>(sizeof kind)) return;
    std::memcpy(kind, request, static_cast<std::size_t>(colon - request));
    left = std::atol(colon + 1);
}

bool fails(const char* call) {
    return counting && std::strcmp(kind, call) == 0 && left.fetch_sub(1) == 1;
}

// Whether oneDNN makes its kernels in this thread: it is called by pthread_once, which it called. It does not
// look whether it gets memory for them (2.6), and no program that calls it can.
bool makesKernels() {
    void* frames[64];
    const int count = backtrace(frames, 64);
    bool called = false, calls_once = false;
    for (int i = 0; i < count; ++i) {
        Dl_info info{};
        if (dladdr(frames[i], &info) == 0 || !info.dli_fname) continue;
        const bool its_own = std::strstr(info.dli_fname, "libdnnl") != nullptr;
        if (its_own && calls_once) return true;
        called = called || its_own;
        calls_once = calls_once || (called && std::strstr(info.dli_fname, "libc.so") != nullptr);
    }
    return false;
}

// The first allocation from the Nth on that is not for those kernels.
bool allocationFails() {
    if (!fails("malloc")) return false;
    if (!makesKernels()) return true;
    left = 1;
    return false;
}

template <typename Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
    if (allocationFails()) {
        errno = ENOMEM;
        return nullptr;
    }
    return __libc_malloc(size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
    if (allocationFails()) {
        errno = ENOMEM;
        return nullptr;
    }
    return __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
    if (allocationFails()) return ENOMEM;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                   void* argument) {
    static auto* const real =
        next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
    counting = true;
    if (fails("thread")) return EAGAIN;
    return real(thread, attributes, work, argument);
}

ssize_t write(int file, const void* data, std::size_t size) {
    static auto* const real = next<ssize_t(int, const void*, std::size_t)>("write");
    if (file > STDERR_FILENO && fails("write")) {
        errno = ENOSPC;
        return -1;
    }
    return real(file, data, size);
}

int fsync(int file) {
    static auto* const real = next<int(int)>("fsync");
    if (fails("fsync")) {
        errno = EIO;
        return -1;
    }
    return real(file);
}

int accept(int socket, sockaddr* address, socklen_t* length) {
    static auto* const real = next<int(int, sockaddr*, socklen_t*)>("accept");
    if (fails("accept")) {
        errno = EMFILE;
        return -1;
    }
    return real(socket, address, length);
}

int open(const char* path, int flags, ...) {
    static auto* const real = next<int(const char*, int, ...)>("open");
    va_list rest;
    va_start(rest, flags);
    const unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    if ((flags & O_ACCMODE) != O_RDONLY && fails("open")) {
        errno = EMFILE;
        return -1;
    }
    return real(path, flags, mode);
}

}  // extern "C"
