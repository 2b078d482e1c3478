// PlannedNames: which message of the plan every recorded send and receive is. Records that are whole are
// counted message by message. Of one whose beginning a ring buffer has lost, the order of the ranks it sent
// to decides, or of those it received from, where it fits the plan at one place alone; what two ranks
// exchanged has the same names on both, which in turn decides for the next rank. Sends keep the order of the
// computation, wherever a program posts its receives. Messages of whole numbers are no activations (they
// carry shapes before the first iteration) and are not counted.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "hang/flight_channels.h"
#include "hang/message_plan.h"

namespace bscope {

struct PlannedName {
    int iteration = -1;  // from 0; -1: not known
    int position = -1;   // in the list of the rank
    PlannedMessage message;
};

class PlannedNames {
public:
    PlannedNames(const std::vector<FlightDump>& dumps, const FlightChannels& channels,
                 const MessagePlan& plan);

    // Of an entry of a rank; nullopt when nothing is known of it.
    std::optional<PlannedName> of(int rank, std::size_t entry) const;
    // Rank of the plan; nullopt when its pipeline is none of the plan's.
    std::optional<int> planned(int rank) const;
    // What the rank computes after what it posted last.
    std::optional<Action> next(int rank) const;
    const std::vector<Sentence>& notes() const { return notes_; }
    // Where what a rank posted first differs from the plan's own order of sends and receives.
    const std::vector<std::pair<int, Sentence>>& differences() const { return differences_; }

private:
    // Sends or receives of one rank, in the order of its record and as the plan has them.
    struct Side {
        int rank = -1, own = -1;
        bool sends = false;
        std::vector<std::size_t> seen;             // entries
        std::vector<const PlannedMessage*> steps;  // of an iteration
        std::vector<int> peers;                    // of the steps, of the plan
        std::optional<std::size_t> last;           // step of the last entry
    };
    void findPipelines();
    void nameCounted(const FlightDump& dump, int own);
    void nameByOrder();
    Side sideOf(const FlightDump& dump, int own, bool sends) const;
    bool place(Side& side);
    void name(const Side& side);
    void nameOtherSides(const Side& side);
    void compare(const FlightDump& dump, int own);
    std::vector<std::size_t> messagesOf(const FlightDump& dump) const;

    const std::vector<FlightDump>& dumps_;
    const FlightChannels& channels_;
    const MessagePlan& plan_;
    std::map<int, int> planned_;
    std::map<int, std::map<std::size_t, PlannedName>> names_;
    std::map<int, Action> next_;
    std::vector<Sentence> notes_;
    std::vector<std::pair<int, Sentence>> differences_;
};

}  // namespace bscope
