// bscope serve: the engine for viewers on a socket; the window starts it or connects to it. Under mpirun the
// first process serves; the others are its workers.
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iostream>
#include <memory>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/keep_options.h"
#include "cli/options.h"
#include "cli/output_files.h"
#include "cli/worker_command.h"
#include "mpi/processes.h"
#include "schedule/file_schedule.h"
#include "server/server.h"
#include "server/token.h"

namespace bscope::cli {
namespace {

Setter setAddress(ServerOptions& options) {
    return [&options](const std::string& text) -> std::optional<std::string> {
        constexpr const char* kLegal =
            "an address in numbers and a port, such as 127.0.0.1:0, [::1]:7000 or 0.0.0.0:7000";
        const auto colon = text.rfind(':');
        if (colon == std::string::npos || colon == 0) return kLegal;
        const auto port = parseInteger(text.substr(colon + 1));
        if (!port || *port < 0 || *port > 65535) return kLegal;
        std::string address = text.substr(0, colon);
        if (address.front() == '[' && address.back() == ']') address = address.substr(1, address.size() - 2);
        try {
            isLoopback(address);
        } catch (const std::invalid_argument&) {
            return kLegal;
        }
        options.address = address;
        options.port = static_cast<std::uint16_t>(*port);
        return std::nullopt;
    };
}

// Where the viewers' token comes from.
struct TokenOptions {
    std::string file;
    bool from_input = false;
};

// The first line, byte by byte: what follows it belongs to another reader.
std::string firstLineOfInput() {
    std::string line;
    char letter = 0;
    while (line.size() < 4096 && read(STDIN_FILENO, &letter, 1) == 1 && letter != '\n') line += letter;
    return line;
}

// Empty when one has to be made.
std::string givenToken(const TokenOptions& wish, CommandLine& line) {
    std::string token, where;
    if (wish.from_input) {
        token = firstLineOfInput();
        where = "--token-from-input is not legal: the first line of standard input";
    } else if (!wish.file.empty()) {
        std::ifstream in(wish.file);
        std::getline(in, token);
        where = "--token-file " + wish.file + " is not legal: its first line";
    } else {
        return {};
    }
    constexpr const char* kBlank = " \t\r";
    token.erase(token.find_last_not_of(kBlank) + 1);
    token.erase(0, token.find_first_not_of(kBlank));
    if (token.size() < kLeastTokenLetters)
        line.refuse(where + " must be the token, at least " + std::to_string(kLeastTokenLetters) +
                    " characters; openssl rand -hex 16 makes one");
    return token;
}

// One that other users can read protects from no user of this machine.
void warnOfReaders(const std::string& token_file) {
    struct stat status {};
    if (stat(token_file.c_str(), &status) == 0 && (status.st_mode & (S_IRGRP | S_IROTH)) != 0)
        std::cerr << "bscope serve: other users of this machine can read " + token_file +
                         "; chmod 600 keeps the token yours\n";
}

std::string hostName() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "HOST";
}

std::string inShell(const std::string& text) {
    if (text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@,") ==
        std::string::npos)
        return text;
    std::string quoted = "'";
    for (const char letter : text) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return quoted + "'";
}

// The lines to copy, for this machine and for another one.
std::string howToConnect(const ServerOptions& options, const std::string& listening_on,
                         const std::string& token_file) {
    const std::string file = inShell(std::filesystem::absolute(token_file).string()), host = hostName();
    const std::string port = listening_on.substr(listening_on.rfind(':') + 1);
    const bool is_local = isLoopback(options.address);
    const std::string here = is_local ? listening_on : "127.0.0.1:" + port;
    const std::string copied = "scp " + host + ":" + file + " bscope.token && ";
    const std::string connect = "bubblescope --connect ";
    return "on this machine:   " + connect + here + " --token-file " + file +
           "\nfrom another one:  " + copied +
           (is_local ? "ssh -f -N -L " + port + ":" + listening_on + " " + host + " && " + connect +
                           "127.0.0.1:" + port
                     : connect + host + ":" + port) +
           " --token-file bscope.token\n";
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
        "token; without --token-file one is made into a file that you alone can read, and what to type for a "
        "viewer is said on standard error. Who attaches first controls, others watch.",
        "bscope serve --listen 127.0.0.1:7000 --paused\n"
        "  bscope serve --listen 0.0.0.0:7000 --token-file token.txt");
    ServerOptions options;
    TokenOptions token;
    std::string record, load;
    std::vector<std::filesystem::path> folders;
    line.option("--listen", "ADDR:PORT", "where (127.0.0.1:0); port 0 lets the system choose",
                setAddress(options));
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
    line.flag("--paused", "do not train before the controlling viewer says so", options.paused);
    line.flag("--exit-when-alone", "end when the last viewer leaves or standard input is closed",
              options.exit_when_alone);
    line.text("--record", "FILE.bscope", "record the stream", record);
    line.text("--load", "FILE", "go on from a saved state (safetensors)", load);
    KeepOptions keep_options(line);
    ConfigOptions config_options(line);
    if (!line.parse(arguments)) return 0;
    const RunConfig config = config_options.resolve();
    options.record = record;
    options.load = load;
    options.keep = keep_options.resolve(record);
    refuseUnwritable(line, {"--record", record}, Writing::Over);
    refuseSameFile(line, {"--record", record}, {"--load", load});
    options.exit_with_input = options.exit_when_alone;
    if (token.from_input && !token.file.empty())
        line.refuse("--token-from-input and --token-file exclude each other");
    options.token = givenToken(token, line);
    if (!isLoopback(options.address) && token.file.empty() && !token.from_input)
        line.refuse("--listen " + options.address +
                    " can be reached from other machines: give --token-file too");
    line.check();

    warnOfUnconnectedProcesses("serve");
    std::unique_ptr<Processes> processes;
    if (underMpirun()) processes = std::make_unique<Processes>();
    options.allowed = allowedFiles(folders, options, config);
    const bool makes_token = options.token.empty();
    if (makes_token) options.token = newToken();
    Server server(options, config, processes.get());
    const std::string where = server.listeningOn();
    std::optional<TokenFile> made;
    if (makes_token) made.emplace(options.token, *parseInteger(where.substr(where.rfind(':') + 1)));
    if (!token.file.empty()) warnOfReaders(token.file);
    std::cout << "listening on " << where << std::endl;
    if (!token.from_input)
        std::cerr << howToConnect(options, where, made ? made->path().string() : token.file) << std::flush;
    server.run();
    if (processes && processes->lost({})) return 1;
    return server.wroteEverything() ? 0 : 1;
}

}  // namespace bscope::cli
