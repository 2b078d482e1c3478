#include "cli/bubble_text.h"

#include "cli/number_text.h"
#include "timeline/measured_report.h"

namespace bscope::cli {

namespace {

nlohmann::ordered_json indexOf(const std::optional<Outlier>& found) {
    return found ? nlohmann::ordered_json(found->index) : nlohmann::ordered_json();
}

// "51.3 % slower than the others (16 durations, standard error 4.3 %)"
std::string beyond(const Outlier& found, const char* how) {
    return percent(found.factor - 1) + " " + how + " (" + std::to_string(found.samples) +
           " durations, standard error " + percent(found.standard_error) + ")\n";
}

}  // namespace

nlohmann::ordered_json causesJson(const CauseParts& parts) {
    nlohmann::ordered_json out = nlohmann::ordered_json::object();
    for (int cause = 0; cause < kBubbleCauses; ++cause)
        out[toText(static_cast<BubbleCause>(cause))] = toMs(parts[static_cast<std::size_t>(cause)]);
    return out;
}

void addOutliers(nlohmann::ordered_json& out, const Outliers& found) {
    out["slow_rank"] = indexOf(found.slow_rank);
    out["slow_stage"] = indexOf(found.slow_stage);
    out["odd_microbatch"] = indexOf(found.odd_microbatch);
    out["slow_link"] = found.slow_link ? nlohmann::ordered_json({found.slow_link->index, found.slow_link->to})
                                       : nlohmann::ordered_json();
}

std::string outliersText(const Outliers& found) {
    std::string text;
    if (found.slow_rank)
        text += "rank " + std::to_string(found.slow_rank->index) + " is " +
                beyond(*found.slow_rank, "slower than the others");
    if (found.slow_stage)
        text += "stage " + std::to_string(found.slow_stage->index) + " is " +
                beyond(*found.slow_stage, "heavier for its expected work than the others");
    if (found.odd_microbatch)
        text += "micro-batch " + std::to_string(found.odd_microbatch->index) + " takes " +
                beyond(*found.odd_microbatch, "longer than the others");
    if (found.slow_link)
        text += "messages from rank " + std::to_string(found.slow_link->index) + " to rank " +
                std::to_string(found.slow_link->to) + " take " +
                beyond(*found.slow_link, "longer than others");
    return text;
}

}  // namespace bscope::cli
