// ImportError: why files cannot be imported, with what to do. The sentence names the file.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "words/sentence_error.h"

namespace bscope {

struct ImportError : SentenceError<> {
    using SentenceError::SentenceError;
};

// Pipelines that ran side by side, each as its ranks in the order of its stages.
using Replicas = std::vector<std::vector<int>>;

// The files are of several, and none was wanted.
struct SeveralReplicas : ImportError {
    SeveralReplicas(Sentence what, Replicas all) : ImportError(std::move(what)), replicas(std::move(all)) {}
    Replicas replicas;
};

// A run of which no iteration is whole: what writes its files may have just begun.
struct UnfinishedRun : ImportError {
    using ImportError::ImportError;
};

// What is wrong with a file, behind its name.
inline Sentence ofFile(const std::filesystem::path& file, Sentence what) {
    return sentence("{0}: {1}", file.string(), std::move(what));
}

// Times that no run can have: of that file, or of files beside each other.
[[noreturn]] inline void refuseTimes(const std::filesystem::path& file = {}) {
    const auto of = [&file](Sentence what) { return file.empty() ? what : ofFile(file, std::move(what)); };
    throw ImportError(
        of(sentence("the times of the files lie more than a year apart: a time is wrong, or the files are of "
                    "mixed runs")));
}

// The operations name stages that none of the files runs.
struct MissingStages : ImportError {
    using ImportError::ImportError;
};

// No clocks put the operations in the order of one run.
struct TimesContradict : ImportError {
    using ImportError::ImportError;
};

// The progress callback returned false.
struct ImportCancelled : std::runtime_error {
    ImportCancelled() : std::runtime_error("the import was cancelled") {}
};

}  // namespace bscope
