#include <charconv>

#include "import/trace/raw_trace.h"
#include "schedule/formats/csv.h"

namespace bscope {
namespace {

constexpr int kMostInName = Action::kLargestStage - 1;  // more than a pipeline has

std::optional<int> numberAfter(std::string_view name, std::string_view prefix) {
    if (!name.starts_with(prefix)) return std::nullopt;
    int number = 0;
    const char* begin = name.data() + prefix.size();
    const char* end = name.data() + name.size();
    const auto [at, error] = std::from_chars(begin, end, number);
    return error == std::errc() && at == end && number <= kMostInName ? std::optional(number) : std::nullopt;
}

// "PP:2F0", "PP:0SEND_F1", "PP:(0F8;7B0)OVERLAP_F_B".
std::vector<Action> torchActions(std::string_view name) {
    if (!name.starts_with("PP:")) return {};
    name.remove_prefix(3);
    if (name.starts_with('(') && name.ends_with(kOverlapEnd)) {
        name.remove_prefix(1);
        name.remove_suffix(kOverlapEnd.size());
        const std::size_t middle = name.find(';');
        if (middle == std::string_view::npos) return {};
        auto first = actionOf(name.substr(0, middle)), second = actionOf(name.substr(middle + 1));
        if (!first || !second || first->op != Op::Forward ||
            (second->op != Op::Backward && second->op != Op::BackwardInput))
            return {};
        first->overlaps_next = true;
        return {*first, *second};
    }
    if (const auto action = actionOf(name)) return {*action};
    return {};
}

// "F0.1.7".
std::optional<OperationRange> sailRange(std::string_view name) {
    if (name.size() < 6 || std::string_view("FBW").find(name.front()) == std::string_view::npos)
        return std::nullopt;
    int numbers[3] = {};
    const char* at = name.data() + 1;
    const char* const end = name.data() + name.size();
    for (int& number : numbers) {
        const auto [next, error] = std::from_chars(at, end, number);
        if (error != std::errc() || number < 0 || number > kMostInName) return std::nullopt;
        const bool last = &number == &numbers[2];
        if (last ? next != end : next == end || *next != '.') return std::nullopt;
        at = next + 1;
    }
    const Op op = name.front() == 'F' ? Op::Forward : name.front() == 'B' ? Op::Backward : Op::BackwardWeight;
    OperationRange range;
    range.actions = {{-1, op, numbers[0]}};
    range.chunk = numbers[1];
    return range;
}

}  // namespace

std::optional<Action> actionOf(std::string_view text) {
    const auto action = parseAction(text);
    const bool counts = action && action->stage <= kMostInName && action->microbatch <= kMostInName;
    return counts ? action : std::nullopt;
}

std::optional<OperationRange> namedRange(std::string_view name) {
    OperationRange range;
    range.actions = torchActions(name);
    if (!range.actions.empty()) return range;
    for (const auto& [prefix, op] : {std::pair("Forward ", Op::Forward), {"Backward ", Op::Backward}})
        if (const auto number = numberAfter(name, prefix)) {
            range.actions = {{-1, op, *number}};
            return range;
        }
    return sailRange(name);
}

KernelRange::Kind kindOfKernel(std::string_view name) {
    if (name.find("SendRecv") != std::string_view::npos) return KernelRange::Kind::SendRecv;
    return name.starts_with("nccl") ? KernelRange::Kind::Collective : KernelRange::Kind::Compute;
}

}  // namespace bscope
