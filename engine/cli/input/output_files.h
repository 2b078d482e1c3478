// Files that a command writes: what cannot be written is refused with the rest of the command line, before
// anything runs.
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "cli/input/command_line.h"

namespace bscope::cli {

struct NamedFile {
    const char* option;
    std::string file;  // empty: not given
};

// How it is written: over what is there; beside it, to take its name when it is whole; the same in a folder
// that is made when it is missing; beside it unless it is a device or a pipe, which is written to as it is;
// or it is itself a folder that is made when it is missing. Only where a stream is fine, a device or a pipe
// is.
// With BesideOrOutput "-" is standard output as well, on which the command then writes nothing else; the
// others refuse it.
enum class Writing { Over, Beside, BesideInNewFolder, BesideOrStream, BesideOrOutput, NewFolder };
void refuseUnwritable(CommandLine& line, const NamedFile& output, Writing writing);
// Two options that name the same file.
void refuseSameFile(CommandLine& line, const NamedFile& one, const NamedFile& other);

// As writeWholeFile(), "-" to standard output; throws std::runtime_error with the file, the cause and what to
// do.
void writeWhole(const std::string& file, const std::function<void(std::ostream&)>& write);

}  // namespace bscope::cli
