// Samples begin at pseudo-random places of the text, a place per index (random.h).
#include "model/text_data.h"

#include <stdexcept>
#include <string_view>

#include "files/user_file.h"
#include "model/random.h"

namespace bscope {

namespace builtin {
extern const std::string_view pipeline_text;  // generated from resources/text/pipeline.txt
}

TextData TextData::builtIn(std::uint64_t seed) {
    return TextData(std::string(builtin::pipeline_text), seed);
}

TextData TextData::fromFile(const std::filesystem::path& file, std::uint64_t seed) {
    try {
        return TextData(readUserFile(file, kMaxTextFileBytes, NamedBy::Configuration), seed);
    } catch (const FileError& error) {
        throw SentenceError<>(sentence("cannot read the text {0}: {1}", file.string(), sentenceOf(error)));
    }
}

Batch TextData::batch(std::uint64_t first, std::size_t samples, std::size_t T) const {
    if (text_.size() <= T)
        throw std::runtime_error("the text has " + std::to_string(text_.size()) + " bytes; a sequence of " +
                                 std::to_string(T) + " needs at least " + std::to_string(T + 1));
    const std::uint64_t starts = text_.size() - T;
    const std::uint64_t key = randomKey(seed_, "text");
    Batch batch{.samples = samples, .T = T, .tokens = {}, .targets = {}};
    batch.tokens.reserve(samples * T);
    batch.targets.reserve(samples * T);
    const auto byte = [&](std::size_t at) {
        return static_cast<std::int32_t>(static_cast<unsigned char>(text_[at]));
    };
    for (std::size_t sample = 0; sample < samples; ++sample) {
        const std::size_t start = randomBits(key, first + sample) % starts;
        for (std::size_t t = 0; t < T; ++t) {
            batch.tokens.push_back(byte(start + t));
            batch.targets.push_back(byte(start + t + 1));
        }
    }
    return batch;
}

}  // namespace bscope
