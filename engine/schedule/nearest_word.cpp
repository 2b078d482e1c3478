#include "schedule/nearest_word.h"

#include <algorithm>
#include <numeric>

namespace bscope {

std::size_t wordDistance(const std::string& a, const std::string& b, std::size_t most) {
    const std::size_t longer = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
    if (longer > most) return longer;
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        // What is further from the diagonal than `most` stands for too many changes whatever the letters are.
        const std::size_t from = i - std::min(i, most), to = i + std::min(most, b.size()) + 1;
        std::size_t diagonal = row[from];
        std::size_t least = row[from] = from == 0 ? i + 1 : most + 1;
        for (std::size_t j = from; j < std::min(to, b.size()); ++j) {
            const std::size_t above = row[j + 1];
            row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1)});
            diagonal = above;
            least = std::min(least, row[j + 1]);
        }
        if (least > most) return least;  // it never becomes less again
    }
    return row.back() > most ? most + 1 : row.back();
}

std::optional<std::string> nearestWord(const std::string& typed, const std::vector<std::string>& words) {
    std::optional<std::string> best;
    std::size_t nearer_than = std::numeric_limits<std::size_t>::max();
    for (const auto& word : words) {
        if (word.size() <= 2) continue;
        const std::size_t most = std::min(std::max<std::size_t>(2, word.size() / 3), nearer_than - 1);
        const std::size_t changes = wordDistance(typed, word, most);
        if (changes > most) continue;
        best = word;
        nearer_than = changes;
        if (changes == 0) break;
    }
    return best;
}

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : separator) + word;
    return text;
}

}  // namespace bscope
