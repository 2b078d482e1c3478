#include "import/formats/file_text.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "files/shallow_json.h"
#include "files/user_file.h"
#include "import/trace/import_error.h"

namespace bscope {

struct FileText::Stream {
    explicit Stream(const std::filesystem::path& path) : file(path) {}
    ~Stream() {
        if (compressed) inflateEnd(&zip);
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    // More compressed bytes; false at the end of the file.
    bool fill() {
        zip.avail_in = static_cast<unsigned>(file.read(reinterpret_cast<char*>(held.data()), held.size()));
        zip.next_in = held.data();
        consumed += zip.avail_in;
        return zip.avail_in > 0;
    }

    UserFile file;
    bool compressed = false, member_ended = false, cut = false;
    std::uintmax_t consumed = 0;
    z_stream zip = {};
    std::vector<unsigned char> held = std::vector<unsigned char>(1 << 16);
};

FileText::FileText(const std::filesystem::path& file) try
    : stream_(std::make_unique<Stream>(file)), file_(file), size_(stream_->file.sizeBytes()) {
    Stream& stream = *stream_;
    stream.fill();
    stream.compressed = stream.zip.avail_in >= 2 && stream.held[0] == 0x1f && stream.held[1] == 0x8b;
    constexpr int kGzip = 16;
    if (stream.compressed && inflateInit2(&stream.zip, MAX_WBITS + kGzip) != Z_OK) throw std::bad_alloc();
} catch (const FileError& error) {
    throw ImportError(ofFile(file, sentenceOf(error)));
}

FileText::~FileText() = default;

std::string_view FileText::beginning() {
    beginning_.resize(1 << 16);
    std::size_t count = 0;
    while (count < beginning_.size()) {
        const std::size_t got = readOn(std::span(beginning_).subspan(count));
        if (got == 0) break;
        count += got;
    }
    beginning_.resize(count);
    return beginning_;
}

std::size_t FileText::read(std::span<char> buffer) {
    if (given_ == beginning_.size()) return readOn(buffer);
    const std::size_t count = beginning_.copy(buffer.data(), buffer.size(), given_);
    given_ += count;
    return count;
}

std::size_t FileText::readOn(std::span<char> buffer) try {
    Stream& stream = *stream_;
    if (!stream.compressed) {
        const std::size_t held = std::min<std::size_t>(stream.zip.avail_in, buffer.size());
        if (held > 0) {
            std::memcpy(buffer.data(), stream.zip.next_in, held);
            stream.zip.next_in += held;
            stream.zip.avail_in -= static_cast<unsigned>(held);
            return held;
        }
        const std::size_t count = stream.file.read(buffer.data(), buffer.size());
        stream.consumed += count;
        return count;
    }
    stream.zip.next_out = reinterpret_cast<unsigned char*>(buffer.data());
    stream.zip.avail_out = static_cast<unsigned>(buffer.size());
    while (stream.zip.avail_out > 0) {
        if (stream.zip.avail_in == 0 && !stream.fill()) {
            stream.cut = !stream.member_ended;
            break;
        }
        // Files of several members are the members' texts one after the other.
        if (stream.member_ended) inflateReset(&stream.zip);
        const int code = inflate(&stream.zip, Z_NO_FLUSH);
        stream.member_ended = code == Z_STREAM_END;
        if (code != Z_OK && code != Z_STREAM_END)
            throw ImportError(
                sentence("{0} is damaged: its compressed data cannot be unpacked", file_.string()));
    }
    return buffer.size() - stream.zip.avail_out;
} catch (const FileError& error) {
    throw ImportError(ofFile(file_, sentenceOf(error)));
}

bool FileText::goTo(std::uintmax_t byte) try {
    Stream& stream = *stream_;
    if (stream.compressed || byte > size_) return false;
    stream.file.seek(byte);
    stream.consumed = byte;
    stream.zip.avail_in = 0;
    given_ = beginning_.size();
    return true;
} catch (const FileError& error) {
    throw ImportError(ofFile(file_, sentenceOf(error)));
}

std::uintmax_t FileText::position() const {
    return stream_->consumed - stream_->zip.avail_in;
}

bool FileText::cutOff() const {
    return stream_->cut;
}

std::string beginningOf(const std::filesystem::path& file) {
    return std::string(FileText(file).beginning());
}

std::string wholeJson(const std::filesystem::path& file, std::size_t most) {
    FileText text(file);
    std::string whole;
    std::array<char, 1 << 16> piece;
    while (const std::size_t count = text.read(piece)) {
        whole.append(piece.data(), count);
        if (whole.size() > most)
            throw ImportError(sentence("{0} is larger than the {1} MiB that such a file may have",
                                       file.string(), most >> 20));
    }
    if (text.cutOff())
        throw ImportError(sentence("{0} ends in the middle of its compressed data", file.string()));
    if (isTooDeepJson(whole)) throw ImportError(ofFile(file, JsonTooDeep().said));
    return whole;
}

}  // namespace bscope
