#include "mpi/topology.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <map>
#include <numeric>
#include <set>

#include "host/cores.h"

namespace bscope {

namespace {

std::string hostName() {
    std::string name(256, '\0');
    if (gethostname(name.data(), name.size() - 1) != 0) return "localhost";
    return name.c_str();
}

// R, S, T, Z and so on of /proc; a space where there is none. It stands behind the name, which may hold
// anything, parentheses too.
char stateOf(int process) {
    std::string stat;
    std::getline(std::ifstream("/proc/" + std::to_string(process) + "/stat"), stat);
    const std::size_t name_end = stat.rfind(')');
    return name_end != std::string::npos && name_end + 2 < stat.size() ? stat[name_end + 2] : ' ';
}

// One that has ended is there until its parent waits for it, which mpirun may do late.
bool isAlive(int process) {
    if (kill(process, 0) != 0 && errno == ESRCH) return false;
    const char state = stateOf(process);
    return state != 'Z' && state != 'X';
}

}  // namespace

ProcessPlace thisPlace() {
    return {hostName(), static_cast<int>(getpid()), usableCores(), true, {}};
}

// Who has the fewest cores to choose from chooses first; when none is free, the one used least is shared.
std::vector<int> assignCores(const std::vector<ProcessPlace>& places, int ranks) {
    std::vector<std::size_t> command(static_cast<std::size_t>(ranks));
    std::iota(command.begin(), command.end(), std::size_t{0});
    std::stable_sort(command.begin(), command.end(), [&](std::size_t a, std::size_t b) {
        return places[a].cores.size() < places[b].cores.size();
    });
    std::map<std::pair<std::string, int>, int> users;
    std::vector<int> chosen(command.size());
    for (const std::size_t rank : command) {
        const ProcessPlace& place = places[rank];
        const auto usersOf = [&](int core) { return users[{place.host, core}]; };
        chosen[rank] = *std::min_element(place.cores.begin(), place.cores.end(),
                                         [&](int a, int b) { return usersOf(a) < usersOf(b); });
        ++users[{place.host, chosen[rank]}];
    }
    return chosen;
}

int ranksWithOwnCore(const std::vector<ProcessPlace>& places, const std::vector<int>& cores) {
    std::set<std::pair<std::string, int>> taken;
    for (std::size_t rank = 0; rank < cores.size(); ++rank) taken.insert({places[rank].host, cores[rank]});
    return static_cast<int>(taken.size());
}

Sentence whyNoOwnGpu(const std::vector<ProcessPlace>& places, int rank) {
    const ProcessPlace& own = places[static_cast<std::size_t>(rank)];
    if (!own.gpu.why_not.empty()) return own.gpu.why_not;
    for (int before = 0; before < rank; ++before) {
        const ProcessPlace& other = places[static_cast<std::size_t>(before)];
        if (other.host == own.host && other.gpu.bus_id == own.gpu.bus_id && other.gpu.why_not.empty())
            return sentence("it has GPU {0} of {1} in common with rank {2}", own.gpu.bus_id, own.host,
                            before);
    }
    return {};
}

int ranksWithOwnGpu(const std::vector<ProcessPlace>& places) {
    int rank = 0;
    while (rank < static_cast<int>(places.size()) && whyNoOwnGpu(places, rank).empty()) ++rank;
    return rank;
}

std::string gpusText(const std::vector<ProcessPlace>& places, int ranks) {
    std::string text;
    for (int rank = 0; rank < ranks;) {
        const std::string& name = places[static_cast<std::size_t>(rank)].gpu.name;
        int alike = 1;
        while (rank + alike < ranks && places[static_cast<std::size_t>(rank + alike)].gpu.name == name)
            ++alike;
        text += (rank > 0 ? " + " : "") + (alike > 1 ? std::to_string(alike) + " x " : std::string()) + name;
        rank += alike;
    }
    return text;
}

std::string placesText(const std::vector<ProcessPlace>& places, int ranks) {
    std::set<std::string> hosts;
    for (const ProcessPlace& place : places) hosts.insert(place.host);
    std::string text = std::to_string(places.size()) + " processes";
    if (hosts.size() > 1) text += " on " + std::to_string(hosts.size()) + " machines";
    const int size = static_cast<int>(places.size());
    if (ranks == size) return text;
    text += ranks + 1 == size ? ", rank " : ", ranks ";
    for (int rank = ranks; rank < size; ++rank) text += (rank > ranks ? ", " : "") + std::to_string(rank);
    return text + " idle";
}

void lookAround(std::vector<ProcessPlace>& places) {
    const std::string here = hostName();
    for (ProcessPlace& place : places) place.seen = place.host == here && isAlive(place.process);
}

bool isGone(const ProcessPlace& place) {
    return place.seen && !isAlive(place.process);
}

}  // namespace bscope
