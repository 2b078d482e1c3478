#include "cli/input/keep_options.h"

#include "cli/input/output_files.h"

namespace bscope::cli {

KeepOptions::KeepOptions(CommandLine& line) : line_(line) {
    line.option("--keep-every", "N",
                "keep the state after every N iterations, to go on with --load after a failure",
                setInteger([this](int value) { every_ = value; }));
    line.text("--keep", "FILE",
              "where (beside the recording, or in the user's folder for states; one file, the last one)",
              file_);
}

CheckpointPolicy KeepOptions::resolve(const std::filesystem::path& recording) {
    if (every_ && *every_ < 1)
        line_.refuse(sentence("{0} {1} is not legal: it must be {2}", "--keep-every", *every_,
                              sentence("at least 1")));
    refuseUnwritable(line_, {"--keep", file_}, Writing::BesideInNewFolder);
    refuseSameFile(line_, {"--keep", file_}, {"--record", recording.string()});
    if (!every_ && !file_.empty())
        line_.refuse(sentence("--keep needs --keep-every N: how often the state is saved"));
    if (!every_) return {};
    return {*every_, file_.empty() ? keptStateFile(recording) : std::filesystem::path(file_)};
}

}  // namespace bscope::cli
