// The path of this program on the disk.
#pragma once

#include <filesystem>

namespace bscope::cli {

// The folder of the running program.
inline std::filesystem::path programFolder() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

}  // namespace bscope::cli
