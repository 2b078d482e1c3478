// bscope serve: the engine for viewers on a socket; the window starts it or connects to it. Under mpirun the
// first process serves; the others follow it.
#include <fstream>
#include <iostream>
#include <memory>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/follow.h"
#include "cli/keep_options.h"
#include "cli/options.h"
#include "cli/output_files.h"
#include "mpi/processes.h"
#include "server/server.h"

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

// The first line of the file.
void readToken(const std::string& file, ServerOptions& options, CommandLine& line) {
    std::ifstream in(file);
    std::getline(in, options.token);
    if (options.token.empty())
        line.refuse("--token-file " + file +
                    " is not legal: its first line must be the token; openssl rand -hex 16 makes one");
}

}  // namespace

int serveCommand(const Arguments& arguments) {
    if (followsAnother()) return followFirst(arguments);
    CommandLine line(
        "serve",
        "Trains for viewers on a socket. Prints one line, \"listening on ADDR:PORT\". Who attaches first "
        "controls, others watch.",
        "bscope serve --listen 127.0.0.1:7000 --paused\n"
        "  bscope serve --listen 0.0.0.0:7000 --token-file token.txt");
    ServerOptions options;
    std::string token_file, record, load;
    line.option("--listen", "ADDR:PORT", "where (127.0.0.1:0); port 0 lets the system choose",
                setAddress(options));
    line.text("--token-file", "FILE", "viewers must know its first line; needed beyond this machine",
              token_file);
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
    if (!token_file.empty()) readToken(token_file, options, line);
    if (!isLoopback(options.address) && token_file.empty())
        line.refuse("--listen " + options.address +
                    " can be reached from other machines: give --token-file too");
    line.check();

    noteStrangers("serve");
    std::unique_ptr<Processes> processes;
    if (underMpirun()) processes = std::make_unique<Processes>();
    Server server(options, config, processes.get());
    std::cout << "listening on " << server.listeningOn() << std::endl;
    server.run();
    return processes && processes->lost({}) ? 1 : 0;
}

}  // namespace bscope::cli
