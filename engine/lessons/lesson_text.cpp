#include "lessons/lesson_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <vector>

#include "words/number_text.h"

namespace bscope {

namespace {

constexpr int kDeepest = 64;  // parentheses
constexpr int kMostDecimals = 6;

bool isBlank(char c) {
    return c == ' ';
}

bool isOfName(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

// Evaluates while it reads.
class Expression {
public:
    Expression(std::string_view text, const LessonRuns& runs) : text_(text), runs_(runs) {}

    double value() {
        const double value = sum();
        if (at_ != text_.size()) fail();
        return value;
    }

private:
    [[noreturn]] void fail() const {
        throw LessonError(sentence("\"{0}\" is not an expression of numbers and names", std::string(text_)));
    }

    char next() {
        while (at_ < text_.size() && isBlank(text_[at_])) ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool takes(char c) {
        if (next() != c) return false;
        ++at_;
        return true;
    }

    double sum() {
        double value = product();
        while (true) {
            if (takes('+'))
                value += product();
            else if (takes('-'))
                value -= product();
            else
                return value;
        }
    }

    double product() {
        double value = factor();
        while (true) {
            if (takes('*'))
                value *= factor();
            else if (takes('/'))
                value /= factor();
            else
                return value;
        }
    }

    double factor() {
        if (++depth_ > kDeepest) fail();
        const double value = bare();
        --depth_;
        return value;
    }

    double bare() {
        if (takes('-')) return -factor();
        if (takes('(')) {
            const double value = sum();
            if (!takes(')')) fail();
            return value;
        }
        next();
        const std::size_t first = at_;
        while (at_ < text_.size() && isOfName(text_[at_])) ++at_;
        const std::string_view word = text_.substr(first, at_ - first);
        if (word.empty()) fail();
        if (word == "min" || word == "max") return smallerOrGreater(word == "max");
        if (word.front() < '0' || word.front() > '9') return lessonNumber(word, runs_).value;
        double value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc() || end != word.data() + word.size()) fail();
        return value;
    }

    double smallerOrGreater(bool greater) {
        if (!takes('(')) fail();
        const double a = sum();
        if (!takes(',')) fail();
        const double b = sum();
        if (!takes(')')) fail();
        if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
        return greater ? std::max(a, b) : std::min(a, b);
    }

    std::string_view text_;
    const LessonRuns& runs_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

// An expression has its number when all runs that it may name are there.
bool allThere(const LessonRuns& runs) {
    return std::ranges::all_of(runs, [](const auto& run) { return run.second.has_value(); });
}

std::string filled(std::string_view inside, const LessonRuns& runs) {
    if (!inside.starts_with('=')) {
        const LessonNumber number = lessonNumber(inside, runs);
        if (!number.is_there) return "…";
        return std::isnan(number.value) ? "–" : fixedText(number.value, number.decimals);
    }
    const std::size_t bar = inside.rfind('|');
    const std::string_view digits = bar == std::string_view::npos ? "" : inside.substr(bar + 1);
    if (digits.size() != 1 || digits[0] < '0' || digits[0] > '0' + kMostDecimals)
        throw LessonError(sentence("{0} does not say its decimals: {1}", "{" + std::string(inside) + "}",
                                   "{=100*A.p/A.m|1}"));
    const double value = lessonValue(inside.substr(1, bar - 1), runs);
    if (std::isfinite(value)) return fixedText(value, digits[0] - '0');
    return allThere(runs) ? "–" : "…";
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
    return text;
}

LessonError noClaim(std::string_view claim) {
    return LessonError(sentence("\"{0}\" is not a claim: two expressions with <, >, =, ~5% or ~2pt between",
                                std::string(claim)));
}

struct Relation {
    char kind;  // < > = % p
    double by = 0;
    std::string_view left, right;
};

Relation relationOf(std::string_view claim) {
    const std::size_t at = claim.find_first_of("<>=~");
    if (at == std::string_view::npos) throw noClaim(claim);
    const std::string_view left = claim.substr(0, at);
    std::string_view rest = claim.substr(at + 1);
    if (claim[at] != '~') return {claim[at], 0, left, rest};
    Relation relation{'%', 0, left, {}};
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), relation.by);
    if (error != std::errc()) throw noClaim(claim);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (rest.starts_with('%')) {
        relation.right = rest.substr(1);
    } else if (rest.starts_with("pt")) {
        relation.kind = 'p';
        relation.right = rest.substr(2);
    } else {
        throw noClaim(claim);
    }
    return relation;
}

}  // namespace

double lessonValue(std::string_view expression, const LessonRuns& runs) {
    return Expression(trimmed(expression), runs).value();
}

std::string fillNumbers(std::string_view text, const LessonRuns& runs) {
    std::string result;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t open = text.find('{', from);
        result += text.substr(from, open - from);
        if (open == std::string_view::npos) break;
        const std::size_t close = text.find('}', open);
        if (close == std::string_view::npos)
            throw LessonError(sentence("a { has no }: {0}", std::string(text.substr(open))));
        result += filled(text.substr(open + 1, close - open - 1), runs);
        from = close + 1;
    }
    return result;
}

namespace {

// What a claim says is less, and what it says it is less than: of "about" the distance and the permitted one.
struct Sides {
    double left, right;
};

Sides sidesOf(const Relation& relation, const LessonRuns& runs) {
    const double left = lessonValue(relation.left, runs), right = lessonValue(relation.right, runs);
    if (relation.kind == 'p') return {std::abs(left - right), relation.by};
    if (relation.kind == '%')
        return {std::abs(left - right), relation.by / 100 * std::max(std::abs(left), std::abs(right))};
    return {left, right};
}

// Over the iterations that count; nullopt: nothing scatters.
std::optional<NoiseVerdict> noiseOf(const Relation& relation, const LessonRuns& runs) {
    std::size_t count = 0;  // of iterations that every run has which has several
    for (const auto& [name, run] : runs)
        if (run && run->counted)
            count = count == 0 ? run->counted->size() : std::min(count, run->counted->size());
    std::vector<double> left, right;
    for (std::size_t i = 0; i < count; ++i) {
        LessonRuns single = runs;
        for (auto& [name, run] : single)
            if (run && run->counted) run = (*run->counted)[i];
        const Sides sides = sidesOf(relation, single);
        if (!std::isfinite(sides.left) || !std::isfinite(sides.right)) return std::nullopt;
        left.push_back(sides.left);
        right.push_back(sides.right);
    }
    const Sampled a = samplesOf(left), b = samplesOf(right);
    if (a.deviation == 0 && b.deviation == 0) return std::nullopt;  // counts, bytes
    return noiseVerdict(a, b);
}

}  // namespace

std::optional<bool> claimHolds(std::string_view claim, const LessonRuns& runs) {
    const Relation relation = relationOf(claim);
    const auto [left, right] = sidesOf(relation, runs);
    if (std::isnan(left) || std::isnan(right)) return std::nullopt;
    switch (relation.kind) {
        case '<':
            return left < right;
        case '>':
            return left > right;
        case '=':
            return left == right;
        default:
            return left <= right;
    }
}

LessonGuess judge(const wire::NumberGuess& guess, double estimated, const LessonRuns& runs) {
    const double answer = lessonValue(guess.answer(), runs);
    const double difference = estimated - answer;
    const auto text = [&](double value) { return fixedText(value, value == std::round(value) ? 0 : 1); };
    return {std::abs(difference) <= guess.tolerance(), answer,
            sentence("your estimate is {0}, the run says {1}", text(estimated), text(answer))};
}

std::optional<NoiseVerdict> claimNoise(std::string_view claim, const LessonRuns& runs) {
    const Relation relation = relationOf(claim);
    if (relation.kind != '<' && relation.kind != '>') return std::nullopt;
    return noiseOf(relation, runs);
}

bool claimIsOpen(std::string_view claim, const LessonRuns& runs) {
    const Relation relation = relationOf(claim);
    if (relation.kind == '=') return false;
    const auto noise = noiseOf(relation, runs);
    return noise && noise->isNoise();
}

bool allClaimsHold(const Claims& claims, const LessonRuns& runs) {
    return std::ranges::all_of(claims, [&](const std::string& claim) {
        if (!claimHolds(claim, runs).value_or(true)) return false;
        const auto noise = claimNoise(claim, runs);
        return !noise || !noise->isNoise();
    });
}

std::optional<NoiseVerdict> noiseOfClaims(const Claims& claims, const LessonRuns& runs) {
    std::optional<NoiseVerdict> least_certain;
    for (const std::string& claim : claims) {
        const auto noise = claimNoise(claim, runs);
        if (!noise || !noise->isNoise()) {
            if (!claimHolds(claim, runs).value_or(true)) return std::nullopt;
        } else if (!least_certain || noise->noiseShare() > least_certain->noiseShare()) {
            least_certain = noise;
        }
    }
    return least_certain;
}

bool anyDisturbed(const LessonRuns& runs) {
    return std::ranges::any_of(runs,
                               [](const auto& run) { return run.second && run.second->report.disturbed; });
}

}  // namespace bscope
