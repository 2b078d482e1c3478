#include "host/cores.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace bscope {

namespace {

// Package and core of a logical CPU; a CPU without a description counts as a core of its own.
std::pair<int, int> physicalCore(int cpu) {
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    int package = -1, core = cpu;
    std::ifstream(folder + "physical_package_id") >> package;
    if (!(std::ifstream(folder + "core_id") >> core)) core = cpu;
    return {package, core};
}

// Whole cores of the CPU quota of our control group (v2, then v1); 0 = no limit.
int quotaCores() {
    std::string line, group;
    for (std::ifstream groups("/proc/self/cgroup"); std::getline(groups, line);)
        if (line.rfind("0::", 0) == 0) group = line.substr(3);
    double quota = 0, period = 0;
    for (const std::string& file :
         {"/sys/fs/cgroup" + group + "/cpu.max", std::string("/sys/fs/cgroup/cpu.max")})
        if (std::ifstream limit(file); limit >> quota >> period) break;
    if (period <= 0) {
        std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") >> quota;
        std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_period_us") >> period;
    }
    return quota > 0 && period > 0 ? std::max(1, static_cast<int>(std::floor(quota / period))) : 0;
}

}  // namespace

std::vector<int> ownCpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cpus;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
    return cpus;
}

std::vector<int> usableCores() {
    std::set<std::pair<int, int>> seen;
    std::vector<int> cores;
    for (const int cpu : ownCpus())
        if (seen.insert(physicalCore(cpu)).second) cores.push_back(cpu);
    if (cores.empty()) cores.push_back(0);
    const int quota = quotaCores();
    if (quota > 0 && quota < static_cast<int>(cores.size())) cores.resize(static_cast<std::size_t>(quota));
    return cores;
}

bool pinThisThread(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(cpu), &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

std::int64_t machineMemoryBytes() {
    return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
}

}  // namespace bscope
