// bscope view: a recording in the terminal, as the window shows it: lanes, numbers, iterations.
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/screen_options.h"
#include "wire/recording.h"
#include "words/sentence_error.h"

namespace bscope::cli {

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
    reader.readAll([&viewer](const wire::Message& message) { viewer.take(message); });
    viewer.setRead(reader.warning());
    terminal::Session(viewer, options).run();
    return 0;
}

}  // namespace bscope::cli
