// bscope serve: the engine for viewers on a socket; the window starts it or connects to it. Under mpirun the
// first process serves; the others are its workers.

#include <iostream>
#include <memory>
#include <vector>

#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/keep_options.h"
#include "cli/input/listen_options.h"
#include "cli/input/options.h"
#include "cli/input/output_files.h"
#include "cli/input/worker_command.h"
#include "cli/print/line_printer.h"
#include "mpi/processes.h"
#include "schedule/formats/file_schedule.h"
#include "server/server.h"
#include "server/token.h"
#include "wire/engine_address.h"

namespace bscope::cli {
namespace {

// The lines to copy, for this machine and for another one.
void printHowToConnect(const ServerOptions& options, const EngineAddress& where,
                       const std::string& token_file) {
    const std::string file = inShell(std::filesystem::absolute(token_file).string()), host = hostName();
    const std::string port = std::to_string(where.port);
    const bool is_local = isLoopback(options.address);
    const std::string here = is_local ? where.text() : "127.0.0.1:" + port;
    const std::string copied = "scp " + host + ":" + file + " bscope.token && ";
    const std::string connect = "bubblescope --connect ";
    const LinePrinter printer(std::cerr, options.language);
    // To copy: a line of any length.
    std::cerr << printer.words("on this machine:   {0}", connect + here + " --token-file " + file) << '\n'
              << printer.words("from another one:  {0}",
                               copied +
                                   (is_local ? "ssh -f -N -L " + port + ":" + where.text() + " " + host +
                                                   " && " + connect + "127.0.0.1:" + port
                                             : connect + host + ":" + port) +
                                   " --token-file bscope.token")
              << std::endl;
}

// With the token, which lets in everybody who reads the line.
void printUrl(const ServerOptions& options, EngineAddress where) {
    if (!isLoopback(options.address)) where.host = hostName();
    where.token = options.token;
    std::cerr << LinePrinter(std::cerr, options.language)
                     .words("for File > Connect to an engine, or bscope watch: {0}", where.url())
              << std::endl;
}

// Folders of the owner's choice; else where the engine was started, and where its recording lies. Files that
// the owner named may be read, wherever they lie.
AllowedFiles allowedFiles(const std::vector<std::filesystem::path>& folders, const ServerOptions& options,
                          const RunConfig& config) {
    namespace fs = std::filesystem;
    std::vector<fs::path> allowed = folders;
    if (folders.empty()) {
        allowed.emplace_back(".");
        if (!options.record.empty()) allowed.push_back(fs::absolute(options.record).parent_path());
    }
    std::vector<fs::path> files{options.load, config.data_file};
    if (isFileSchedule(config.schedule))
        files.emplace_back(config.schedule.substr(config.schedule.find(':') + 1));
    std::erase(files, fs::path());
    return AllowedFiles(allowed, files);
}

}  // namespace

int serveCommand(const Arguments& arguments) {
    if (isWorkerProcess()) return runWorker(arguments);
    CommandLine line(
        "serve",
        "Trains for viewers on a socket. Prints one line, \"listening on ADDR:PORT\". Viewers must know a "
        "token; without --token-file one is written to a file that only you can read, and standard error "
        "shows what to type for a viewer. The first viewer that connects controls, others watch.",
        "bscope serve --listen 127.0.0.1:7000 --paused\n"
        "  bscope serve --listen 0.0.0.0:7000 --token-file token.txt");
    ServerOptions options;
    TokenOptions token;
    std::string record, load;
    std::vector<std::filesystem::path> folders;
    line.option("--listen", "ADDR:PORT", "where (127.0.0.1:0); port 0 lets the system choose",
                setAddress(options.address, options.port));
    line.text("--token-file", "FILE",
              "viewers must know its first line, at least 16 characters; needed beyond this machine",
              token.file);
    line.flag("--token-from-input", "the token is the first line of standard input", token.from_input);
    line.option(
        "--allow", "FOLDER",
        "viewers may read and write files in it (the folder bscope was started in, and the "
        "recording's); repeatable",
        [&](const std::string& text) -> std::optional<std::string> {
            if (!std::filesystem::is_directory(text)) return "a folder";
            folders.emplace_back(text);
            return std::nullopt;
        },
        true);
    bool show_url = false;
    line.flag("--show-url",
              "print address and token as one URL on standard error, to paste into the window's File > "
              "Connect to an engine, or where bscope watch asks for it",
              show_url);
    line.flag("--paused", "do not train before the controlling viewer starts the run", options.paused);
    line.flag("--exit-when-alone", "end when the last viewer leaves or standard input is closed",
              options.exit_when_alone);
    line.text("--record", "FILE.bscope", "record the stream", record);
    line.text("--load", "FILE", "go on from a saved state (safetensors)", load);
    KeepOptions keep_options(line);
    ConfigOptions config_options(line);
    if (!line.parse(arguments)) return 0;
    const RunConfig config = config_options.resolve();
    options.language = line.language();
    options.record = record;
    options.load = load;
    options.keep = keep_options.resolve(record);
    refuseUnwritable(line, {"--record", record}, Writing::Over);
    refuseSameFile(line, {"--record", record}, {"--load", load});
    options.exit_with_input = options.exit_when_alone;
    options.token = givenToken(token, options.address, line);
    line.check();

    warnOfUnconnectedProcesses("serve", line.language());
    std::unique_ptr<Processes> processes;
    if (underMpirun()) processes = std::make_unique<Processes>();
    options.allowed = allowedFiles(folders, options, config);
    const bool makes_token = options.token.empty();
    if (makes_token) options.token = newToken();
    Server server(options, config, processes.get());
    const EngineAddress where = parseEngineAddress(server.listeningOn()).value();
    std::optional<TokenFile> made;
    if (makes_token) made.emplace(options.token, where.port);
    if (!token.file.empty()) warnOfReaders(token.file, "bscope serve", line.language());
    std::cout << "listening on " << where.text() << std::endl;
    if (show_url) printUrl(options, where);
    if (!token.from_input) printHowToConnect(options, where, made ? made->path().string() : token.file);
    server.run();
    if (processes && processes->lost({})) return 1;
    return server.wroteEverything() ? 0 : 1;
}

}  // namespace bscope::cli
