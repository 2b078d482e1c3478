// FilesProgress: how much of several files is read, as one number.
#pragma once

#include <filesystem>
#include <span>

#include "import/trace/import_error.h"
#include "import/readers.h"

namespace bscope {

class FilesProgress {
public:
    FilesProgress(std::span<const std::filesystem::path> files, const ImportProgress& progress)
        : progress_(progress) {
        for (const auto& file : files) total_ += sizeOf(file);
    }

    // Of the file that is being read. False: the import is cancelled.
    bool goesOn(std::uintmax_t position = 0) const {
        return !progress_ || progress_(before_ + position, total_);
    }
    // Throws ImportCancelled.
    void report(std::uintmax_t position) const {
        if (!goesOn(position)) throw ImportCancelled();
    }
    void finish(const std::filesystem::path& file) {
        before_ += sizeOf(file);
        report(0);
    }

private:
    static std::uintmax_t sizeOf(const std::filesystem::path& file) {
        std::error_code error;
        const std::uintmax_t size = std::filesystem::file_size(file, error);
        return error ? 0 : size;
    }

    const ImportProgress& progress_;
    std::uintmax_t total_ = 0, before_ = 0;
};

}  // namespace bscope
