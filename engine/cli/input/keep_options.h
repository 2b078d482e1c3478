// KeepOptions: --keep-every and --keep, shared by run and serve.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/input/command_line.h"
#include "run/checkpointer.h"

namespace bscope::cli {

class KeepOptions {
public:
    explicit KeepOptions(CommandLine& line);
    // After parse(); what is illegal is refused on the command line. recording: empty when there is none.
    CheckpointPolicy resolve(const std::filesystem::path& recording);

private:
    CommandLine& line_;
    std::optional<int> every_;
    std::string file_;
};

}  // namespace bscope::cli
