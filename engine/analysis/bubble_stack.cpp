#include "analysis/bubble_stack.h"

#include <utility>

namespace bscope {

namespace {

constexpr double kForwardUnits = 1, kBackwardUnits = 2, kInputUnits = 1, kWeightUnits = 1;

// Before its first operation a rank waits for those before it, after its last for none but the end; between
// them for the way there and back.
void addStackedRank(BubbleStack& stack, double before, double between, double after) {
    using enum StackPart::Kind;
    std::vector<StackPart>& rank = stack.ranks.emplace_back();
    for (const auto& [kind, units] : {std::pair(Work, stack.work_units), {Before, before}, {Between, between},
                                      {After, after}})
        if (units > 0) rank.push_back({kind, units});
}

}  // namespace

std::optional<BubbleStack> bubbleStack(std::string_view kind, int p, int v, int m) {
    if (p < 2 || m < 1) return std::nullopt;
    BubbleStack stack;
    double f = kForwardUnits, b = kBackwardUnits;
    if (kind == "whole") {
        stack.work = "m (F + B)";
        stack.idle = "(p − 1)(F + B)";
        stack.formula = "(p − 1)/(m + p − 1)";
    } else if (kind == "chunks") {
        f /= v;
        b /= v;
        stack.work = "m (F + B)";
        stack.idle = "(p − 1)(F + B)/v";
        stack.formula = "(p − 1)/(v·m + p − 1)";
    } else if (kind == "split") {
        b = kInputUnits - kWeightUnits;  // the W of a rank fill what its I left
        stack.work = "m (F + I + W)";
        stack.idle = "(p − 1)(F + I − W)";
        stack.formula = "(p − 1)(F + I − W)/(m (F + I + W) + (p − 1)(F + I − W))";
    } else if (kind == "forward") {
        b = 0;
        stack.work = "m F";
        stack.idle = "(p − 1) F";
        stack.formula = "(p − 1)/(m + p − 1)";
    } else {
        return std::nullopt;
    }
    stack.work_units = m * (kind == "forward" ? kForwardUnits : kForwardUnits + kBackwardUnits);
    stack.idle_units = (p - 1) * (f + b);
    for (int rank = 0; rank < p; ++rank) {
        const int behind = p - 1 - rank;
        const bool turns = kind != "forward";
        addStackedRank(stack, rank * f, turns ? behind * (f + b) : 0, turns ? rank * b : behind * f);
    }
    return stack;
}

}  // namespace bscope
