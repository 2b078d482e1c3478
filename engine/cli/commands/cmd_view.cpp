// bscope view: a recording in the terminal, as the window shows it: lanes, numbers, iterations.
#include "check/report_audit.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/screen_options.h"
#include "view/view_data.h"
#include "wire/convert.h"
#include "wire/recording.h"
#include "words/sentence_error.h"

namespace bscope::cli {
namespace {

// The message as the audit has it: a start or report corrected, without events and memory points that come
// after the report of their iteration.
wire::Message audited(ReportAudit& audit, const wire::Message& message) {
    wire::Message out = message;
    if (message.has_iteration_start())
        *out.mutable_iteration_start() = toWire(audit.started(fromWire(message.iteration_start())));
    if (message.has_iteration_report())
        *out.mutable_iteration_report() = toWire(audit.finished(fromWire(message.iteration_report())));
    if (message.has_kernels()) audit.kernels(fromWire(message.kernels()));
    if (message.has_events())
        *out.mutable_events() = toWire(message.events().rank(), audit.events(fromWire(message.events())));
    if (message.has_memory())
        *out.mutable_memory() = toWire(message.memory().rank(), audit.memory(fromWire(message.memory())));
    return out;
}

std::vector<Sentence> warningsOf(const RecordingReader& reader, const ReportAudit& audit) {
    std::vector<Sentence> all = audit.sentences(iterationNumber(0, false));
    for (const Sentence& each : {reader.warning(), reader.withoutChecksums()})
        if (!each.empty()) all.insert(all.begin(), each);
    return all;
}

}  // namespace

int viewCommand(const Arguments& arguments) {
    CommandLine line(
        "view",
        "Shows a recording in the terminal: the lanes of an iteration with its bubble, the numbers, "
        "all iterations; to zoom, pan and select by key and mouse. ? lists the keys, q quits.",
        "bscope view run.bscope\n"
        "bscope import traces/ -o run.bscope && bscope view run.bscope");
    std::string file;
    terminal::ScreenOptions options;
    line.argument("FILE", "a recording", file);
    addScreenOptions(line, options);
    if (!line.parse(arguments)) return 0;
    if (file.empty()) line.refuse(sentence("which recording? Give its file"));
    line.check();

    terminal::Viewer viewer(line.language());
    viewer.setFile(file);
    RecordingReader reader(file);
    ReportAudit audit;
    if (!reader.withoutChecksums().empty()) audit.lacksChecksums();
    reader.readAll([&](const wire::Message& message) { viewer.take(audited(audit, message)); });
    viewer.setRead(warningsOf(reader, audit));
    terminal::Session(viewer, options).run();
    return 0;
}

}  // namespace bscope::cli
