#include "server/token.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "run/checkpointer.h"

namespace bscope {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const std::string& cause) {
    throw std::runtime_error("the token cannot be written to " + file.string() + ": " + cause +
                             "; give the engine one with --token-file FILE");
}

// A folder of this user that no other user can write in.
fs::path privateFolder() {
    const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
    fs::path folder = runtime && *runtime ? fs::path(runtime) / "bubblescope" : stateFolder();
    std::error_code error;
    fs::create_directories(folder.parent_path(), error);
    if (mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) fail(folder, std::strerror(errno));
    struct stat status {};
    if (stat(folder.c_str(), &status) != 0) fail(folder, std::strerror(errno));
    if (status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        fail(folder, "others can write in this folder");
    return folder;
}

}  // namespace

std::string newToken() {
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw std::runtime_error(std::string("the system gives no random numbers: ") + std::strerror(errno));
    constexpr const char* kDigits = "0123456789abcdef";
    std::string token;
    for (const unsigned byte : bytes) {
        token += kDigits[byte >> 4];
        token += kDigits[byte & 15u];
    }
    return token;
}

bool sameToken(const std::string& given, const std::string& right) {
    if (right.empty()) return false;
    unsigned difference = given.size() == right.size() ? 0 : 1;
    for (std::size_t i = 0; i < given.size(); ++i)
        difference |= static_cast<unsigned>(static_cast<unsigned char>(given[i]) ^
                                            static_cast<unsigned char>(right[i % right.size()]));
    return difference == 0;
}

TokenFile::TokenFile(const std::string& token, int port, const std::string& command) {
    path_ =
        privateFolder() / (command + "-" + std::to_string(port) + "-" + std::to_string(getpid()) + ".token");
    unlink(path_.c_str());  // of a process that had this number and was killed
    const int file =
        open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) fail(path_, std::strerror(errno));
    const std::string line = token + '\n';
    const bool whole = write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
    const int error_number = errno;
    const bool closed = close(file) == 0;
    if (whole && closed) return;
    unlink(path_.c_str());
    fail(path_, std::strerror(error_number));
}

TokenFile::~TokenFile() {
    unlink(path_.c_str());
}

}  // namespace bscope
