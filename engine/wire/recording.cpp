// Writing and reading recordings; see recording.h.
#include "wire/recording.h"

#include <array>
#include <cerrno>
#include <cstring>

namespace bscope {
namespace {

std::string systemText(int error_number) {
    return error_number != 0 ? std::strerror(error_number) : "the system gives no reason";
}

// The file, or a WireError that says why not.
UserFile opened(const std::filesystem::path& file) {
    try {
        return UserFile(file);
    } catch (const FileError& error) {
        throw WireError("cannot open " + file.string() + ": " + error.what());
    }
}

std::FILE* created(const std::filesystem::path& file) {
    try {
        requireWritableWithoutWaiting(file);
    } catch (const FileError& error) {
        throw WireError("cannot record to " + file.string() + ": " + error.what());
    }
    return std::fopen(file.c_str(), "wb");
}

}  // namespace

RecordingWriter::RecordingWriter(const std::filesystem::path& file, ErrorHandler on_error)
    : path_(file), on_error_(std::move(on_error)), file_(created(file)) {
    if (!file_) throw WireError("cannot record to " + path_.string() + ": " + systemText(errno));
    write(recordingHeader());
}

RecordingWriter::~RecordingWriter() {
    close();
}

void RecordingWriter::write(std::string_view frame) {
    if (file_ && std::fwrite(frame.data(), 1, frame.size(), file_.get()) != frame.size()) stop(errno);
}

void RecordingWriter::flush() {
    if (file_ && std::fflush(file_.get()) != 0) stop(errno);
}

void RecordingWriter::close() {
    if (file_ && std::fclose(file_.release()) != 0) stop(errno);
}

void RecordingWriter::stop(int error_number) {
    file_.reset();
    if (on_error_)
        on_error_("Recording to " + path_.string() + " stopped: " + systemText(error_number) +
                  ". The run goes on; what was written so far can be opened.");
}

RecordingReader::RecordingReader(const std::filesystem::path& file) : file_(opened(file)) {
    std::string header(kRecordingHeaderBytes, '\0');
    try {
        header.resize(file_.read(header.data(), header.size()));
        checkRecordingHeader(header);
    } catch (const FileError& error) {
        throw WireError(file.string() + ": " + error.what());
    } catch (const WireError& error) {
        throw WireError(file.string() + ": " + error.what());
    }
    good_bytes_ = header.size();
}

bool RecordingReader::fill() {
    std::array<char, 1u << 16> chunk;
    std::size_t got = 0;
    try {
        got = file_.read(chunk.data(), chunk.size());
    } catch (const FileError& error) {
        throw WireError(error.what());
    }
    frames_.feed({chunk.data(), got});
    return got > 0;
}

std::optional<wire::Message> RecordingReader::next() {
    while (!ended_) {
        try {
            if (auto message = frames_.next()) {
                good_bytes_ += frames_.lastFrame().size();
                return message;
            }
            if (fill()) continue;
            if (frames_.pendingBytes() > 0)
                warning_ = "The recording was cut in the middle of a message: its last " +
                           std::to_string(frames_.pendingBytes()) + " bytes are left out.";
        } catch (const WireError& error) {
            endDamaged(good_bytes_, error.what());
        }
        ended_ = true;
    }
    return std::nullopt;
}

void RecordingReader::readAll(const std::function<void(const wire::Message&)>& take) {
    for (std::uint64_t before = good_bytes_; const auto message = next(); before = good_bytes_) {
        try {
            take(*message);
        } catch (const WireError& error) {
            endDamaged(before, error.what());
        }
    }
}

void RecordingReader::endDamaged(std::uint64_t after_byte, const std::string& why) {
    warning_ = "The recording cannot be used after byte " + std::to_string(after_byte) + ": " + why +
               ". What follows is left out.";
    ended_ = true;
}

}  // namespace bscope
