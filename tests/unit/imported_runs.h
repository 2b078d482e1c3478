// Runs of other programs, imported: those of tests/data/real-runs, and whatever a test writes.
#pragma once

#include <QString>
#include <filesystem>
#include <vector>

#include "import/import_error.h"
#include "import/imported_run.h"

namespace bscope {

inline const std::filesystem::path kRuns =
    std::filesystem::path(BUBBLESCOPE_SOURCE_DIR) / "tests/data/real-runs";

inline ImportedRun imported(const std::filesystem::path& path) {
    const std::vector<std::filesystem::path> paths = {path};
    return importRun(readTracedRun(paths));
}

// The sentence that refuses it; empty when it is imported.
inline QString errorOf(const std::filesystem::path& path) {
    try {
        imported(path);
    } catch (const ImportError& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

}  // namespace bscope
