// Configuration and scenario files. Refusals are WireError; what is read is the same when it is written and
// read again.
#include "support/config_checks.h"
#include "support/text_mutator.h"

namespace bscope::fuzz {

namespace {

void check(const wire::RunConfig& read) {
    try {
        checkSurvivesFile(fromWire(read));
    } catch (const WireError&) {  // an unknown word
    }
}

void run(std::string_view input) {
    try {
        check(parseConfigJson(input, "input"));
    } catch (const WireError&) {
    }
    try {
        const wire::Scenario scenario = parseScenarioJson(input, "input");
        check(scenario.config());
        for (const wire::LessonRun& each : scenario.lesson().runs()) check(each.config());
        for (const wire::LessonRun& each : scenario.lesson().try_next()) check(each.config());
        for (const wire::LessonTry& set : scenario.lesson().tries())
            for (const wire::LessonRun& each : set.runs()) check(each.config());
    } catch (const WireError&) {
    }
}

}  // namespace

const Target& target() {
    static const Target config{"config", run, mutateJson};
    return config;
}

}  // namespace bscope::fuzz
