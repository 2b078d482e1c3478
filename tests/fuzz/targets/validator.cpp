// The validator against a second opinion. The input chooses a legal schedule of the catalog and one change of
// it. The verdict on the file must be that of the reference below, which knows nothing of the validator: an
// order that plays to the end is accepted, every other one is refused; a file that says the same in other
// words is accepted. Files with communication are judged as schedule_mutator.h knows them to be.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "catalog/catalog.h"
#include "schedule/formats/csv.h"
#include "schedule/formats/schedule_file.h"
#include "schedule/validate.h"
#include "support/schedule_checks.h"
#include "support/target.h"
#include "tests/common/schedule_mutator.h"

namespace bscope::fuzz {

namespace {

using Orders = std::vector<std::vector<Action>>;
using Rows = std::vector<std::vector<std::string>>;

// Decisions from the bytes of the input; 0 when they are used up.
class Choices {
public:
    explicit Choices(std::string_view bytes) : bytes_(bytes) {}
    std::size_t below(std::size_t limit) {
        if (limit == 0) return 0;
        std::size_t value = next();
        if (limit > 256) value = value << 8 | next();
        return value % limit;
    }

private:
    std::size_t next() {
        return at_ < bytes_.size() ? static_cast<unsigned char>(bytes_[at_++]) : std::size_t{0};
    }
    std::string_view bytes_;
    std::size_t at_ = 0;
};

enum class Verdict { Legal, Illegal, Unsaid };

// Whether an order can be run, by its definition: every stage on one rank; every micro-batch forward once and
// backward once on every stage, whole or in two parts; played rank by rank, everything runs.
Verdict reference(Orders orders) {
    while (!orders.empty() && orders.back().empty()) orders.pop_back();  // a file does not show them
    if (orders.empty()) return Verdict::Illegal;
    bool has_input = false, has_weight = false, has_backward = false;
    for (const auto& order : orders)
        for (const Action& action : order) {
            has_input |= action.op == Op::BackwardInput;
            has_weight |= action.op == Op::BackwardWeight;
            has_backward |= action.op != Op::Forward;
        }
    if (has_weight && !has_input)  // the old spelling
        for (auto& order : orders)
            for (Action& action : order)
                if (action.op == Op::Backward) action.op = Op::BackwardInput;

    int stages = 0, microbatches = 0;
    std::map<int, std::size_t> rank_of;
    for (std::size_t rank = 0; rank < orders.size(); ++rank)
        for (const Action& action : orders[rank]) {
            if (action.stage < 0 || action.microbatch < 0) return Verdict::Illegal;
            if (rank_of.emplace(action.stage, rank).first->second != rank) return Verdict::Illegal;
            stages = std::max(stages, action.stage + 1);
            microbatches = std::max(microbatches, action.microbatch + 1);
        }
    if (std::any_of(orders.begin(), orders.end(), [](const auto& order) { return order.empty(); }))
        return Verdict::Illegal;  // a rank without a stage
    std::map<std::size_t, int> stages_of_rank;
    for (const auto& [stage, rank] : rank_of) ++stages_of_rank[rank];
    if (static_cast<int>(rank_of.size()) != stages) return Verdict::Illegal;  // one is missing
    for (std::size_t rank = 0; rank < orders.size(); ++rank)
        if (stages_of_rank[rank] != stages_of_rank[0]) return Verdict::Unsaid;

    std::map<std::tuple<int, int, Op>, int> count;
    for (const auto& order : orders)
        for (const Action& action : order) ++count[{action.stage, action.microbatch, action.op}];
    const auto times = [&](int stage, int i, Op op) {
        const auto found = count.find({stage, i, op});
        return found == count.end() ? 0 : found->second;
    };
    for (int stage = 0; stage < stages; ++stage)
        for (int i = 0; i < microbatches; ++i) {
            const int whole = times(stage, i, Op::Backward), input = times(stage, i, Op::BackwardInput),
                      weight = times(stage, i, Op::BackwardWeight);
            const bool backward = !has_backward || (whole == 1 && input + weight == 0) ||
                                  (whole == 0 && input == 1 && weight == 1);
            if (times(stage, i, Op::Forward) != 1 || !backward) return Verdict::Illegal;
        }

    std::set<std::tuple<int, int, bool>> made;  // stage, micro-batch, forward
    std::set<std::pair<int, int>> input_made;
    std::vector<std::size_t> next(orders.size(), 0);
    const auto can = [&](const Action& action) {
        const int s = action.stage, i = action.microbatch;
        if (action.op == Op::Forward) return s == 0 || made.count({s - 1, i, true}) > 0;
        if (action.op == Op::BackwardWeight) return input_made.count({s, i}) > 0;
        return made.count({s, i, true}) > 0 && (s == stages - 1 || made.count({s + 1, i, false}) > 0);
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t rank = 0; rank < orders.size(); ++rank)
            while (next[rank] < orders[rank].size() && can(orders[rank][next[rank]])) {
                const Action& action = orders[rank][next[rank]++];
                if (action.op == Op::BackwardInput) input_made.insert({action.stage, action.microbatch});
                if (action.op != Op::BackwardWeight)
                    made.insert({action.stage, action.microbatch, action.op == Op::Forward});
                moved = true;
            }
    }
    for (std::size_t rank = 0; rank < orders.size(); ++rank)
        if (next[rank] < orders[rank].size()) return Verdict::Illegal;
    return Verdict::Legal;
}

std::string textOf(const Rows& rows, Choices& choices) {
    const char* const line_end = choices.below(2) == 0 ? "\r\n" : "\n";
    const char* const space = choices.below(2) == 0 ? "" : " ";
    const bool empty_cells = choices.below(4) == 1;
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0) text += ',';
            if (empty_cells && i % 3 == 1) text += ",";
            text += space + row[i] + space;
        }
        text += line_end;
    }
    return text;
}

Rows cellsOf(const Orders& orders) {
    Rows rows;
    for (const auto& order : orders)
        std::ranges::transform(order, std::back_inserter(rows.emplace_back()),
                               [](const Action& action) { return toText(action); });
    return rows;
}

std::optional<Schedule> chosen(Choices& choices) {
    const auto all = catalog();
    const CatalogEntry& entry = all[choices.below(all.size())];
    ScheduleParams params;
    params.p = 1 + static_cast<int>(choices.below(5));
    params.m = 1 + static_cast<int>(choices.below(8));
    params.v = defaultChunks(entry);
    if (entry.replicas > 1 || !scheduleProblems(entry.name, params).empty()) return std::nullopt;
    Schedule schedule = makeSchedule(entry.name, params);
    for (auto& order : schedule.orders)  // overlapped pairs run one after the other
        for (Action& action : order) action.overlaps_next = false;
    return schedule;
}

void change(Orders& orders, Choices& choices) {
    const std::size_t rank = choices.below(orders.size());
    auto& order = orders[rank];
    if (order.empty()) return;
    const auto at = static_cast<std::ptrdiff_t>(choices.below(order.size()));
    const auto other = static_cast<std::ptrdiff_t>(choices.below(order.size()));
    Action& action = order[static_cast<std::size_t>(at)];
    switch (choices.below(9)) {
        case 0:
            order.erase(order.begin() + at);
            return;
        case 1:
            order.insert(order.begin() + other, Action(action));
            return;
        case 2:
            return std::swap(action, order[static_cast<std::size_t>(other)]);
        case 3: {  // to another place of its row: an equivalent order, or one that never ends
            const Action moved = action;
            order.erase(order.begin() + at);
            order.insert(order.begin() + std::min(other, static_cast<std::ptrdiff_t>(order.size())), moved);
            return;
        }
        case 4: {
            const Action moved = action;
            order.erase(order.begin() + at);
            auto& target = orders[choices.below(orders.size())];
            target.insert(target.begin() + static_cast<std::ptrdiff_t>(choices.below(target.size() + 1)),
                          moved);
            return;
        }
        case 5:
            action = action.withStage(static_cast<int>(choices.below(12)));
            return;
        case 6:
            action.microbatch = static_cast<int>(choices.below(12));
            return;
        case 7: {
            constexpr Op kOps[] = {Op::Forward, Op::Backward, Op::BackwardInput, Op::BackwardWeight};
            action.op = kOps[choices.below(4)];
            return;
        }
        default:
            return;  // none: the file says it in other words
    }
}

// The first error, if there is one, and the text that was read.
std::string shown(const ScheduleFile& file, const std::string& text) {
    return (file.errors.empty() ? "" : file.errors.front().text() + "\n") + text;
}

void checkOrder(const Schedule& legal, Choices& choices) {
    Orders orders = legal.orders;
    change(orders, choices);
    const std::string text = textOf(cellsOf(orders), choices);
    const ScheduleFile file = readScheduleFile(text, "input", FileForm::Order);
    const auto evidence = [&] { return shown(file, text); };
    const Verdict verdict = reference(orders);
    if (verdict == Verdict::Legal) require(file.errors.empty(), "a legal order is refused", evidence);
    if (verdict == Verdict::Illegal)
        require(!file.errors.empty(), "an illegal order is called valid", evidence);
    if (!file.errors.empty()) return;
    checkThatItPlays(file.schedule);
    if (orders == legal.orders)
        require(file.schedule.orders == legal.orders, "a file is read as another order", evidence);
}

// Broken for sure, or the same in other words; see schedule_mutator.h.
void checkCommunication(const Schedule& legal, Choices& choices) {
    if (legal.params.p < 2 || legal.params.m < 2) return;
    const auto how = static_cast<int>(choices.below(mutate::kBreakages + mutate::kHarmless));
    const bool lowered = choices.below(4) > 0;
    mutate::Mutator mutator(mutate::tableOf(lowered ? toCommsCsv(legal) : toComputeCsv(legal)),
                            choices.below(65536));
    const bool breaks = how < mutate::kBreakages;
    const auto text = breaks ? mutator.broken(static_cast<mutate::Breakage>(how))
                             : mutator.equivalent(static_cast<mutate::Harmless>(how - mutate::kBreakages));
    if (!text) return;
    const ScheduleFile file = readScheduleFile(*text, "input", FileForm::Order);
    const auto evidence = [&] { return shown(file, *text); };
    if (breaks) return require(!file.errors.empty(), "a broken file is called valid", evidence);
    require(file.errors.empty(), "a legal file is refused", evidence);
    checkThatItPlays(file.schedule);
}

void run(std::string_view input) {
    Choices choices(input);
    const auto schedule = chosen(choices);
    if (!schedule) return;
    if (choices.below(2) == 0)
        checkOrder(*schedule, choices);
    else
        checkCommunication(*schedule, choices);
}

}  // namespace

const Target& target() {
    static const Target validator{"validator", run};
    return validator;
}

}  // namespace bscope::fuzz
