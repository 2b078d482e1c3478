// Where the processes of a run are: which machine, which process there, which cores it may use; which core
// each gets, and whether it is still alive. Values and pure functions but for the last three.
#pragma once

#include <string>
#include <vector>

namespace bscope {

struct Place {
    std::string host;
    int process = 0;         // its number on that machine
    std::vector<int> cores;  // it may use, ascending
    bool seen = false;       // on this machine, its number means something here
};

// This process's.
Place thisPlace();

// (ranks,) a core for each of the first `ranks` processes; no two of one machine share one as long as its
// cores suffice.
std::vector<int> assignCores(const std::vector<Place>& places, int ranks);
// How many of these ranks have a core of their own.
int ranksWithOwnCore(const std::vector<Place>& places, const std::vector<int>& cores);

// "4 processes on 2 machines, ranks 2, 3 idle"
std::string placesText(const std::vector<Place>& places, int ranks);

// Marks the processes of this machine; all of them are alive at that moment.
void lookAround(std::vector<Place>& places);
// The process was seen once and has ended.
bool isGone(const Place& place);
// The process can be seen, and somebody has stopped it (SIGSTOP).
bool isStopped(const Place& place);

}  // namespace bscope
