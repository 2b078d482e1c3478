// Flight recorder dumps, as `bscope hang` reads them: pickles and JSON of anybody. Whatever the bytes are,
// they are refused with a sentence, or what is read has an analysis whose ranks exist and whose sentences say
// something, alone and beside an order that was planned.
#include "catalog/catalog.h"
#include "hang/hang_report.h"
#include "schedule/program.h"
#include "support/byte_mutator.h"
#include "support/target.h"
#include "words/catalog.h"

namespace bscope::fuzz {

namespace {

void checkSaid(const Sentence& said) {
    for (const Language language : {Language::English, Language::Chinese})
        require(!say(said, language).empty(), "a sentence says nothing");
}

void checkReport(const std::vector<FlightDump>& dumps, const MessagePlan* plan) {
    HangReport report;
    try {
        report = analyseHang(dumps, plan);
    } catch (const std::runtime_error& error) {  // two dumps of one rank
        require(*error.what() != '\0', "a refusal says nothing");
        return;
    }
    require(report.ranks.size() >= dumps.size(), "a rank with a dump is missing");
    for (const HangRank& each : report.ranks) {
        require(each.rank >= 0 || !each.has_dump, "a dump of no rank");
        require(each.ended + each.outstanding == each.recorded, "operations got lost");
        checkSaid(each.text());
    }
    for (const HangFinding& each : report.findings) {
        require(!each.ranks.empty(), "a finding about no rank");
        checkSaid(each.what);
    }
    for (const Sentence& each : report.notes) checkSaid(each);
}

void run(std::string_view input) {
    std::vector<FlightDump> dumps;
    try {
        dumps = readFlightDumps(std::string(input), "rank_0");
    } catch (const std::runtime_error& error) {
        require(*error.what() != '\0', "a refusal says nothing");
        return;
    }
    static const Program program = lower(makeSchedule("1f1b", {2, 1, 4, 0}));
    static const MessagePlan given(program.schedule, program.actions, true);
    checkReport(dumps, nullptr);
    checkReport(dumps, &given);
}

}  // namespace

const Target& target() {
    static const Target dump{"flight_dump", run};
    return dump;
}

}  // namespace bscope::fuzz
