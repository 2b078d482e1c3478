#include "mpi/process_group.h"

#include <utility>

#include "mpi/orders.h"
#include "mpi/packer.h"

namespace bscope {

namespace {

constexpr auto kPatience = std::chrono::seconds(7);
constexpr auto kStarting = std::chrono::minutes(2);  // that processes of other machines may be late
const char* const kWhat = "the start of all processes";

void pack(Packer& packer, const Place& place) {
    packer.add(place.host).add(place.process).add(place.cores);
}

Place unpackPlace(Unpacker& from) {
    Place place;
    place.host = from.nextText();
    place.process = from.next<int>();
    place.cores = from.nextVector<int>();
    return place;
}

}  // namespace

int ProcessGroup::firstGone() const {
    for (std::size_t rank = 0; rank < places.size(); ++rank)
        if (isGone(places[rank])) return static_cast<int>(rank);
    return -1;
}

std::optional<std::string> ProcessGroup::whoIsGone() const {
    const int gone = firstGone();
    if (gone < 0) return std::nullopt;
    return nameOf(gone) + " is gone";
}

std::string ProcessGroup::nameOf(int rank) const {
    const Place& place = places[static_cast<std::size_t>(rank)];
    return "rank " + std::to_string(rank) + " (process " + std::to_string(place.process) + " on " +
           place.host + ")";
}

void meet(ProcessGroup& group, HostTime own) {
    group.own = std::move(own);
    MPI_Comm comm = MPI_COMM_NULL;
    checkMpi(MPI_Comm_dup(MPI_COMM_WORLD, &comm), "start");
    group.line = std::make_unique<Line>(
        comm, kPatience, [&group] { return group.look ? group.look() : std::optional<Interruption>(); },
        [&group] { return group.whoIsGone(); });
    Line& line = *group.line;
    std::vector<char> table;
    if (line.rank() > 0) {
        Packer mine;
        pack(mine, thisPlace());
        line.post(0, kReplyTag, mine.take());
        table = line.receive(0, kOrderTag, kWhat, kStarting).message;
    } else {
        Packer all;
        pack(all, thisPlace());
        for (int rank = 1; rank < line.size(); ++rank) {
            const auto received = line.receive(rank, kReplyTag, kWhat, kStarting);
            Unpacker from(received.message);
            pack(all, unpackPlace(from));
        }
        table = all.take();
        for (int rank = 1; rank < line.size(); ++rank) line.post(rank, kOrderTag, table);
        group.clocks = std::make_unique<ClockSync>(line, group.own);
    }
    Unpacker from(table);
    for (int rank = 0; rank < line.size(); ++rank) group.places.push_back(unpackPlace(from));
    lookAround(group.places);
}

}  // namespace bscope
