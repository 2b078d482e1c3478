// What the makers of questions share: numbers drawn alike on every machine, and options that differ. One
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cards/quiz.h"

namespace bscope::quiz {

class Draw {
public:
    explicit Draw(std::uint64_t seed) : random_(seed) {}
    // Distributions of the library differ between machines; the numbers of this generator do not.
    int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
    int from(int least, int greatest) { return least + below(greatest - least + 1); }
    template <class Value>
    Value of(std::initializer_list<Value> values) {
        return *(values.begin() + below(static_cast<int>(values.size())));
    }
    template <class Value>
    void shuffle(std::vector<Value>& values) {
        for (int i = static_cast<int>(values.size()) - 1; i > 0; --i)
            std::swap(values[static_cast<std::size_t>(i)], values[static_cast<std::size_t>(below(i + 1))]);
    }

private:
    std::mt19937_64 random_;
};

// A question of one kind; nullopt: with the values that were drawn fewer than two mistakes differ from the
// right answer and from each other.
using Maker = std::optional<QuizQuestion> (*)(Draw& draw);
// In groups: the first kinds of a quiz, those that are always among ten, and the others.
std::span<const std::span<const Maker>> makers();

}  // namespace bscope::quiz
