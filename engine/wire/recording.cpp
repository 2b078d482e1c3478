// Writing and reading recordings; see recording.h.
#include "wire/recording.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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
        throw WireError(sentence("cannot open {0}: {1}", file.string(), sentenceOf(error)));
    }
}

// How the frames of an open recording are written; the file stands behind its header afterwards.
Framing framingOf(UserFile& file, const std::filesystem::path& path) {
    std::string header(kRecordingHeaderBytes, '\0');
    try {
        header.resize(file.read(header.data(), header.size()));
        return framingOfRecording(header);
    } catch (const FileError& error) {
        throw WireError(sentence("{0}: {1}", path.string(), sentenceOf(error)));
    } catch (const WireError& error) {
        throw WireError(sentence("{0}: {1}", path.string(), sentenceOf(error)));
    }
}

std::FILE* created(const std::filesystem::path& file) {
    try {
        requireWritableWithoutWaiting(file);
    } catch (const FileError& error) {
        throw WireError(sentence("cannot record to {0}: {1}", file.string(), sentenceOf(error)));
    }
    return std::fopen(file.c_str(), "wb");
}

}  // namespace

RecordingWriter::RecordingWriter(const std::filesystem::path& file, ErrorHandler on_error)
    : path_(file), on_error_(std::move(on_error)), file_(created(file)) {
    if (!file_) throw WireError(sentence("cannot record to {0}: {1}", path_.string(), systemText(errno)));
    // Keeps appendToRecording() away; where files cannot be locked their size does.
    static_cast<void>(::flock(::fileno(file_.get()), LOCK_EX | LOCK_NB));
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
        on_error_(
            sentence("Recording to {0} stopped: {1}. The run goes on; what was written so far can be opened.",
                     path_.string(), systemText(error_number)));
}

RecordingReader::RecordingReader(const std::filesystem::path& file)
    : file_(opened(file)),
      framing_(framingOf(file_, file)),
      frames_(kMaxMessageBytes, framing_),
      good_bytes_(kRecordingHeaderBytes) {}

bool RecordingReader::fill() {
    std::array<char, 1u << 16> chunk;
    std::size_t got = 0;
    try {
        got = file_.read(chunk.data(), chunk.size());
    } catch (const FileError& error) {
        throw WireError(sentenceOf(error));
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
                warning_ = sentence(
                    "The recording was cut in the middle of a message: its last {0} bytes are left out.",
                    frames_.pendingBytes());
        } catch (const WireError& error) {
            endDamaged(good_bytes_, error.said);
        }
        ended_ = true;
    }
    return std::nullopt;
}

Sentence RecordingReader::withoutChecksums() const {
    if (framing_ == Framing::Checked) return {};
    return sentence("This recording is of version 1, without checksums: damage may go unnoticed.");
}

bool RecordingReader::readAll(const std::function<void(const wire::Message&)>& take,
                              const Progress& progress) {
    constexpr std::uint64_t every_bytes = 1 << 20;
    std::uint64_t reported = 0;
    for (std::uint64_t before = good_bytes_; const auto message = next(); before = good_bytes_) {
        if (progress && good_bytes_ >= reported + every_bytes) {
            reported = good_bytes_;
            if (!progress(good_bytes_, file_.sizeBytes())) return false;
        }
        try {
            take(*message);
        } catch (const WireError& error) {
            endDamaged(before, error.said);
        }
    }
    return true;
}

void RecordingReader::endDamaged(std::uint64_t after_byte, const Sentence& why) {
    warning_ = sentence("The recording cannot be used after byte {0}: {1}. What follows is left out.",
                        after_byte, why);
    ended_ = true;
}

bool isBeingRecorded(const std::filesystem::path& file) {
    const int number = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (number < 0) return false;
    const bool is_locked = ::flock(number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(number);  // which unlocks
    return is_locked;
}

std::uint64_t appendToRecording(const std::filesystem::path& file, const wire::Message& message,
                                std::uint64_t whole_bytes) {
    const auto refuse = [&file](const Sentence& why) -> WireError {
        return WireError(sentence("nothing can be added to {0}: {1}", file.string(), why));
    };
    const auto systemSays = [&refuse] { return refuse(sentence("{0}", systemText(errno))); };
    struct Descriptor {
        int number;
        ~Descriptor() {
            if (number >= 0) ::close(number);
        }
    } const opened{::open(file.c_str(), O_RDWR | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)};
    if (opened.number < 0) throw systemSays();
    if (::flock(opened.number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        throw refuse(sentence("it is still being recorded"));
    struct stat status {};
    if (::fstat(opened.number, &status) != 0) throw systemSays();
    if (!S_ISREG(status.st_mode) || static_cast<std::uint64_t>(status.st_size) != whole_bytes)
        throw refuse(sentence("it has changed since it was read"));
    std::array<char, kRecordingHeaderBytes> header;
    const ssize_t got = ::pread(opened.number, header.data(), header.size(), 0);
    if (got < 0) throw systemSays();
    std::string frame;
    try {
        frame = encode(message, framingOfRecording({header.data(), static_cast<std::size_t>(got)}));
    } catch (const WireError& error) {
        throw refuse(error.said);
    }
    for (std::size_t done = 0; done < frame.size();) {
        const ssize_t put = ::write(opened.number, frame.data() + done, frame.size() - done);
        if (put < 0 && errno == EINTR) continue;
        if (put > 0) {
            done += static_cast<std::size_t>(put);
            continue;
        }
        const WireError why = systemSays();
        // The part of a message would make what is added later unreadable.
        if (::ftruncate(opened.number, status.st_size) != 0) throw systemSays();
        throw why;
    }
    return whole_bytes + frame.size();
}

}  // namespace bscope
