// TextData: byte-level training samples out of a text. Sample i is a pure function of (text, seed, T, i), so
// a position in the data is one number, and samples do not depend on p, m or schedule. Immutable; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bscope {

struct Batch {
    std::size_t samples = 0, T = 0;
    std::vector<std::int32_t> tokens;   // (samples, T)
    std::vector<std::int32_t> targets;  // (samples, T): the byte after each token
};

class TextData {
public:
    // The text the project brings along, about pipelines.
    static TextData builtIn(std::uint64_t seed);
    // Throws std::runtime_error with the cause when the file cannot be read.
    static TextData fromFile(const std::filesystem::path& file, std::uint64_t seed);
    TextData(std::string text, std::uint64_t seed) : text_(std::move(text)), seed_(seed) {}

    std::size_t sizeBytes() const { return text_.size(); }
    // Samples first .. first + samples - 1. Throws std::runtime_error when the text is shorter than T + 1
    // bytes.
    Batch batch(std::uint64_t first, std::size_t samples, std::size_t T) const;

private:
    std::string text_;
    std::uint64_t seed_;
};

}  // namespace bscope
