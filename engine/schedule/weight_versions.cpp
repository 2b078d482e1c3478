#include "schedule/weight_versions.h"

#include <algorithm>
#include <map>
#include <set>

namespace bscope {

std::vector<VersionedAction> weightVersions(const Program& program, int rank) {
    std::vector<VersionedAction> result;
    std::map<int, int> read_by;  // micro-batch to the version of its forward
    int newest = 0, last_backward = -1;
    const int batch = std::max(1, program.schedule.step_every);
    for (const Action& action : program.actions.at(static_cast<std::size_t>(rank))) {
        if (isCommunication(action.op) || action.op == Op::Recompute) continue;
        if (action.op == Op::OptimizerStep) {
            const int gradient = last_backward < 0 ? newest : read_by.at(last_backward);
            result.push_back({action, newest, gradient, newest + 1});
            ++newest;
            continue;
        }
        if (action.op == Op::Forward) {
            const int delayed = std::max(0, action.microbatch / batch - 1);
            read_by[action.microbatch] =
                program.schedule.weights == WeightRule::DoubleBuffer ? delayed : newest;
        } else {
            last_backward = action.microbatch;
        }
        result.push_back({action, read_by.at(action.microbatch)});
    }
    return result;
}

int versionsHeld(const std::vector<VersionedAction>& actions) {
    // A version is held from when it is made until nobody reads it any more; the newest always is.
    std::map<int, std::size_t> last_read;
    for (std::size_t i = 0; i < actions.size(); ++i) last_read[actions[i].reads] = i;
    std::set<int> held = {0};
    std::size_t most = 1;
    int newest = 0;
    for (std::size_t i = 0; i < actions.size(); ++i) {
        if (actions[i].writes >= 0) held.insert(newest = actions[i].writes);
        std::erase_if(held, [&](int version) { return version != newest && last_read[version] <= i; });
        most = std::max(most, held.size());
    }
    return static_cast<int>(most);
}

}  // namespace bscope
