// A recording: the header of frame.h, then the stream's frames byte for byte. The writer is a tee that never
// stops the run: the first error (disk full, folder gone) is reported once and ends the recording.
// The reader gives everything up to the last whole message of a file that was cut or damaged and says so. One
// thread at a time each.
#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "files/user_file.h"
#include "wire/frame.h"

namespace bscope {

class RecordingWriter {
public:
    using ErrorHandler = std::function<void(const Sentence&)>;

    // Creates or replaces the file and writes the header. Throws WireError when that is impossible. on_error
    // is called at most once, from write(), flush() or close(), when recording had to stop.
    RecordingWriter(const std::filesystem::path& file, ErrorHandler on_error);
    // Closes; an error then goes to on_error too.
    ~RecordingWriter();
    RecordingWriter(const RecordingWriter&) = delete;
    RecordingWriter& operator=(const RecordingWriter&) = delete;

    void write(std::string_view frame);  // one whole frame, header included
    void flush();
    void close();
    bool stopped() const { return !file_; }
    const std::filesystem::path& path() const { return path_; }

private:
    struct CloseFile {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    void stop(int error_number);

    std::filesystem::path path_;
    ErrorHandler on_error_;
    std::unique_ptr<std::FILE, CloseFile> file_;
};

class RecordingReader {
public:
    // Throws WireError: no such file, not a recording, another version.
    explicit RecordingReader(const std::filesystem::path& file);

    // The next message; nullopt at the end of what can be read.
    std::optional<wire::Message> next();
    // All that follow. One that `take` cannot make sense of (WireError) is damage like any other.
    void readAll(const std::function<void(const wire::Message&)>& take) { readAll(take, {}); }
    // Reports how many bytes of the file are read, now and then; false ends the reading, and then the result
    // is false.
    using Progress = std::function<bool(std::uint64_t done, std::uint64_t total)>;
    bool readAll(const std::function<void(const wire::Message&)>& take, const Progress& progress);
    // Unchecked: of version 1, in which damage may go unnoticed.
    Framing framing() const { return framing_; }
    // The same as a sentence; empty of files with checksums.
    Sentence withoutChecksums() const;
    // Of the header and the whole messages read so far.
    std::uint64_t wholeBytes() const { return good_bytes_; }
    // After next() gave nullopt: empty, or one sentence that says what was left out and why.
    const Sentence& warning() const { return warning_; }

private:
    bool fill();
    void endDamaged(std::uint64_t after_byte, const Sentence& why);

    UserFile file_;
    Framing framing_;
    FrameReader frames_;
    std::uint64_t good_bytes_ = 0;  // header and whole messages so far
    bool ended_ = false;
    Sentence warning_;
};

// Whether a RecordingWriter, of any program, has it open; false where files cannot be locked.
bool isBeingRecorded(const std::filesystem::path& file);

// Puts a message at the end of a finished recording of which `whole_bytes` were read, framed as those before
// it, and gives its new size. Throws WireError, and leaves the file as it was, when it has changed since, is
// still being recorded, or cannot be written.
std::uint64_t appendToRecording(const std::filesystem::path& file, const wire::Message& message,
                                std::uint64_t whole_bytes);

}  // namespace bscope
