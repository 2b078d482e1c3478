#include "files/user_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace bscope {

namespace {

using Why = FileError::Why;

[[noreturn]] void failAsSystemSays() {
    throw FileError(Why::System, sentence("{0}", std::generic_category().message(errno)));
}

std::string sizeText(std::uint64_t bytes) {
    const auto tenths = bytes / 100'000;
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " MB";
}

[[noreturn]] void failAsTooLarge(std::uint64_t bytes, std::uint64_t max_bytes) {
    throw FileError(Why::TooLarge, sentence("it has {0}, at most {1} are read of such a file",
                                            sizeText(bytes), sizeText(max_bytes)));
}

Sentence kindOf(mode_t mode) {
    if (S_ISFIFO(mode)) return sentence("it is a pipe, not a file");
    if (S_ISSOCK(mode)) return sentence("it is a socket, not a file");
    return sentence("it is a device, not a file");
}

// The descriptor of a regular file. A pipe that nobody writes to opens at once like this.
int openRegular(const std::filesystem::path& path, std::uint64_t& size_bytes) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) {
        if (errno == ENXIO) throw FileError(Why::NotAFile, kindOf(S_IFSOCK));
        failAsSystemSays();
    }
    struct stat status {};
    if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
        size_bytes = static_cast<std::uint64_t>(status.st_size);
        return descriptor;
    }
    ::close(descriptor);
    if (S_ISDIR(status.st_mode)) throw FileError(Why::Folder, sentence("it is a folder"));
    throw FileError(Why::NotAFile, kindOf(status.st_mode));
}

bool isSameFile(const struct stat& one, const struct stat& other) {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

}  // namespace

UserFile::UserFile(const std::filesystem::path& path) : descriptor_(openRegular(path, size_bytes_)) {}

UserFile::~UserFile() {
    ::close(descriptor_);
}

std::size_t UserFile::read(char* into, std::size_t size) {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t got = ::read(descriptor_, into + done, size - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) failAsSystemSays();
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

std::string readUserFile(const std::filesystem::path& path, std::uint64_t max_bytes) {
    UserFile file(path);
    if (file.sizeBytes() > max_bytes) failAsTooLarge(file.sizeBytes(), max_bytes);
    // Reading one byte more than the size shows whether there is more: files of /proc say 0, others grow.
    std::string content;
    std::size_t step = static_cast<std::size_t>(file.sizeBytes()) + 1;
    for (;;) {
        const std::size_t before = content.size();
        content.resize(before + step);
        content.resize(before + file.read(content.data() + before, step));
        if (content.size() > max_bytes) failAsTooLarge(content.size(), max_bytes);
        if (content.size() < before + step) return content;
        step = 1u << 16;
    }
}

void requireWritableWithoutWaiting(const std::filesystem::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return;
    if (!S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode)) return;
    for (const int own : {STDOUT_FILENO, STDERR_FILENO}) {
        struct stat opened {};
        if (::fstat(own, &opened) == 0 && isSameFile(opened, status)) return;
    }
    throw FileError(Why::NotAFile, kindOf(status.st_mode));
}

}  // namespace bscope
