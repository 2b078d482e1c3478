// Safetensors files: 8 bytes little-endian header size, a JSON header, raw data (huggingface/safetensors,
// README). F32 and I64 tensors, the two that are needed here; anything else is refused with a sentence.
// Values; no file stays open.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "words/sentence_error.h"

namespace bscope {

struct Tensor {
    std::vector<std::size_t> shape;
    std::variant<std::vector<float>, std::vector<std::int64_t>> values;

    bool operator==(const Tensor&) const = default;
};

struct TensorFile {
    std::map<std::string, Tensor> tensors;
    std::map<std::string, std::string> metadata;  // "__metadata__"

    bool operator==(const TensorFile&) const = default;
};

// "FILE: cause": cannot be read or written, truncated, not a safetensors file, or not the expected tensors.
struct TensorFileError : SentenceError<> {
    using SentenceError::SentenceError;
};

// Throws TensorFileError. FILE is never half written (files/whole_file.h).
void writeTensors(const std::filesystem::path& file, const TensorFile& content);
// Throws TensorFileError, also before the numbers are read when there are more than max_data_bytes of them.
TensorFile readTensors(const std::filesystem::path& file,
                       std::uint64_t max_data_bytes = std::numeric_limits<std::uint64_t>::max());
// Reads the header alone. Throws TensorFileError.
std::map<std::string, std::string> readTensorMetadata(const std::filesystem::path& file);

}  // namespace bscope
