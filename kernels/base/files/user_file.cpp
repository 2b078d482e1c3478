#include "files/user_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

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

// A pipe without a writer opens at once like this.
int openAny(const std::filesystem::path& path) {
    return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

// The descriptor when it is of a regular file, else it is closed.
int regular(int descriptor, std::uint64_t& size_bytes) {
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

int openRegular(const std::filesystem::path& path, std::uint64_t& size_bytes) {
    return regular(openAny(path), size_bytes);
}

struct Judges {
    std::mutex mutex;
    std::vector<const ConfigurationFiles::Judge*> all;  // of the ConfigurationFiles that live

    bool allow(const std::filesystem::path& real) {
        const std::lock_guard lock(mutex);
        return all.empty() || std::ranges::any_of(all, [&](const auto* judge) { return (*judge)(real); });
    }
};
Judges& judges() {
    static Judges all;
    return all;
}

// As openRegular; a file that no judge allows fails like one that is not there, unless all are allowed.
int openAllowed(const std::filesystem::path& path, std::uint64_t& size_bytes) {
    if (judges().allow("/")) return openRegular(path, size_bytes);
    // A file that was replaced between opening and asking where it lies has no place any more.
    for (int tries = 0; tries < 100; ++tries) {
        const int descriptor = openAny(path);
        if (descriptor < 0) break;
        std::error_code error;
        const auto real = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), error);
        struct stat status {};
        const bool has_place = ::fstat(descriptor, &status) == 0 && status.st_nlink > 0;
        if (!error && has_place && judges().allow(real)) return regular(descriptor, size_bytes);
        ::close(descriptor);
        if (has_place) break;
    }
    throw FileError(Why::NotAllowed,
                    sentence("it is not there, or is not a file that viewers of this engine may name"));
}

bool isSameFile(const struct stat& one, const struct stat& other) {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

}  // namespace

ConfigurationFiles::ConfigurationFiles(Judge judge) : judge_(std::move(judge)) {
    const std::lock_guard lock(judges().mutex);
    judges().all.push_back(&judge_);
}

ConfigurationFiles::~ConfigurationFiles() {
    const std::lock_guard lock(judges().mutex);
    std::erase(judges().all, &judge_);
}

UserFile::UserFile(const std::filesystem::path& path, NamedBy by)
    : descriptor_(by == NamedBy::Person ? openRegular(path, size_bytes_) : openAllowed(path, size_bytes_)) {}

UserFile::~UserFile() {
    ::close(descriptor_);
}

void UserFile::seek(std::uint64_t byte) {
    if (::lseek(descriptor_, static_cast<off_t>(byte), SEEK_SET) < 0) failAsSystemSays();
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

std::string readUserFile(const std::filesystem::path& path, std::uint64_t max_bytes, NamedBy by) {
    UserFile file(path, by);
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
