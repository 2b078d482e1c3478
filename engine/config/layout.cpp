#include "config/layout.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace bscope {
namespace {

constexpr std::size_t kMostLetters = 65536;

// Writes repetitions out.
class Expansion {
public:
    explicit Expansion(std::string_view text) : text_(text) {}

    std::string run() {
        std::string all = sequence();
        if (at_ < text_.size() && problems_.empty()) say(sentence("a ) without its ("));
        return all;
    }
    const std::vector<Sentence>& problems() const { return problems_; }

private:
    void say(const Sentence& problem) {
        if (std::ranges::find(problems_, problem) == problems_.end()) problems_.push_back(problem);
    }

    // To the end of the text, or of a group.
    std::string sequence() {
        std::string all;
        while (at_ < text_.size() && text_[at_] != ')') {
            std::string item = one();
            const std::size_t count = repetitions();
            if (all.size() + item.size() * count > kMostLetters) {
                say(sentence("it is longer than {0} letters", kMostLetters));
                at_ = text_.size();
                break;
            }
            for (std::size_t i = 0; i < count; ++i) all += item;
        }
        return all;
    }

    std::string one() {
        const char letter = text_[at_++];
        if (letter == '(') {
            if (++depth_ > kDeepest) {
                say(sentence("its groups are nested more than {0} times", kDeepest));
                at_ = text_.size();
                return {};
            }
            std::string group = sequence();
            --depth_;
            if (at_ < text_.size())
                ++at_;
            else
                say(sentence("a ( without its )"));
            return group;
        }
        if (letter == 'E' || letter == 't' || letter == 'L' || letter == '|') return {letter};
        if (letter == 'm')
            say(sentence("m, an extra prediction layer, is not run here"));
        else if (letter != ',' && letter != ' ')
            say(sentence("{0} is no layer; legal: E, t, L, |, *, ( and )", unknown()));
        return {};
    }

    // From the letter that was just read to the next one that means something, which may be several bytes.
    std::string unknown() {
        const std::size_t begin = at_ - 1;
        at_ = std::min(text_.find_first_of("EtLm|*(), ", at_), text_.size());
        return std::string(text_.substr(begin, at_ - begin));
    }

    std::size_t repetitions() {
        if (at_ >= text_.size() || text_[at_] != '*') return 1;
        std::size_t count = 0;
        const char* const begin = text_.data() + at_ + 1;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), count);
        at_ = static_cast<std::size_t>(end - text_.data());
        if (error == std::errc{} && count >= 1 && count <= kMostLetters) return count;
        say(sentence("* needs a whole number from 1 to {0} behind it", kMostLetters));
        return 1;
    }

    static constexpr int kDeepest = 16;
    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::vector<Sentence> problems_;
};

}  // namespace

std::variant<std::vector<int>, std::vector<Sentence>> readLayout(std::string_view text) {
    Expansion expansion(text);
    const std::string all = expansion.run();
    std::vector<Sentence> problems = expansion.problems();
    if (!problems.empty()) return problems;
    if (std::ranges::count(all, 'E') != 1 || !all.starts_with('E'))
        problems.push_back(sentence("E, the embedding, must be there once, as the first layer"));
    if (std::ranges::count(all, 'L') != 1 || !all.ends_with('L'))
        problems.push_back(sentence("L, the head with the loss, must be there once, as the last layer"));
    if (!problems.empty()) return problems;
    std::vector<int> blocks{0};
    for (const char letter : all) {
        if (letter == '|') blocks.push_back(0);
        if (letter == 't') ++blocks.back();
    }
    return blocks;
}

std::string layoutText(std::span<const int> blocks) {
    std::string text = "E";
    for (std::size_t stage = 0; stage < blocks.size(); ++stage) {
        if (stage > 0) text += '|';
        if (blocks[stage] > 0) text += 't';
        if (blocks[stage] > 1) text += '*' + std::to_string(blocks[stage]);
    }
    return text + 'L';
}

}  // namespace bscope
