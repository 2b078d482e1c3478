// Bytes of a file, plain or compressed with gzip, whichever it is; read in pieces, so that a trace of
// gigabytes needs no memory of that size. One thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace bscope {

class FileText {
public:
    // Throws ImportError: the file cannot be opened, or is no regular file (files/user_file.h).
    explicit FileText(const std::filesystem::path& file);
    ~FileText();
    FileText(const FileText&) = delete;
    FileText& operator=(const FileText&) = delete;

    // The first 64 KiB, decompressed, before anything is read; read() gives them again. Throws ImportError
    // when the file is damaged.
    std::string_view beginning();
    // Fills the buffer from its start; how many bytes, 0 at the end. Throws ImportError when the file is
    // damaged.
    std::size_t read(std::span<char> buffer);
    // Goes on from that byte. False: the file is compressed, or shorter, and nothing has changed. Throws
    // ImportError.
    bool goTo(std::uintmax_t byte);
    // Bytes of the file consumed, compressed ones as they lie on the disk: for progress.
    std::uintmax_t position() const;
    std::uintmax_t size() const { return size_; }
    const std::filesystem::path& path() const { return file_; }
    // After read() gave 0: compressed data that ends in the middle.
    bool cutOff() const;

private:
    std::size_t readOn(std::span<char> buffer);

    struct Stream;
    std::unique_ptr<Stream> stream_;
    std::filesystem::path file_;
    std::uintmax_t size_ = 0;
    std::string beginning_;
    std::size_t given_ = 0;  // bytes of it that read() has given
};

// The first 64 KiB, decompressed. Throws ImportError.
std::string beginningOf(const std::filesystem::path& file);

// A whole small file of JSON. Throws ImportError, also when it has more than `most` bytes or levels without
// end.
std::string wholeJson(const std::filesystem::path& file, std::size_t most);

}  // namespace bscope
