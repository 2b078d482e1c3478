#include "support/byte_mutator.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace bscope::fuzz {

namespace {

void overwriteNumber(std::string& bytes, Random& random) {
    const std::int64_t value = edgeInteger(random);
    const std::size_t width = std::size_t{1} << below(random, 4);
    if (bytes.size() < width) return;
    std::memcpy(bytes.data() + below(random, bytes.size() - width + 1), &value, width);
}

// Digits of a number in a text become those of another one.
void replaceDigits(std::string& bytes, Random& random) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const std::size_t from = below(random, bytes.size());
    const auto first = std::find_if(bytes.begin() + static_cast<std::ptrdiff_t>(from), bytes.end(), is_digit);
    const auto past = std::find_if_not(first, bytes.end(), is_digit);
    if (first == bytes.end()) return;
    bytes.replace(first, past, std::to_string(edgeInteger(random)));
}

void mutateOnce(std::string& bytes, Random& random) {
    if (bytes.empty()) {
        bytes.push_back(static_cast<char>(random()));
        return;
    }
    const std::size_t at = below(random, bytes.size());
    const std::size_t length = 1 + below(random, std::min<std::size_t>(bytes.size() - at, 64));
    switch (below(random, 8)) {
        case 0:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(random, 8)));
            return;
        case 1:
            bytes[at] = static_cast<char>(random());
            return;
        case 2:
            return overwriteNumber(bytes, random);
        case 3:
            return replaceDigits(bytes, random);
        case 4:
            bytes.erase(at, length);
            return;
        case 5:
            bytes.insert(below(random, bytes.size()), bytes.substr(at, length));
            return;
        case 6: {
            const std::string piece = bytes.substr(at, length);
            bytes.erase(at, length);
            bytes.insert(below(random, bytes.size() + 1), piece);
            return;
        }
        default:
            bytes.resize(at);
    }
}

}  // namespace

std::uint64_t below(Random& random, std::uint64_t limit) {
    return limit == 0 ? 0 : random() % limit;
}

bool oneIn(Random& random, std::uint64_t n) {
    return below(random, n) == 0;
}

void mutateBytes(std::string& bytes, Random& random) {
    for (std::uint64_t i = 1 + below(random, 4); i > 0; --i) mutateOnce(bytes, random);
}

std::int64_t edgeInteger(Random& random) {
    const auto near = [&](std::int64_t value) {
        return value + static_cast<std::int64_t>(below(random, 3)) - 1;
    };
    switch (below(random, 6)) {
        case 0:
            return near(0);
        case 1:
            return near(std::int64_t{1} << below(random, 62));
        case 2:
            return -near(std::int64_t{1} << below(random, 62));
        case 3:
            return oneIn(random, 2) ? std::numeric_limits<std::int64_t>::max()
                                    : std::numeric_limits<std::int64_t>::min();
        case 4:
            return static_cast<std::int64_t>(below(random, 100));
        default:
            return static_cast<std::int64_t>(random());
    }
}

double edgeNumber(Random& random) {
    using Limits = std::numeric_limits<double>;
    constexpr double kEdges[] = {0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 1e300,
                                 -1e300,
                                 1e16,
                                 1e-16,
                                 Limits::max(),
                                 Limits::min(),
                                 Limits::denorm_min(),
                                 Limits::infinity(),
                                 -Limits::infinity(),
                                 Limits::quiet_NaN()};
    if (oneIn(random, 4)) return std::bit_cast<double>(random());
    if (oneIn(random, 4)) return static_cast<double>(edgeInteger(random)) / 1000.0;
    return kEdges[below(random, std::size(kEdges))];
}

}  // namespace bscope::fuzz
