// How many messages a rank has to hold at one time when it hands over its program without waiting, as on a
// GPU: known before anything runs, so that no memory is taken while others wait for this rank. Pure.
#pragma once

#include <map>

#include "schedule/program.h"

namespace bscope {

struct MessageNeeds {
    int held = 0;                 // tensors made or received, and not yet consumed
    std::map<int, int> receives;  // by peer: posted, and not yet waited for
    std::map<int, int> sends;  // by peer: in the whole program, since it is not known when one has been taken
};

MessageNeeds messageNeeds(const Program& program, int rank);

}  // namespace bscope
