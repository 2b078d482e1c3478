// The words after `bscope`, one a line, up to where a command would begin to work: two words that no command
// knows come last, so that every command takes its line apart, reads all values, and then refuses the line.
// Refusals are UsageError, ConfigError and std::runtime_error with sentences.
#include <algorithm>
#include <iostream>
#include <sstream>

#include "cli/input/command.h"
#include "cli/input/usage_error.h"
#include "plan/failure.h"
#include "schedule/formats/text_cells.h"
#include "support/byte_mutator.h"
#include "support/text_mutator.h"

namespace bscope::fuzz {

namespace {

// Output of --help and of warnings goes nowhere.
class Quiet {
public:
    Quiet() : out_(std::cout.rdbuf(&nowhere_)), err_(std::cerr.rdbuf(&nowhere_)) {}
    ~Quiet() {
        std::cout.rdbuf(out_);
        std::cerr.rdbuf(err_);
    }

private:
    struct Nowhere : std::streambuf {
        int overflow(int c) override { return c; }
        std::streamsize xsputn(const char*, std::streamsize size) override { return size; }
    } nowhere_;
    std::streambuf *out_, *err_;
};

// Files of this machine are no input.
void forgetFolders(std::string& word) {
    std::replace(word.begin(), word.end(), '/', '_');
}

bool asksForHelp(const cli::Arguments& words) {
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return word.starts_with("-h") || word.starts_with("--help");
    });
}

void run(std::string_view input) {
    cli::Arguments words;
    for (const std::string_view word : splitText(input, '\n')) {
        forgetFolders(words.emplace_back(word));
        if (words.back().find('\0') != std::string::npos) return;  // no system hands such words over
    }
    const auto commands = cli::commands();
    const auto command = std::find_if(commands.begin(), commands.end(),
                                      [&](const cli::Command& each) { return words.front() == each.name; });
    const Quiet quiet;
    if (command == commands.end()) {
        require(words.front() == "help" || words.front().starts_with("-") || cli::runProgram(words) == 2,
                "a command that does not exist is not refused");
        return;
    }
    words.erase(words.begin());
    words.insert(words.end(), {"--an-option-that-no-command-knows", "--and-another-that-none-of-them-knows"});
    try {
        command->run(words);
    } catch (const cli::UsageError& error) {
        require(!error.sentences.empty(), "a refusal without a sentence");
        for (const std::string& sentence : error.sentences) require(!sentence.empty(), "an empty sentence");
        return;
    } catch (const ConfigError&) {
        return;
    } catch (const std::runtime_error&) {
        return;
    }
    require(asksForHelp(words), "an option that does not exist is not refused");
}

}  // namespace

const Target& target() {
    static const Target command_line{"command_line", run, mutateWords};
    return command_line;
}

}  // namespace bscope::fuzz
