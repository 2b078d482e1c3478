// GrowingFiles: where the last reading of files that grow has ended, so that the next one reads only what
// came since. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bscope {

// The end of an iteration in a file, behind its line.
struct IterationEnd {
    int iteration = 0, line = 0;
    std::uintmax_t offset = 0;
};

struct GrowingFile {
    std::string path;
    std::string head;  // lines that later ones need
    std::vector<IterationEnd> ends;
};

struct GrowingFiles {
    std::vector<GrowingFile> files;  // with the one end from which the next reading goes on
    std::int64_t base_ns = 0;        // of the files' clock, where the times of the run begin
    std::int64_t end_ns = 0;         // of the last iteration, from there on
};

}  // namespace bscope
