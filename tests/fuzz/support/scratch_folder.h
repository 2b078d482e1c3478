// ScratchFolder: a folder of this process for what is read by path, in memory where the system has a place
// for that; removed at the end.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace bscope::fuzz {

class ScratchFolder {
public:
    ScratchFolder() {
        std::error_code none;
        const std::filesystem::path memory = "/dev/shm";
        const auto base =
            std::filesystem::is_directory(memory, none) ? memory : std::filesystem::temp_directory_path();
        path_ = base / ("fuzz-" + std::to_string(::getpid()));
        std::filesystem::create_directories(path_);
    }
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace bscope::fuzz
