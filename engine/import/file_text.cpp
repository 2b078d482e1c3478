#include "import/file_text.h"

#include <zlib.h>

#include <array>

#include "import/import_error.h"

namespace bscope {

struct FileText::Stream {
    gzFile file = nullptr;
};

FileText::FileText(const std::filesystem::path& file) : stream_(std::make_unique<Stream>()), file_(file) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
        throw ImportError(file.string() +
                          (std::filesystem::exists(file, error) ? " is no regular file" : " does not exist"));
    size_ = std::filesystem::file_size(file, error);
    stream_->file = gzopen(file.c_str(), "rb");
    if (stream_->file == nullptr) throw ImportError(file.string() + " cannot be opened");
    gzbuffer(stream_->file, 1 << 18);
}

FileText::~FileText() {
    if (stream_->file != nullptr) gzclose(stream_->file);
}

std::size_t FileText::read(std::span<char> buffer) {
    const int got = gzread(stream_->file, buffer.data(), static_cast<unsigned>(buffer.size()));
    int code = Z_OK;
    const char* words = gzerror(stream_->file, &code);
    if (got < 0 || (got == 0 && code == Z_BUF_ERROR))
        throw ImportError(file_.string() + (code == Z_BUF_ERROR ? " ends in the middle of its compressed data"
                                                                : std::string(" is damaged: ") + words));
    return static_cast<std::size_t>(got);
}

std::uintmax_t FileText::position() const {
    const z_off_t offset = gzoffset(stream_->file);
    return offset < 0 ? 0 : static_cast<std::uintmax_t>(offset);
}

std::string wholeText(const std::filesystem::path& file, std::size_t most) {
    FileText text(file);
    std::string whole;
    std::array<char, 1 << 16> piece;
    while (const std::size_t count = text.read(piece)) {
        whole.append(piece.data(), count);
        if (whole.size() > most)
            throw ImportError(file.string() + " is larger than the " + std::to_string(most >> 20) +
                              " MiB that such a file may have");
    }
    return whole;
}

}  // namespace bscope
