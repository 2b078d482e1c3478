// A trace of Perfetto's format (.pftrace, plain or compressed with gzip), as PyTorch's profiler writes it
// since 2026 (torch/csrc/profiler/cupti): its slices and the work of its GPUs as events of a Chrome trace, so
// that one reader knows both. All of a file is in memory meanwhile.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "import/formats/file_text.h"

namespace bscope {

// By the first bytes of the (decompressed) file.
enum class PerfettoKind : std::uint8_t { None, Profiler, Own };  // Own: this program exported it
PerfettoKind perfettoKind(std::string_view beginning);

// Takes the events in the order of their starts, with simdjson's padding behind each, after the top-level
// value baseTimeNanoseconds, from which they count. False: the file ends too early; then that is what was
// whole. Throws ImportError: it is damaged.
bool readPerfetto(FileText& text, const std::function<void(std::string_view object)>& event,
                  const std::function<void(std::string_view key, std::string_view value)>& value,
                  const std::function<void()>& progress);

}  // namespace bscope
