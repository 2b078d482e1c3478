#include "cli/commands/request_options.h"

#include <algorithm>
#include <random>
#include <sstream>

#include "config/serving_problems.h"
#include "files/user_file.h"
#include "run/serving_run.h"

namespace bscope::cli {

namespace {
constexpr int kDefaultRequests = 8;
constexpr std::uint64_t kMaxLengthsBytes = 1 << 20;
}  // namespace

RequestOptions::RequestOptions(CommandLine& line) : line_(line) {
    line.option("--requests", "N", "how many; all are there at the start (8)",
                setInteger([this](int value) { requests_ = value; }));
    lengths("--prompt-tokens", "of a prompt, or between which two numbers they are drawn (32)", prompt_);
    lengths("--output-tokens", "generated for a request, or between which two numbers they are drawn (16)",
            output_);
    line.text("--lengths", "FILE", "a line a request: tokens of its prompt, tokens that are generated",
              lengths_file_);
    line.option(
        "--prompt", "TEXT", "what is asked, a byte a token; may be repeated (parts of the training's text)",
        [this](const std::string& text) -> std::optional<std::string> {
            if (text.empty()) return "at least one letter";
            texts_.push_back(text);
            return std::nullopt;
        },
        true);
    line.option("--groups", "G",
                "groups of requests that take turns: as many steps are in the pipeline at a time (p)",
                setInteger([this](int value) { groups_ = value; }));
    line.option("--places", "N", "requests of a group at a time (requests / groups, rounded up)",
                setInteger([this](int value) { places_ = value; }));
    line.option("--batching", "WORD",
                "continuous: a group takes a waiting request whenever a place is free; static: when all that "
                "it has are answered (continuous)",
                [this](const std::string& word) -> std::optional<std::string> {
                    if (word != "continuous" && word != "static") return "continuous or static";
                    batching_ = word == "static" ? Batching::Static : Batching::Continuous;
                    return std::nullopt;
                });
    line.integer("--token-budget",
                 "most tokens of a step: a longer prompt is read in several, chunked prefill (0: no limit)",
                 token_budget_);
}

// N or N..M
void RequestOptions::lengths(const std::string& name, const std::string& help,
                             std::optional<Lengths>& target) {
    line_.option(name, "N[..M]", help, [&target](const std::string& text) -> std::optional<std::string> {
        const std::size_t dots = text.find("..");
        const auto least = parseInteger(text.substr(0, dots));
        const auto most = dots == std::string::npos ? least : parseInteger(text.substr(dots + 2));
        if (!least || !most || *least > *most) return "a whole number, or two such as 4..32";
        target = Lengths{*least, *most};
        return std::nullopt;
    });
}

std::vector<Request> RequestOptions::fromFile() {
    std::vector<Request> requests;
    try {
        std::istringstream file(readUserFile(lengths_file_, kMaxLengthsBytes));
        std::string text;
        for (int number = 1; std::getline(file, text); ++number) {
            if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
            std::istringstream words(text);
            std::string prompt, output, rest;
            words >> prompt >> output;
            const auto of_prompt = parseInteger(prompt), of_output = parseInteger(output);
            if (of_prompt && of_output && !(words >> rest)) {
                requests.push_back({*of_prompt, *of_output});
                continue;
            }
            line_.refuse(sentence("{0}, line {1}: {2}; two whole numbers are expected", lengths_file_, number,
                                  text.substr(0, 60)));
            return {};
        }
        if (requests.empty()) line_.refuse(sentence("{0} has no line with a request", lengths_file_));
    } catch (const FileError& error) {
        line_.refuse(sentence("{0} cannot be read: {1}", lengths_file_, sentenceOf(error)));
    }
    return requests;
}

// What names the requests leaves nothing for what makes them.
void RequestOptions::refuseTwice() {
    const bool has_texts = !texts_.empty();
    if (!lengths_file_.empty() && (has_texts || requests_ || prompt_ || output_))
        line_.refuse(
            sentence("--lengths has a line for every request: leave out --requests, --prompt, "
                     "--prompt-tokens and --output-tokens"));
    else if (has_texts && (requests_ || prompt_))
        line_.refuse(
            sentence("every --prompt is a request of its own length: leave out --requests and "
                     "--prompt-tokens"));
    if (requests_ && (*requests_ < 1 || *requests_ > kMaxRequests))
        line_.refuse({outsideRange("requests", std::to_string(*requests_), "1", std::to_string(kMaxRequests),
                                   std::clamp(*requests_, 1, kMaxRequests))});
}

std::vector<Request> RequestOptions::requests(const RunConfig& config) {
    if (!lengths_file_.empty()) return fromFile();
    const bool has_texts = !texts_.empty();
    const int count = has_texts ? static_cast<int>(texts_.size()) : requests_.value_or(kDefaultRequests);
    std::mt19937_64 numbers(config.seed);
    const auto drawn = [&numbers](const Lengths& lengths) {
        const auto choices = static_cast<std::uint64_t>(lengths.most - lengths.least) + 1;
        return lengths.least + static_cast<int>(numbers() % choices);
    };
    std::vector<Request> requests;
    for (int i = 0; i < std::min(count, kMaxRequests + 1); ++i) {
        const int prompt = drawn(prompt_.value_or(kDefaultPrompt)),
                  output = drawn(output_.value_or(kDefaultOutput));
        requests.push_back(
            {has_texts ? static_cast<int>(texts_[static_cast<std::size_t>(i)].size()) : prompt, output});
    }
    return requests;
}

Serving RequestOptions::resolve(const RunConfig& config) {
    Serving serving;
    refuseTwice();
    serving.requests = requests(config);
    serving.groups = groups_.value_or(config.params.p);
    const int count = static_cast<int>(serving.requests.size());
    serving.places =
        places_.value_or(serving.groups > 0 ? std::max(1, (count + serving.groups - 1) / serving.groups) : 1);
    serving.batching = batching_;
    serving.token_budget = token_budget_;
    return serving;
}

std::vector<std::vector<std::int32_t>> RequestOptions::prompts(const RunConfig& config,
                                                               const Serving& serving) const {
    std::vector<std::vector<std::int32_t>> prompts;
    for (const std::string& text : texts_) {
        std::vector<std::int32_t>& prompt = prompts.emplace_back();
        for (const char letter : text) prompt.push_back(static_cast<unsigned char>(letter));
    }
    if (!prompts.empty()) return prompts;
    return promptsFromText(config, serving);
}

}  // namespace bscope::cli
