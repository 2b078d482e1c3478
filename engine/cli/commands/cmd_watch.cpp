// bscope watch, bscope top: a run that goes on, in the terminal: that of a server, or one of its own.
#include <algorithm>

#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/keep_options.h"
#include "cli/input/listen_options.h"
#include "cli/input/options.h"
#include "cli/input/output_files.h"
#include "cli/input/screen_options.h"

namespace bscope::cli {
namespace {

std::optional<terminal::EngineAddress> addressOf(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos || colon == 0) return std::nullopt;
    const auto port = parseInteger(text.substr(colon + 1));
    if (!port || *port < 1 || *port > 65535) return std::nullopt;
    std::string host = text.substr(0, colon);
    if (host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    return terminal::EngineAddress{host, static_cast<std::uint16_t>(*port), {}};
}

// What is not the view's own.
Arguments ofEngine(const Arguments& arguments) {
    Arguments others;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "--theme")
            ++i;
        else if (!arguments[i].starts_with("--theme="))
            others.push_back(arguments[i]);
    }
    return others;
}

}  // namespace

int watchCommand(const Arguments& arguments) {
    CommandLine line(
        "watch",
        "Shows in the terminal what a server runs, and steers it when no other viewer does. When the "
        "connection breaks it tries again. ? lists the keys, q quits; the server goes on.",
        "bscope watch 127.0.0.1:7070 --token-file bscope.token");
    std::string where, secret;
    TokenOptions token;
    terminal::ScreenOptions options;
    line.argument("ADDRESS", "HOST:PORT, where bscope serve or bscope collect listens", where);
    line.text("--token-file", "FILE", "its first line is the token that the server asks for", token.file);
    addScreenOptions(line, options);
    if (!line.parse(arguments)) return 0;
    std::optional<terminal::EngineAddress> address = addressOf(where);
    if (!address) line.refuse(sentence("which server? Give its HOST:PORT, such as 127.0.0.1:7070"));
    if (token.file.empty())
        line.refuse(sentence("which token? Give --token-file; bscope serve prints where its file is"));
    else
        secret = givenToken(token, "127.0.0.1", line);
    line.check();

    address->token = secret;
    terminal::Viewer viewer(line.language());
    terminal::Session(viewer, options, terminal::EngineSource{*address, false, {}}).run();
    return 0;
}

int topCommand(const Arguments& arguments) {
    CommandLine line(
        "top",
        "Trains and shows it in the terminal while it runs, as the window does: lanes, bubble, numbers; "
        "schedule, p, m and v change from one iteration to the next. ? lists the keys, q quits.",
        "bscope top --schedule 1f1b -p 4 -m 8\n"
        "bscope top --scenario default");
    std::string record, load;
    terminal::ScreenOptions options;
    line.text("--record", "FILE.bscope", "record the stream", record);
    line.text("--load", "FILE", "go on from a saved state (safetensors)", load);
    addScreenOptions(line, options);
    KeepOptions keep_options(line);
    ConfigOptions config_options(line);
    if (!line.parse(arguments)) return 0;
    (void)config_options.resolve();
    (void)keep_options.resolve(record);
    refuseUnwritable(line, {"--record", record}, Writing::Over);
    refuseSameFile(line, {"--record", record}, {"--load", load});
    line.check();

    terminal::Viewer viewer(line.language());
    terminal::Session(viewer, options, terminal::EngineSource{{}, true, ofEngine(arguments)}).run();
    return 0;
}

}  // namespace bscope::cli
