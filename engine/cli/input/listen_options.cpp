#include "cli/input/listen_options.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iostream>

#include "server/server.h"
#include "server/token.h"
#include "wire/engine_address.h"

namespace bscope::cli {
namespace {

// The first line, byte by byte: what follows it belongs to another reader.
std::string firstLineOfInput() {
    std::string line;
    char letter = 0;
    while (line.size() < 4096 && read(STDIN_FILENO, &letter, 1) == 1 && letter != '\n') line += letter;
    return line;
}

}  // namespace

Setter setAddress(std::string& its_address, std::uint16_t& its_port) {
    return [&its_address, &its_port](const std::string& text) -> std::optional<std::string> {
        constexpr const char* kLegal =
            "an address in numbers and a port, such as 127.0.0.1:0, [::1]:7000 or 0.0.0.0:7000";
        const auto address = parseEngineAddress(text, 0);
        if (!address || !address->token.empty()) return kLegal;
        try {
            isLoopback(address->host);
        } catch (const std::invalid_argument&) {
            return kLegal;
        }
        its_address = address->host;
        its_port = address->port;
        return std::nullopt;
    };
}

std::string givenToken(const TokenOptions& options, const std::string& address, CommandLine& line) {
    if (options.from_input && !options.file.empty())
        line.refuse(sentence("--token-from-input and --token-file exclude each other"));
    if (!isLoopback(address) && options.file.empty() && !options.from_input)
        line.refuse(
            sentence("--listen {0} can be reached from other machines: give --token-file too", address));
    std::string token, where;
    if (options.from_input) {
        token = firstLineOfInput();
        where = "--token-from-input is not legal: the first line of standard input";
    } else if (!options.file.empty()) {
        std::ifstream in(options.file);
        std::getline(in, token);
        where = "--token-file " + options.file + " is not legal: its first line";
    } else {
        return {};
    }
    constexpr const char* kBlank = " \t\r";
    token.erase(token.find_last_not_of(kBlank) + 1);
    token.erase(0, token.find_first_not_of(kBlank));
    if (token.size() < kLeastTokenLetters)
        line.refuse(sentence("{0} must be the token, at least {1} characters; openssl rand -hex 16 makes one",
                             where, kLeastTokenLetters));
    return token;
}

void warnOfReaders(const std::string& token_file, const std::string& command, Language language) {
    struct stat status {};
    if (stat(token_file.c_str(), &status) == 0 && (status.st_mode & (S_IRGRP | S_IROTH)) != 0)
        std::cerr << command << ": "
                  << say(sentence("other users of this machine can read {0}; chmod 600 keeps the token yours",
                                  token_file),
                         language)
                  << '\n';
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

}  // namespace bscope::cli
