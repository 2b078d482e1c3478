#include "mpi/process_group.h"

#include <utility>

#include "mpi/commands.h"
#include "mpi/packer.h"
#include "mpi/patience.h"

namespace bscope {

namespace {

constexpr auto kStarting = std::chrono::minutes(2);  // that processes of other machines may be late
const Sentence kStartOfAll = sentence("the start of all processes");

void pack(Packer& packer, const ProcessPlace& place) {
    packer.add(place.host).add(place.process).add(place.cores);
    packer.add(place.gpu.bus_id).add(place.gpu.name).add(place.gpu.total_bytes);
    packSentence(packer, place.gpu.why_not);
}

ProcessPlace unpackPlace(Unpacker& from) {
    ProcessPlace place;
    place.host = from.nextText();
    place.process = from.next<int>();
    place.cores = from.nextVector<int>();
    place.gpu.bus_id = from.nextText();
    place.gpu.name = from.nextText();
    place.gpu.total_bytes = from.next<std::int64_t>();
    place.gpu.why_not = unpackSentence(from);
    return place;
}

// How many processes of this machine come before this one.
int localRank() {
    MPI_Comm here = MPI_COMM_NULL;
    int rank = 0;
    checkMpi(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here), "start");
    checkMpi(MPI_Comm_rank(here, &rank), "start");
    checkMpi(MPI_Comm_free(&here), "start");
    return rank;
}

}  // namespace

Life ProcessGroup::lifeOf(int rank) const {
    if (isGone(places[static_cast<std::size_t>(rank)])) return Life::Ended;
    return heartbeat ? heartbeat->of(rank) : Life::Here;
}

int ProcessGroup::firstGone() const {
    for (int rank = 0; rank < size(); ++rank)
        if (lifeOf(rank) != Life::Here) return rank;
    return -1;
}

Sentence ProcessGroup::fateOf(int rank) const {
    return lifeOf(rank) == Life::Silent ? sentence("{0} sends no heartbeat", nameOf(rank))
                                        : sentence("{0} has ended", nameOf(rank));
}

std::optional<Interruption> ProcessGroup::whoIsGone() const {
    const int gone = firstGone();
    if (gone < 0) return std::nullopt;
    return Interruption{Interruption::Kind::PeerGone, fateOf(gone), gone};
}

Sentence ProcessGroup::nameOf(int rank) const {
    const ProcessPlace& place = places[static_cast<std::size_t>(rank)];
    return sentence("rank {0} (process {1} on {2})", rank, place.process, place.host);
}

void meet(ProcessGroup& group, HostTime own) {
    group.own = std::move(own);
    MPI_Comm comm = MPI_COMM_NULL;
    checkMpi(MPI_Comm_dup(MPI_COMM_WORLD, &comm), "start");
    group.channel = std::make_unique<Channel>(
        comm, kPatience, [&group] { return group.look ? group.look() : std::optional<Interruption>(); },
        [&group] { return group.whoIsGone(); });
    Channel& channel = *group.channel;
    group.gpu = std::make_unique<OwnGpu>(channel.rank(), localRank());
    ProcessPlace own_place = thisPlace();
    own_place.gpu = group.gpu->described();
    std::vector<char> table;
    if (channel.rank() > 0) {
        Packer mine;
        pack(mine, own_place);
        channel.post(0, kReplyTag, mine.take());
        table = channel.receive(0, kCommandTag, kStartOfAll, kStarting).message;
    } else {
        Packer all;
        pack(all, own_place);
        for (int rank = 1; rank < channel.size(); ++rank) {
            const auto received = channel.receive(rank, kReplyTag, kStartOfAll, kStarting);
            Unpacker from(received.message);
            pack(all, unpackPlace(from));
        }
        table = all.take();
        for (int rank = 1; rank < channel.size(); ++rank) channel.post(rank, kCommandTag, table);
        group.clocks = std::make_unique<ClockSync>(channel, group.own);
    }
    Unpacker from(table);
    for (int rank = 0; rank < channel.size(); ++rank) group.places.push_back(unpackPlace(from));
    lookAround(group.places);
}

}  // namespace bscope
