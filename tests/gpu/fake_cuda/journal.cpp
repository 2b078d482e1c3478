#include "journal.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace fake {

namespace {

[[noreturn]] void fail(const char* what) {
    throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

}  // namespace

std::string Journal::make() {
    static int made = 0;
    const int file = ::memfd_create("fake NCCL", MFD_CLOEXEC);
    if (file < 0) fail("memfd_create");
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file) + "?" +
           std::to_string(++made);
}

// What follows the question mark only separates two worlds.
Journal::Journal(const std::string& name)
    : file_(::open(name.substr(0, name.find('?')).c_str(), O_RDWR | O_APPEND | O_CLOEXEC)) {
    if (file_ < 0) fail("the process that made this communicator's id");
}

Journal::~Journal() {
    ::close(file_);
}

// In one call, which no other process's comes in between of.
void Journal::tell(Entry entry, const void* content) {
    entry.process = ::getpid();
    std::vector<char> all(sizeof(entry) + entry.content);
    std::memcpy(all.data(), &entry, sizeof(entry));
    if (entry.content > 0) std::memcpy(all.data() + sizeof(entry), content, entry.content);
    if (::write(file_, all.data(), all.size()) != static_cast<ssize_t>(all.size())) fail("write");
}

bool Journal::isThere(std::uint64_t from, void* to, std::size_t bytes) const {
    const ssize_t got = ::pread(file_, to, bytes, static_cast<off_t>(from));
    if (got < 0) fail("pread");
    return got == static_cast<ssize_t>(bytes);
}

// An entry that is still being written is left for the next time.
void Journal::read(const std::function<void(const Entry&, const std::vector<char>&)>& take) {
    Entry entry{};
    std::vector<char> content;
    while (isThere(read_, &entry, sizeof(entry))) {
        content.resize(entry.content);
        if (!isThere(read_ + sizeof(entry), content.data(), content.size())) return;
        read_ += sizeof(entry) + content.size();
        if (entry.process != ::getpid()) take(entry, content);
    }
}

}  // namespace fake
