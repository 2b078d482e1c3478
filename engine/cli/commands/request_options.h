// RequestOptions: the options that make the requests of bscope generate: lengths that are fixed, drawn
// between two numbers or read from a file, prompts that are typed or taken from the training's text, and how
// requests are put together in steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/input/command_line.h"
#include "config/run_config.h"
#include "schedule/serving.h"

namespace bscope::cli {

class RequestOptions {
public:
    explicit RequestOptions(CommandLine& line);

    // After parse(). What is illegal is refused on the command line.
    Serving resolve(const RunConfig& config);
    // (requests,) tokens of each: a byte is one. Throws std::runtime_error when the text is too short.
    std::vector<std::vector<std::int32_t>> prompts(const RunConfig& config, const Serving& serving) const;

private:
    struct Lengths {
        int least = 0, most = 0;
    };
    static constexpr Lengths kDefaultPrompt{32, 32}, kDefaultOutput{16, 16};
    void lengths(const std::string& name, const std::string& help, std::optional<Lengths>& target);
    void refuseTwice();
    std::vector<Request> requests(const RunConfig& config);
    std::vector<Request> fromFile();

    CommandLine& line_;
    std::optional<int> requests_, groups_, places_;
    std::optional<Lengths> prompt_, output_;
    std::vector<std::string> texts_;
    std::string lengths_file_;
    Batching batching_ = Batching::Continuous;
    int token_budget_ = 0;
};

}  // namespace bscope::cli
