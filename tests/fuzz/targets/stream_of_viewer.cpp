// What an engine reads of a viewer. Refusals are WireError and problems; a configuration without problems has
// a schedule that can be lowered, and is the same after its way through a file.
#include "catalog/catalog.h"
#include "schedule/formats/file_schedule.h"
#include "schedule/program.h"
#include "schedule/validate.h"
#include "support/config_checks.h"
#include "support/message_mutator.h"

namespace bscope::fuzz {

namespace {

constexpr std::size_t kMostBytesOfViewer = 1u << 16;  // as the server's
constexpr long kMostCellsLowered = 512;

void checkConfig(const RunConfig& config) {
    checkSurvivesFile(config);
    if (isFileSchedule(config.schedule)) return;  // files of this machine are no input
    for (const Problem& problem : problems(config)) {
        require(!problem.text().empty(), "a problem says nothing");
        return;
    }
    if (config.params.cells() > kMostCellsLowered) return;
    const Schedule schedule = makeSchedule(config.schedule, config.params);
    require(scheduleErrors(schedule).empty(), "a legal configuration has a broken schedule");
    const Program program = lower(schedule, config.recomputedApart());
    require(program.actions.size() == static_cast<std::size_t>(config.params.layout().world()), "ranks are missing");
}

void run(std::string_view input) {
    FrameReader frames(kMostBytesOfViewer, Framing::Unchecked);
    frames.feed(input);
    try {
        while (const auto message = frames.next()) {
            if (!message->has_configure()) continue;
            RunConfig config;
            const std::vector<Problem> unknown = overlay(message->configure().config(), config);
            checkConfig(config);
        }
    } catch (const WireError&) {  // a sentence
    }
}

}  // namespace

const Target& target() {
    static const Target stream{"stream_of_viewer", run, mutateStream};
    return stream;
}

}  // namespace bscope::fuzz
