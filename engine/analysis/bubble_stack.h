// BubbleStack: where the formula of a bubble comes from, as a picture: each rank's idle stretches, moved
// behind its work. They are of another kind on every rank, and of the same length together. In units of a
// forward pass, with F = 1 and B = 2 (I = W = 1); a free link. A value; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bscope {

struct StackPart {
    enum class Kind { Work, Before, Between, After } kind = Kind::Work;  // idle: where it stands on its rank
    double units = 0;
};

struct BubbleStack {
    std::vector<std::vector<StackPart>> ranks;  // (p,)
    std::string work, idle;                     // "m (F + B)", "(p − 1)(F + B)"
    std::string formula;                        // of total: "(p − 1)/(m + p − 1)"
    double work_units = 0, idle_units = 0;      // of each rank
    double share() const { return idle_units / (work_units + idle_units); }
};

// kind: whole (GPipe, 1F1B), chunks (interleaved), split (ZB-H1) or forward (no backward). nullopt: another
// kind, or no pipeline. m and v that the schedule does not allow are taken as they are: the formula is the
// same.
std::optional<BubbleStack> bubbleStack(std::string_view kind, int p, int v, int m);

}  // namespace bscope
