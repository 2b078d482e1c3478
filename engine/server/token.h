// The token: what a viewer must present. It is never on a command line or in an environment, where other
// users could read it: it comes from a file, through standard input, or is made into a file that its owner
// alone can read.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace bscope {

inline constexpr std::size_t kLeastTokenLetters = 16;

// 32 hexadecimal digits, 128 bits of the system's random numbers. Throws std::runtime_error.
std::string newToken();

// The time it takes depends on the length of `given` alone.
bool sameToken(const std::string& given, const std::string& right);

// A new token in a file of its own, which lives as long as this object: bubblescope/COMMAND-PORT-PID.token in
// $XDG_RUNTIME_DIR, else in the user's folder for states; the folder is 0700, the file 0600.
class TokenFile {
public:
    // Throws std::runtime_error with the cause and what to do.
    TokenFile(const std::string& token, int port, const std::string& command = "serve");
    ~TokenFile();
    TokenFile(const TokenFile&) = delete;
    TokenFile& operator=(const TokenFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace bscope
