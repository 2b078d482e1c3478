// Runs of other programs as tests read them.
#pragma once

#include <QString>
#include <filesystem>
#include <vector>

#include "import/trace/import_error.h"
#include "import/imported_run.h"

namespace bscope {

inline const std::filesystem::path kRuns =
    std::filesystem::path(BUBBLESCOPE_SOURCE_DIR) / "tests/data/real-runs";

inline ImportedRun imported(const std::filesystem::path& path, const ReadOptions& options = {}) {
    const std::vector<std::filesystem::path> paths = {path};
    return importRun(readTracedRun(paths, options));
}

// Why it cannot be imported, in English; empty when it can.
inline QString refusalOf(const std::filesystem::path& path, const ReadOptions& options = {}) {
    try {
        imported(path, options);
    } catch (const ImportError& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

inline std::string recognised(const ImportedRun& run) {
    return run.recognition.schedule.value_or("none");
}

}  // namespace bscope
