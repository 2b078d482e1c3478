// What bscope advise and bscope import --what-if have in common beside the table: limits on what may be
// advised, and the flags of a line for training frameworks.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "advice/advisor.h"
#include "cli/input/command_line.h"
#include "cli/print/line_printer.h"

namespace bscope::cli {

class FlagsOptions {
public:
    explicit FlagsOptions(CommandLine& line);

    // After parse(): refuses what cannot be read. `belongs_to` is what these options need and lack, or "".
    void check(CommandLine& line, bool json, const std::string& belongs_to = {});
    void limit(AdviceRequest& request) const;
    // Takes what request.framework does not have itself out of the advice, and remembers how much that was.
    void leaveOut(const AdviceRequest& request, Advice& advice);

    bool asked() const { return !frameworks_.empty(); }  // then lines of the table are numbered
    // After the table: how many lines were left out, and the flags of a line of `shown`, or of the best.
    // Throws SentenceError when there is no such line.
    void print(const LinePrinter& printer, const AdviceRequest& request,
               const std::vector<const Candidate*>& shown) const;
    // "flags" of the run as it is and of every candidate that was predicted; `out` has them in "candidates".
    void addTo(nlohmann::ordered_json& out, const AdviceRequest& request, const Advice& advice) const;

private:
    nlohmann::ordered_json json(const AdviceRequest& request, const Setting& setting) const;

    std::string flags_, framework_;
    std::optional<int> line_;
    bool one_copy_ = false, flush_ = false;
    std::vector<Framework> frameworks_;
    std::optional<Framework> only_;
    std::size_t left_out_ = 0;
};

// The lines of a table, as they are numbered from 1: candidates that were predicted.
std::vector<const Candidate*> linesOf(const Advice& advice);
// Of the table of schedules.
std::vector<const Candidate*> scheduleLinesOf(const Advice& advice, const RunConfig& now);

}  // namespace bscope::cli
