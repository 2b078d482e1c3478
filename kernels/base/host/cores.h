// Cores: which cores of this machine are ours, and its memory. Physical cores, not hyperthreads, out of the
// affinity mask, no more than the control group's CPU quota allows. Linux. Any thread.
#pragma once

#include <cstdint>
#include <vector>

namespace bscope {

// Logical CPUs that this process may use, ascending; none where the system does not say.
std::vector<int> ownCpus();

// One logical CPU for each physical core that this process may use, ascending; at least one.
std::vector<int> usableCores();

// Binds the calling thread to one logical CPU. False when the system refuses: the thread then stays as it
// was.
bool pinThisThread(int cpu);

// All memory of this machine.
std::int64_t machineMemoryBytes();

}  // namespace bscope
