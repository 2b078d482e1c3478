#include "schedule/weight_versions.h"

#include <algorithm>
#include <map>
#include <set>

namespace bscope {

int versionRead(const Schedule& schedule, int rank, int microbatch) {
    switch (schedule.weights) {
        case WeightRule::Flush:
            return 0;
        case WeightRule::Stashed: {
            const int delay = schedule.params.p - 1 - (schedule.params.vertical_sync ? 0 : rank);
            return std::max(0, microbatch - delay);
        }
        case WeightRule::DoubleBuffer:
            return std::max(0, microbatch / schedule.step_every - 1);
    }
    return 0;
}

std::vector<VersionedAction> weightVersions(const Program& program, int rank) {
    std::vector<VersionedAction> result;
    int newest = 0, last_read = 0;
    for (const Action& action : program.actions.at(static_cast<std::size_t>(rank))) {
        if (action.op == Op::OptimizerStep) {
            result.push_back({action, newest, last_read, newest + 1});
            ++newest;
        } else if (isCompute(action.op) && action.op != Op::Recompute) {
            const int read = versionRead(program.schedule, rank, action.microbatch);
            if (action.op != Op::Forward) last_read = read;
            result.push_back({action, read});
        }
    }
    return result;
}

int versionsHeld(const std::vector<VersionedAction>& actions) {
    // A version is held from when it is made until it is not read any more; the newest always is.
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
