// A file that is there whole or not at all: what is written goes beside it as FILE.part, onto the disk, and
// then takes its name. FILE.part is always a new file: one of that name, or a link, is removed and never
// followed. A device or a pipe is written to as it is. Any thread; one writer a file.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>

namespace bscope {

// Throws std::runtime_error with the cause alone ("No space left on device"), and what `write` throws; what
// was there before then stays.
void writeWholeFile(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

}  // namespace bscope
