// UserFile: a file that a person named, opened for reading. Only regular files are opened, without waiting: a
// pipe, a device or a folder is refused at once, so that a wrong name can neither stop the program nor fill
// its memory. Everything that reads a named file reads it through here. A handle for one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "words/sentence_error.h"

namespace bscope {

// The greatest size that is read of each kind of file, in bytes.
inline constexpr std::uint64_t kMaxScheduleFileBytes = 64u << 20;  // the largest legal schedule is smaller
inline constexpr std::uint64_t kMaxConfigFileBytes = 16u << 20;    // also scenarios
inline constexpr std::uint64_t kMaxTextFileBytes = 1u << 30;       // training text, held in memory

// what() is the cause alone ("it is a folder"); the caller puts the name of the file in front.
struct FileError : SentenceError<> {
    enum class Why : std::uint8_t {
        Folder,
        NotAFile,  // a pipe, a device, a socket
        TooLarge,
        NotAllowed,  // a configuration may not name it; whether it exists is not said
        System,      // what the system says: not there, not allowed, ...
    };
    FileError(Why reason, const Sentence& cause) : SentenceError(cause), why(reason) {}
    Why why;
};

// Who named a file: the person in front of the program, or a configuration, which a stranger may have sent.
enum class NamedBy : std::uint8_t { Person, Configuration };

// Which files a configuration may name, as long as this lives; without any of these, every file. What is
// judged is where the file really lies that was opened, at every opening, so that exchanging names for others
// never leads elsewhere. Where there are several, one that says yes is enough. Any thread.
class ConfigurationFiles {
public:
    using Judge = std::function<bool(const std::filesystem::path& real)>;
    explicit ConfigurationFiles(Judge judge);
    ~ConfigurationFiles();
    ConfigurationFiles(const ConfigurationFiles&) = delete;
    ConfigurationFiles& operator=(const ConfigurationFiles&) = delete;

private:
    const Judge judge_;
};

class UserFile {
public:
    // Throws FileError.
    explicit UserFile(const std::filesystem::path& path, NamedBy by = NamedBy::Person);
    ~UserFile();
    UserFile(const UserFile&) = delete;
    UserFile& operator=(const UserFile&) = delete;

    std::uint64_t sizeBytes() const { return size_bytes_; }  // when it was opened
    // Up to `size` bytes, fewer only at the end. Throws FileError.
    std::size_t read(char* into, std::size_t size);
    // The next byte that is read, counted from the start. Throws FileError.
    void seek(std::uint64_t byte);

private:
    std::uint64_t size_bytes_ = 0;  // before the descriptor, which is opened with it
    int descriptor_;
};

// The whole file; with more than max_bytes it is refused, also when it grows meanwhile. Throws FileError.
std::string readUserFile(const std::filesystem::path& path, std::uint64_t max_bytes,
                         NamedBy by = NamedBy::Person);

// Throws FileError when writing to the path would wait for a reader: a pipe or a socket other than this
// program's own standard output or error. A file, a device, and what does not exist yet are fine.
void requireWritableWithoutWaiting(const std::filesystem::path& path);

}  // namespace bscope
