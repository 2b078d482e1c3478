// bscope watch, bscope top: a run that goes on, in the terminal: that of a server, or one of its own.
#include <unistd.h>

#include <algorithm>

#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/keep_options.h"
#include "cli/input/listen_options.h"
#include "cli/input/options.h"
#include "cli/input/output_files.h"
#include "cli/input/screen_options.h"
#include "cli/input/terminal.h"
#include "wire/engine_address.h"

namespace bscope::cli {
namespace {

// Of ADDRESS and --token-file; without both it is asked for, since no token belongs on a command line.
EngineAddress watchedEngine(const std::string& given, const TokenOptions& token, CommandLine& line) {
    if (given.empty() && token.file.empty() && isatty(STDIN_FILENO) != 0) {
        const auto pasted = parseEngineAddress(askedFor(
            say(sentence("Paste the URL that bscope serve --show-url prints (it is not shown), then Enter: "),
                line.language())));
        if (pasted && !pasted->token.empty()) return *pasted;
        line.refuse(sentence("that is no such URL; it begins with bscope://"));
        return {};
    }
    auto address = parseEngineAddress(given);
    const bool has_token = address && !address->token.empty();
    if (!address) line.refuse(sentence("which server? Give its HOST:PORT, such as 127.0.0.1:7070"));
    if (has_token)
        line.refuse(
            sentence("a token on a command line can be read by other users of this machine: start bscope "
                     "watch alone and paste the URL there, or give HOST:PORT and --token-file"));
    else if (token.file.empty())
        line.refuse(sentence("which token? Give --token-file; bscope serve prints where its file is"));
    if (token.file.empty()) return {};
    std::string secret = givenToken(token, "127.0.0.1", line);
    if (address) address->token = std::move(secret);
    return address.value_or(EngineAddress{});
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
        "connection breaks it tries again. Without an address it asks for the URL that bscope serve "
        "--show-url prints. ? lists the keys, q quits; the server goes on.",
        "bscope watch 127.0.0.1:7070 --token-file bscope.token\n"
        "bscope watch");
    std::string where;
    TokenOptions token;
    terminal::ScreenOptions options;
    line.argument("ADDRESS", "HOST:PORT, where bscope serve or bscope collect listens", where);
    line.text("--token-file", "FILE", "its first line is the token that the server asks for", token.file);
    addScreenOptions(line, options);
    if (!line.parse(arguments)) return 0;
    const EngineAddress address = watchedEngine(where, token, line);
    line.check();

    terminal::Viewer viewer(line.language());
    terminal::Session(viewer, options, terminal::EngineSource{address, false, {}}).run();
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
