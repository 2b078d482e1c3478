// Where the processes of a run are: which machine, which process there, which cores it may use, which GPU it
// has; which core each gets, and whether it is still alive. Values and pure functions but for the last two.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "words/sentence.h"

namespace bscope {

struct PlaceGpu {
    std::string bus_id, name;
    std::int64_t total_bytes = 0;
    Sentence why_not = sentence("no GPU was looked for");  // empty: there is one
};

struct ProcessPlace {
    std::string host;
    int process = 0;         // its number on that machine
    std::vector<int> cores;  // it may use, ascending
    bool seen = false;       // on this machine, its number means something here
    PlaceGpu gpu{};
};

// This process's.
ProcessPlace thisPlace();

// (ranks,) a core for each of the first `ranks` processes; no two of one machine share one as long as its
// cores suffice.
std::vector<int> assignCores(const std::vector<ProcessPlace>& places, int ranks);
// How many of these ranks have a core of their own.
int ranksWithOwnCore(const std::vector<ProcessPlace>& places, const std::vector<int>& cores);

// How many processes, from the first one on, have a GPU that none before them has.
int ranksWithOwnGpu(const std::vector<ProcessPlace>& places);
// Why this one has none: "it has GPU 0000:3B:00.0 of node1 in common with rank 0".
Sentence whyNoOwnGpu(const std::vector<ProcessPlace>& places, int rank);
// "4 x NVIDIA H200", of the first `ranks` processes.
std::string gpusText(const std::vector<ProcessPlace>& places, int ranks);

// "4 processes on 2 machines, ranks 2, 3 idle"
std::string placesText(const std::vector<ProcessPlace>& places, int ranks);

// Marks the processes of this machine; all of them are alive at that moment.
void lookAround(std::vector<ProcessPlace>& places);
// The process was seen once and has ended.
bool isGone(const ProcessPlace& place);

}  // namespace bscope
