// What commands that listen on a socket have in common: where, and the token that others must know.
#pragma once

#include <cstdint>
#include <string>

#include "cli/input/command_line.h"
#include "cli/input/options.h"

namespace bscope::cli {

// Where the token comes from.
struct TokenOptions {
    std::string file;
    bool from_input = false;
};

Setter setAddress(std::string& address, std::uint16_t& port);  // of "ADDR:PORT"

// Empty when one has to be made. Refuses what is too short, and none where other machines can come in.
std::string givenToken(const TokenOptions& options, const std::string& address, CommandLine& line);

// One that other users can read protects from no user of this machine.
void warnOfReaders(const std::string& token_file, const std::string& command, Language language);

std::string hostName();
std::string inShell(const std::string& text);  // quoted where a shell needs it

}  // namespace bscope::cli
