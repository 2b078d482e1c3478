// Which files of a folder are flight recorder dumps, tables of them or stacks of py-spy, and all of them read. The one place of this module that
// opens files.
#pragma once

#include <string>
#include <vector>

#include "hang/flight_dump.h"
#include "hang/stack_dump.h"

namespace bscope {

struct HangFiles {
    std::vector<FlightDump> dumps;
    std::vector<StackDump> stacks;
};

// Files as they are given; of folders those whose names end in a rank, by rank, and tables of several ranks.
// passed_over: the others. Throws SentenceError where a folder cannot be read or nothing is left.
std::vector<std::string> dumpFilesOf(const std::vector<std::string>& names,
                                     std::vector<std::string>& passed_over);

// Throws SentenceError that names the file.
HangFiles readHangFiles(const std::vector<std::string>& files);

// Whether it begins as a dump does, or is a folder with a file that does. False for what cannot be read.
bool looksLikeFlightDumps(const std::string& path);

}  // namespace bscope
