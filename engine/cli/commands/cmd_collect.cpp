// bscope collect: probes of a training elsewhere send what they record; it is written into files that import
// and the window read while they grow.
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/listen_options.h"
#include "cli/input/output_files.h"
#include "files/shallow_json.h"
#include "server/collector.h"
#include "server/server.h"
#include "server/token.h"
#include "wire/engine_address.h"
#include "words/sentence_error.h"
#include "words/shown.h"

namespace bscope::cli {
namespace {

std::optional<int> smallNumber(const nlohmann::json& parsed, const char* key) {
    constexpr std::int64_t kMost = 1 << 30;
    const auto found = parsed.find(key);
    if (found == parsed.end() || !found->is_number_integer()) return std::nullopt;
    const auto value = found->get<std::int64_t>();
    return value < 0 || value > kMost ? std::nullopt : std::optional(static_cast<int>(value));
}

std::optional<ProbeHello> readHello(const std::string& line) {
    if (isTooDeepJson(line)) return std::nullopt;
    const auto parsed = parsedJson<nlohmann::json>(line);
    if (!parsed.is_object() || smallNumber(parsed, "bubblescope_live") != 1) return std::nullopt;
    const auto rank = smallNumber(parsed, "rank"), world_size = smallNumber(parsed, "world_size");
    const auto token = parsed.find("token");
    if (!rank || !world_size || token == parsed.end() || !token->is_string()) return std::nullopt;
    const auto probe = parsed.find("probe");
    return ProbeHello{
        token->get<std::string>(), *rank, *world_size,
        probe != parsed.end() && probe->is_string() ? probe->get<std::string>() : std::string()};
}

bool isProbeLine(const std::string& line) {
    return line.starts_with('{') && !isTooDeepJson(line) && nlohmann::json::accept(line);
}

void refuseUsedFolder(CommandLine& line, const std::filesystem::path& folder) {
    std::error_code ignored;  // what cannot be read has been refused
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
        if (entry.path().filename().string().starts_with("probe_rank_"))
            return line.refuse(
                sentence("{0} holds files of a probe already: name another folder", folder.string()));
}

std::string howToSend(const EngineAddress& where, const std::string& token_file, bool is_local) {
    const std::string port = std::to_string(where.port), file = inShell(token_file);
    const std::string from = is_local ? "127.0.0.1:" + port : hostName() + ":" + port;
    return "in the training:   bubblescope_probe.record(\"runs/x\", live=\"" + from + "\", token_file=\"" +
           token_file + "\")\nfrom another one:  scp " + hostName() + ":" + file + " bscope.token" +
           (is_local ? " && ssh -f -N -L " + port + ":" + where.text() + " " + hostName() : std::string()) +
           '\n';
}

}  // namespace

int collectCommand(const Arguments& arguments) {
    CommandLine line(
        "collect",
        "Waits for the probes of another program's training and writes what they send, one file per rank. "
        "When every rank has left, the next training goes into a folder beside it, FOLDER-2 and so on. "
        "bscope import reads the folder, and the window draws it while it grows. Prints one line, "
        "\"listening on ADDR:PORT\". Probes must know a token; without --token-file one is written to a file "
        "that only you can read, and standard error shows what to write in the training.",
        "bscope collect --listen 127.0.0.1:7071 -o runs/x & bubblescope runs/x");
    CollectorOptions options;
    TokenOptions token;
    std::string folder;
    line.option("--listen", "ADDR:PORT", "where (127.0.0.1:0); port 0 lets the system choose",
                setAddress(options.address, options.port));
    line.text("-o", "FOLDER", "where the files are written; made when it is missing", folder);
    line.text("--token-file", "FILE",
              "probes must know its first line, at least 16 characters; needed beyond this machine",
              token.file);
    line.flag("--once", "end when every rank of the first training has connected and left", options.once);
    if (!line.parse(arguments)) return 0;
    if (folder.empty()) line.refuse(sentence("into which folder? Give -o FOLDER"));
    refuseUnwritable(line, {"-o", folder}, Writing::NewFolder);
    if (!folder.empty()) refuseUsedFolder(line, folder);
    options.token = givenToken(token, options.address, line);
    line.check();

    options.folder = folder;
    std::filesystem::create_directories(options.folder);
    const bool makes_token = options.token.empty();
    if (makes_token) options.token = newToken();
    options.readHello = readHello;
    options.isLine = isProbeLine;
    options.say = [](const std::string& what) {
        std::cerr << "bscope collect: " + shown(what) + "\n" << std::flush;
    };
    Collector collector(options);
    const EngineAddress where = parseEngineAddress(collector.listeningOn()).value();
    std::optional<TokenFile> made;
    if (makes_token) made.emplace(options.token, where.port, "collect");
    if (!token.file.empty()) warnOfReaders(token.file, "bscope collect", line.language());
    std::cout << "listening on " << where.text() << std::endl;
    const auto file = std::filesystem::absolute(made ? made->path() : std::filesystem::path(token.file));
    std::cerr << howToSend(where, file.string(), isLoopback(options.address)) << std::flush;
    collector.run();
    if (collector.ranksWritten() == 0) throw SentenceError<>(sentence("no rank came, nothing was written"));
    std::cerr << "bscope collect: " << collector.ranksWritten() << " of " << collector.ranksAnnounced()
              << " ranks in " << shown(collector.folder().string()) << "; bscope import "
              << shown(inShell(collector.folder().string())) << " reads them\n";
    return collector.wroteEverything() ? 0 : 1;
}

}  // namespace bscope::cli
