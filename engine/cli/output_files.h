// Files that a command writes: what cannot be written is refused with the rest of the command line, before
// anything runs.
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "cli/command_line.h"

namespace bscope::cli {

struct NamedFile {
    const char* option;
    std::string file;  // empty: not given
};

// How it is written: over what is there; beside it, to take its name when it is whole; the same in a folder
// that is made when it is missing; or it is itself such a folder.
enum class Writing { Over, Beside, BesideInNewFolder, NewFolder };
void refuseUnwritable(CommandLine& line, const NamedFile& wish, Writing writing);
// Two options that name the same file.
void refuseSameFile(CommandLine& line, const NamedFile& one, const NamedFile& other);

// Writes beside the file and gives it its name when it is whole, so that it is never half written; a device
// or pipe is written to as it is. Throws std::runtime_error with the cause; what was there before then stays.
void writeWhole(const std::string& file, const std::function<void(std::ostream&)>& write);

}  // namespace bscope::cli
