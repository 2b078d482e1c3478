#include "files/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <streambuf>
#include <system_error>
#include <utility>

#include "files/user_file.h"

namespace bscope {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(int error_number) {
    throw std::runtime_error(std::generic_category().message(error_number));
}

bool isSpecial(const fs::path& file) {
    struct stat status {};
    return ::stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// Some file systems have no fsync; on them nothing can be promised.
bool isSynced(int descriptor) {
    return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

// An open file as the end of a stream; keeps the first error.
class Output final : public std::streambuf {
public:
    explicit Output(int descriptor) : descriptor_(descriptor) {
        if (descriptor_ < 0) fail(errno);
        setp(buffer_.data(), buffer_.data() + buffer_.size());
    }
    ~Output() override {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    int error() const { return error_; }
    void syncToDisk() {
        if (error_ == 0 && !isSynced(descriptor_)) error_ = errno;
    }
    void close() {
        if (::close(std::exchange(descriptor_, -1)) != 0 && error_ == 0) error_ = errno;
    }

protected:
    int sync() override {
        const char* from = pbase();
        while (from < pptr() && error_ == 0) {
            const ssize_t written = ::write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
            if (written >= 0)
                from += written;
            else if (errno != EINTR)
                error_ = errno;
        }
        setp(buffer_.data(), buffer_.data() + buffer_.size());
        return error_ == 0 ? 0 : -1;
    }
    int_type overflow(int_type letter) override {
        if (sync() != 0) return traits_type::eof();
        if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
        return sputc(traits_type::to_char_type(letter));
    }

private:
    int descriptor_;
    int error_ = 0;
    std::array<char, 1u << 16> buffer_{};
};

void writeTo(Output& output, const std::function<void(std::ostream&)>& write, bool to_disk) {
    std::ostream stream(&output);
    write(stream);
    stream.flush();
    if (to_disk) output.syncToDisk();
    output.close();
    if (output.error() != 0) fail(output.error());
}

// So that the name lasts too.
void syncFolderOf(const fs::path& file) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;  // a folder that may be written and not read
    const int error_number = isSynced(descriptor) ? 0 : errno;
    ::close(descriptor);
    if (error_number != 0) fail(error_number);
}

}  // namespace

void writeWholeFile(const fs::path& file, const std::function<void(std::ostream&)>& write) {
    if (isSpecial(file)) {
        requireWritableWithoutWaiting(file);
        Output output(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
        return writeTo(output, write, false);
    }
    fs::path part = file;
    part += ".part";
    ::unlink(part.c_str());  // of a process that was killed
    Output output(::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    try {
        writeTo(output, write, true);
        if (::rename(part.c_str(), file.c_str()) != 0) fail(errno);
    } catch (...) {
        ::unlink(part.c_str());
        throw;
    }
    syncFolderOf(file);
}

}  // namespace bscope
