#include "hang/hang_report.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "hang/flight_channels.h"
#include "hang/planned_names.h"
#include "words/number_text.h"
#include "words/sentence_error.h"

namespace bscope {

namespace {

constexpr double kNsOfSecond = 1e9;

std::string shapeText(const std::vector<std::int64_t>& sizes) {
    std::string text = "[";
    for (const std::int64_t each : sizes) text += (text.size() > 1 ? ", " : "") + std::to_string(each);
    return text + "]";
}

std::string shapeOf(const FlightEntry& entry) {
    std::string text = entry.type;
    if (entry.sizes.empty()) return text;
    return (text.empty() ? "" : text + " ") + shapeText(entry.sizes.front());
}

// Elements of the first tensor; what is too large for 64 bits wraps alike on both sides.
std::uint64_t elementsOf(const FlightEntry& entry) {
    std::uint64_t count = 1;
    for (const std::int64_t each : entry.sizes.front()) count *= static_cast<std::uint64_t>(each);
    return count;
}

class HangAnalysis {
public:
    HangAnalysis(const std::vector<FlightDump>& dumps, const MessagePlan* plan)
        : dumps_(dumps), channels_(dumps) {
        if (plan) names_.emplace(dumps, channels_, *plan);
    }

    HangReport run() {
        for (const FlightDump& dump : dumps_)
            for (const FlightEntry& each : dump.entries)
                report_.last_ns = std::max({report_.last_ns, each.created_ns, each.completed_ns});
        for (const FlightDump& dump : dumps_) {
            addRank(dump);
            report_.notes.insert(report_.notes.end(), dump.notes.begin(), dump.notes.end());
        }
        compareMessages();
        compareCollectives();
        findAwaitedRanks();
        findCircle();
        findStandingTransfers();
        addPlan();
        noteWhatIsLost();
        std::ranges::sort(report_.ranks, {}, &HangRank::rank);
        std::ranges::stable_sort(report_.findings, {}, &HangFinding::kind);
        return std::move(report_);
    }

private:
    double secondsSince(std::int64_t ns) const {
        constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
        return ns > 0 ? static_cast<double>(report_.last_ns - ns) / kNsOfSecond : unknown;
    }
    void found(HangFinding::Kind kind, std::vector<int> ranks, Sentence what) {
        report_.findings.push_back({kind, std::move(ranks), std::move(what)});
    }

    void addRank(const FlightDump& dump) {
        HangRank rank;
        rank.rank = dump.rank;
        rank.has_dump = true;
        std::int64_t last_ns = -1;
        std::vector<std::size_t> pending;
        for (std::size_t i = 0; i < dump.entries.size(); ++i) {
            const FlightEntry& each = dump.entries[i];
            if (each.kind == FlightKind::Coalesced) continue;
            ++rank.recorded;
            rank.ended += each.is_done ? 1 : 0;
            if (!each.is_done) pending.push_back(i);
            if (each.is_done && std::max(each.completed_ns, each.created_ns) >= last_ns) {
                last_ns = std::max(each.completed_ns, each.created_ns);
                rank.last = each.name;
            }
        }
        rank.idle_s = secondsSince(last_ns);
        rank.outstanding = pending.size();
        if (names_) rank.next = names_->next(dump.rank);
        if (names_) rank.planned = names_->planned(dump.rank);
        std::vector<OutstandingOperation>& all = outstanding_[dump.rank];
        for (const std::size_t index : pending) {
            all.push_back(outstanding(dump, index));
            entries_[dump.rank].push_back(index);
        }
        if (!all.empty()) {
            stands_[dump.rank] = standsAt(rank, all);
            rank.stands_at = all[stands_[dump.rank]];
        }
        report_.ranks.push_back(std::move(rank));
    }

    OutstandingOperation outstanding(const FlightDump& dump, std::size_t index) const {
        const FlightEntry& entry = dump.entries[index];
        const FlightGroup& group = dump.groups[static_cast<std::size_t>(entry.group)];
        OutstandingOperation made;
        made.kind = entry.kind;
        made.name = entry.name;
        made.group =
            group.description.empty() || group.description == "undefined" ? group.name : group.description;
        made.shape = shapeOf(entry);
        made.where = entry.where;
        made.since_ns = entry.created_ns;
        made.waited_s = secondsSince(entry.created_ns);
        made.number = entry.collective;
        if (isMessage(entry)) {
            made.peer = entry.peer;
            made.other = otherSideOf(dump.rank, index);
            made.waits_for = {entry.peer};
            if (const auto name = names_ ? names_->of(dump.rank, index) : std::nullopt) {
                const bool sends = entry.kind == FlightKind::Send;
                made.message = sends ? name->message.send : name->message.receive;
                made.computation = sends ? name->message.made_by : name->message.needed_by;
                if (!sends) made.made_by = name->message.made_by;
                if (dump.is_whole) made.iteration = name->iteration;
            }
            return made;
        }
        made.other = OtherSide::Posted;
        const int identity = channels_.identity(dump.rank, entry);
        bool has_silent = false;
        for (const int member : group.ranks) {
            if (member == dump.rank) continue;
            if (channels_.collectiveOf(member, identity, entry.collective)) continue;
            // What a ring buffer has lost is joined.
            const FlightDump* other = channels_.dumpOf(member);
            if (other && isLost(*other, identity, entry.collective)) continue;
            made.waits_for.push_back(member);
            has_silent |= !other;
        }
        if (!made.waits_for.empty()) made.other = has_silent ? OtherSide::NoDump : OtherSide::NotPosted;
        return made;
    }
    bool isLost(const FlightDump& dump, int group, std::int64_t number) const {
        if (dump.is_whole) return false;
        for (const FlightEntry& each : dump.entries)
            if (each.kind == FlightKind::Collective && channels_.identity(dump.rank, each) == group)
                return each.collective > number;
        return false;
    }

    OtherSide otherSideOf(int rank, std::size_t index) const {
        const FlightEntry& entry = channels_.entry(rank, index);
        const FlightDump* other = channels_.dumpOf(entry.peer);
        if (!other) return OtherSide::NoDump;
        const auto its = channels_.otherSide(rank, index);
        if (!its) return OtherSide::NotPosted;
        return other->entries[*its].is_done ? OtherSide::Ended : OtherSide::Posted;
    }

    // What its next computation needs, by the plan; else the first that the other side has not posted.
    static std::size_t standsAt(const HangRank& rank, const std::vector<OutstandingOperation>& all) {
        for (std::size_t i = 0; i < all.size(); ++i)
            if (rank.next && all[i].kind == FlightKind::Receive && all[i].computation == rank.next) return i;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].other == OtherSide::NoDump || all[i].other == OtherSide::NotPosted) return i;
        return 0;
    }

    // --- the two sides of what was posted ------------------------------------------------------------------

    void compareMessages() {
        for (const auto& [key, channel] : channels_.channels()) {
            const auto& [group, from, to] = key;
            if (!channel.ahead) continue;
            for (std::size_t i = 0; i < channel.sends.size(); ++i) {
                const auto other = channels_.otherSide(from, channel.sends[i]);
                if (!other) continue;
                const FlightEntry& send = channels_.entry(from, channel.sends[i]);
                const FlightEntry& receive = channels_.entry(to, *other);
                if (!channel.is_counted && send.is_done && receive.is_done) continue;
                if (send.sizes.empty() || receive.sizes.empty()) continue;
                if (elementsOf(send) == elementsOf(receive) && send.type == receive.type) continue;
                addDifference(key, channel, i);
                break;  // what follows differs because of it
            }
        }
    }
    void addDifference(const FlightChannels::Key& key, const FlightChannel& channel, std::size_t place) {
        const auto& [group, from, to] = key;
        const FlightEntry& send = channels_.entry(from, channel.sends[place]);
        const FlightEntry& receive = channels_.entry(to, *channels_.otherSide(from, channel.sends[place]));
        if (place + 1 < channel.sends.size()) {
            const FlightEntry& next_send = channels_.entry(from, channel.sends[place + 1]);
            const auto next = channels_.otherSide(from, channel.sends[place + 1]);
            if (next && shapeOf(send) == shapeOf(channels_.entry(to, *next)) &&
                shapeOf(next_send) == shapeOf(receive))
                return found(HangFinding::Kind::OrderDiffers, {from, to},
                             sentence("rank {0} sends {1} and then {2}; rank {3} receives {2} and then {1}",
                                      from, labelOf(from, channel.sends[place]),
                                      labelOf(from, channel.sends[place + 1]), to));
        }
        if (send.type != receive.type)
            return found(HangFinding::Kind::TypeDiffers, {from, to},
                         sentence("message {0} of rank {1} to rank {2} is sent as {3} and received as {4}",
                                  place + 1, from, to, shapeOf(send), shapeOf(receive)));
        found(HangFinding::Kind::SizeDiffers, {from, to},
              sentence("message {0} of rank {1} to rank {2} is sent with size {3} and received with size {4}",
                       place + 1, from, to, shapeOf(send), shapeOf(receive)));
    }
    // "2SEND_F1 (Float [4, 16])", or the shape alone.
    std::string labelOf(int rank, std::size_t index) const {
        const FlightEntry& entry = channels_.entry(rank, index);
        const auto name = names_ ? names_->of(rank, index) : std::nullopt;
        if (!name) return shapeOf(entry);
        const bool sends = entry.kind == FlightKind::Send;
        return toText(sends ? name->message.send : name->message.receive) + " (" + shapeOf(entry) + ")";
    }

    // Members of a group that call different operations under one number.
    void compareCollectives() {
        std::map<std::pair<int, std::int64_t>, std::pair<int, std::string>> first;
        std::set<int> reported;
        for (const FlightDump& dump : dumps_)
            for (const FlightEntry& each : dump.entries) {
                if (each.kind != FlightKind::Collective || each.is_p2p || each.batch >= 0) continue;
                const int group = channels_.identity(dump.rank, each);
                const auto [known, is_new] =
                    first.emplace(std::pair(group, each.collective), std::pair(dump.rank, each.name));
                if (is_new || known->second.second == each.name || !reported.insert(group).second) continue;
                found(HangFinding::Kind::CollectiveDiffers, {known->second.first, dump.rank},
                      sentence("operation {0} of group {1} is {2} on rank {3} and {4} on rank {5}",
                               each.collective, channels_.groupOf(dump.rank, each).name, known->second.second,
                               known->second.first, each.name, dump.rank));
            }
    }

    // --- who is waited for ---------------------------------------------------------------------------------

    void findAwaitedRanks() {
        std::map<int, std::pair<int, const OutstandingOperation*>> waited_for;  // rank -> who waits, in what
        for (const auto& [rank, all] : outstanding_)
            for (const OutstandingOperation& each : all) {
                if (each.other != OtherSide::NoDump && each.other != OtherSide::NotPosted) continue;
                for (const int other : each.waits_for) waited_for.emplace(other, std::pair(rank, &each));
            }
        for (const HangRank& each : report_.ranks) {  // rather what a rank really stands at
            if (!each.stands_at) continue;
            for (const int other : each.stands_at->waits_for)
                if (const auto known = waited_for.find(other);
                    known != waited_for.end() && known->second.first == each.rank)
                    known->second.second = &*each.stands_at;
        }
        std::vector<int> silent;
        for (const auto& [rank, waiting] : waited_for) {
            const auto& [who, operation] = waiting;
            const FlightDump* dump = channels_.dumpOf(rank);
            if (!dump) {
                is_any_missing_ = true;
                silent.push_back(rank);
                found(HangFinding::Kind::NoDump, {rank},
                      sentence("rank {0} left no dump, and rank {1} waits for it: it ended before it could "
                               "write one, "
                               "or its file is not here",
                               rank, who));
                continue;
            }
            if (!outstanding_[rank].empty()) continue;
            is_any_missing_ = true;
            addNeverPosted(rank, who, *operation);
        }
        for (const int rank : silent) {
            report_.ranks.push_back({});
            report_.ranks.back().rank = rank;
        }
    }
    void addNeverPosted(int rank, int who, const OutstandingOperation& operation) {
        const HangRank& its = *std::ranges::find(report_.ranks, rank, &HangRank::rank);
        const bool joins = operation.kind == FlightKind::Collective;
        found(joins ? HangFinding::Kind::NotJoined : HangFinding::Kind::NeverPosted, {rank, who},
              joins ? sentence(
                          "rank {0} never joined {1} of group {2}, in which rank {3} waits; nothing of it is "
                          "outstanding, so it is in computation or in its own code",
                          rank, operation.name, operation.group, who)
                    : sentence("rank {0} never posted its side of what rank {1} waits for, {2}; nothing of "
                               "it is outstanding, so it is in computation or in its own code",
                               rank, who, operation.text()));
        if (its.next && operation.made_by && *operation.made_by != *its.next)
            report_.findings.back().what =
                sentence("{0}; by the plan it is in {1}, or in what follows up to {2}",
                         report_.findings.back().what, toText(*its.next), toText(*operation.made_by));
        else if (its.next)
            report_.findings.back().what = sentence("{0}; by the plan its next operation is {1}",
                                                    report_.findings.back().what, toText(*its.next));
        else if (const std::string usual = usualNext(*channels_.dumpOf(rank)); !usual.empty())
            report_.findings.back().what = sentence("{0}; after the same operations it posted {1} before",
                                                    report_.findings.back().what, usual);
        if (!its.last.empty())
            report_.findings.back().what =
                sentence("{0}; the last that ended was {1}, {2} s before the end of the records",
                         report_.findings.back().what, its.last, secondsText(its.idle_s));
    }
    // What followed, the last time that the record had the same operations in a row as at its end.
    static std::string usualNext(const FlightDump& dump) {
        constexpr std::size_t kAlike = 4;
        std::vector<const std::string*> names;
        for (const FlightEntry& each : dump.entries)
            if (each.kind != FlightKind::Coalesced) names.push_back(&each.name);
        if (names.size() < 2 * kAlike) return {};
        for (std::size_t next = names.size() - 1; next >= kAlike; --next) {
            bool is_same = true;
            for (std::size_t back = 1; back <= kAlike && is_same; ++back)
                is_same = *names[next - back] == *names[names.size() - back];
            if (is_same) return *names[next];
        }
        return {};
    }

    // With no rank missing, every rank that is waited for waits itself: from each the way ends in a circle.
    void findCircle() {
        if (is_any_missing_) return;
        std::map<int, int> next;
        for (const HangRank& each : report_.ranks) {
            if (!each.stands_at || each.stands_at->waits_for.empty()) continue;
            const OutstandingOperation& at = *each.stands_at;
            if (at.other == OtherSide::NotPosted || standsBehindAnother(each.rank))
                next[each.rank] = at.waits_for.front();
        }
        std::map<int, int> walk_of;
        int walk = 0;
        for (const auto& [first, its] : next) {
            ++walk;
            int rank = first;
            while (next.contains(rank) && !walk_of.contains(rank)) {
                walk_of[rank] = walk;
                rank = next[rank];
            }
            if (!next.contains(rank) || walk_of[rank] != walk) continue;
            for (int each = rank; report_.circle.empty() || each != rank; each = next[each])
                report_.circle.push_back(each);
            break;
        }
        if (report_.circle.empty()) return;
        std::rotate(report_.circle.begin(), std::ranges::min_element(report_.circle), report_.circle.end());
        std::vector<Sentence> steps;
        for (const int rank : report_.circle) {
            const HangRank& its = *std::ranges::find(report_.ranks, rank, &HangRank::rank);
            steps.push_back(sentence("rank {0} in {1} for rank {2}", rank, its.stands_at->text(),
                                     its.stands_at->waits_for.front()));
        }
        const bool is_posted = std::ranges::all_of(report_.circle, [this](int rank) {
            return std::ranges::find(report_.ranks, rank, &HangRank::rank)->stands_at->other ==
                   OtherSide::Posted;
        });
        if (is_posted)
            return found(
                HangFinding::Kind::OrderDiffers, report_.circle,
                sentence(
                    "both sides of each are posted, but the other rank has another operation before it, so "
                    "that on one communicator none is the first of both: {0}",
                    inARow(steps)));
        found(HangFinding::Kind::Circle, report_.circle,
              sentence("they wait in a circle, so that the order itself stands still: {0}", inARow(steps)));
    }
    // What the rank stands at is posted on the other rank too, behind something else that has not ended.
    bool standsBehindAnother(int rank) const {
        const std::size_t index = entries_.at(rank)[stands_.at(rank)];
        const FlightEntry& own = channels_.entry(rank, index);
        const auto other = isMessage(own) ? channels_.otherSide(rank, index) : std::nullopt;
        const auto its = entries_.find(own.peer);
        if (!other || its == entries_.end() || its->second.empty()) return false;
        const FlightEntry& met = channels_.entry(own.peer, *other);
        const FlightEntry& first = channels_.entry(own.peer, its->second.front());
        const bool is_together = met.batch >= 0 && met.batch == first.batch;
        return !met.is_done && *other != its->second.front() && !is_together;
    }

    // Both sides are posted, alike, and nothing stands before them.
    void findStandingTransfers() {
        if (!report_.findings.empty()) return;
        for (const auto& [rank, all] : outstanding_) {
            if (all.empty()) continue;
            const OutstandingOperation& first = all[stands_[rank]];
            if (first.other != OtherSide::Posted) continue;
            if (first.kind == FlightKind::Collective) {
                found(HangFinding::Kind::TransferStands, {rank},
                      sentence("every rank has joined {0} of group {1}, and it does not end: the link or its "
                               "library is stuck",
                               first.name, first.group));
                return;
            }
            if (standsBehindAnother(rank)) continue;
            found(HangFinding::Kind::TransferStands, {rank, first.peer},
                  sentence("both sides of what rank {0} waits for, {1}, are posted, alike and first in their "
                           "turn, and it does not end: the link or its library is stuck",
                           rank, first.text()));
            return;
        }
    }

    void addPlan() {
        if (!names_) return;
        report_.notes.insert(report_.notes.end(), names_->notes().begin(), names_->notes().end());
        for (const auto& [rank, what] : names_->differences())
            found(HangFinding::Kind::PlanDiffers, {rank}, what);
    }

    void noteWhatIsLost() {
        std::vector<int> cut, uncounted;  // uncounted: may begin anywhere
        std::set<int> silent;
        for (const FlightDump& dump : dumps_) {
            if (!dump.is_whole && !dump.entries.empty())
                (dump.is_counted ? cut : uncounted).push_back(dump.rank);
            for (const FlightGroup& group : dump.groups)
                for (const int rank : group.ranks)
                    if (!channels_.dumpOf(rank)) silent.insert(rank);
        }
        std::ranges::sort(cut);
        if (!cut.empty())
            report_.notes.push_back(sentence(
                "the records of ranks {0} have lost their beginning; the last receive that ended is taken to "
                "have met the last send that ended (a larger TORCH_NCCL_TRACE_BUFFER_SIZE keeps more)",
                rankList(cut)));
        std::ranges::sort(uncounted);
        if (!uncounted.empty())
            report_.notes.push_back(sentence(
                "the table does not say since when, nor whether the records of ranks {0} begin with their first "
                "operation; the last receive that ended is taken to have met the last send that ended "
                "(FR_TRACE_VERBOSE_OUTPUT=1 prints both)",
                rankList(uncounted)));
        if (!silent.empty())
            report_.notes.push_back(
                sentence("no dump of ranks {0}", rankList({silent.begin(), silent.end()})));
    }

    const std::vector<FlightDump>& dumps_;
    FlightChannels channels_;
    std::optional<PlannedNames> names_;
    std::map<int, std::vector<OutstandingOperation>> outstanding_;
    std::map<int, std::vector<std::size_t>> entries_;  // of the same
    std::map<int, std::size_t> stands_;                // index into them
    bool is_any_missing_ = false;
    HangReport report_;
};

}  // namespace

HangReport analyseHang(const std::vector<FlightDump>& dumps, const MessagePlan* plan) {
    return HangAnalysis(dumps, plan).run();
}

}  // namespace bscope
