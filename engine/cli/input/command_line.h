// CommandLine: the options of one subcommand. Unlike a parser that stops at the first mistake it collects all
// of them (unknown options, missing and unreadable values, what the caller adds with refuse()); check()
// throws them together. When an option is given twice, the later one counts, unless it may be repeated.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/input/command.h"
#include "schedule/problem.h"
#include "words/catalog.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace bscope::cli {

// Takes a value; gives what would be legal ("a whole number") when it is not.
using Setter = std::function<std::optional<std::string>(const std::string& text)>;

class CommandLine {
public:
    // `example` is one or more whole command lines.
    CommandLine(const std::string& name, const std::string& description, const std::string& example);
    ~CommandLine();

    // Names as "-p,--ranks"; value_name stands for the value in --help.
    void flag(const std::string& names, const std::string& help, bool& target);
    void option(const std::string& names, const std::string& value_name, const std::string& help, Setter set,
                bool repeatable = false);
    void integer(const std::string& names, const std::string& help, int& target);
    void number(const std::string& names, const std::string& help, double& target);
    void text(const std::string& names, const std::string& value_name, const std::string& help,
              std::string& target);
    // A value without an option's name; empty when it was not given.
    void argument(const std::string& name, const std::string& help, std::string& target);
    // All values without an option's name.
    void arguments(const std::string& name, const std::string& help, std::vector<std::string>& target);

    // False when help was asked for and printed: the command is done.
    bool parse(const Arguments& arguments);
    void refuse(const std::string& sentence) { problems_.push_back(sentence); }
    void refuse(const Sentence& sentence) { problems_.push_back(say(sentence, language_)); }
    void refuse(const std::vector<Problem>& problems);
    // Throws UsageError when anything was refused.
    void check() const;
    Language language() const { return language_; }  // after parse()

private:
    struct Value {
        CLI::Option* option;
        Setter set;
    };
    void putIntoWords();
    void refuseUnknown(const std::vector<std::string>& rest);

    std::unique_ptr<CLI::App> app_;
    std::vector<Value> values_;
    std::vector<std::string> problems_;
    std::string example_;
    Language language_ = Language::English;
};

// Setters for common values.
Setter setInteger(std::function<void(int)> set);
Setter setNumber(std::function<void(double)> set);
Setter setText(std::function<void(const std::string&)> set);
// A comma-separated list of whole numbers.
Setter setIntegers(std::function<void(std::vector<int>)> set);

std::optional<int> parseInteger(const std::string& text);
std::optional<double> parseNumber(const std::string& text);  // finite
std::vector<std::string> splitAt(const std::string& text, char separator);

}  // namespace bscope::cli
