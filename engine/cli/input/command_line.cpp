// See command_line.h. CLI11 takes the line apart and prints help; values are read here, so that one bad value
// does not hide the next.
#include "cli/input/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>

#include "cli/input/language.h"
#include "cli/input/usage_error.h"
#include "schedule/nearest_word.h"

namespace bscope::cli {
namespace {

// Every line of it on a line of its own, two columns in.
std::string indented(const std::string& lines) {
    std::string text = "\n  ";
    for (const char c : lines) text += c == '\n' ? std::string("\n  ") : std::string(1, c);
    return text;
}

}  // namespace

CommandLine::CommandLine(const std::string& name, const std::string& description, const std::string& example)
    : app_(std::make_unique<CLI::App>(description, "bscope " + name)), example_(example) {
    app_->set_help_flag("-h,--help", "print this and exit");
    app_->allow_extras();
    app_->get_formatter()->column_width(36);
    option("--lang", "en|zh", "language of help and texts (that of the locale)",
           [](const std::string& text) -> std::optional<std::string> {
               if (text == "en" || text == "zh") return std::nullopt;
               return "en or zh";
           });
}

CommandLine::~CommandLine() = default;

void CommandLine::flag(const std::string& names, const std::string& help, bool& target) {
    app_->add_flag(names, target, help);
}

void CommandLine::option(const std::string& names, const std::string& value_name, const std::string& help,
                         Setter set, bool repeatable) {
    // Zero values are accepted here and refused in parse(), beside everything else that is wrong.
    CLI::Option* option = app_->add_option(names, help)->expected(0, 1)->type_name(value_name);
    option->multi_option_policy(repeatable ? CLI::MultiOptionPolicy::TakeAll
                                           : CLI::MultiOptionPolicy::TakeLast);
    values_.push_back({option, std::move(set)});
}

void CommandLine::integer(const std::string& names, const std::string& help, int& target) {
    option(names, "N", help, setInteger([&target](int value) { target = value; }));
}

void CommandLine::number(const std::string& names, const std::string& help, double& target) {
    option(names, "X", help, setNumber([&target](double value) { target = value; }));
}

void CommandLine::text(const std::string& names, const std::string& value_name, const std::string& help,
                       std::string& target) {
    option(names, value_name, help, setText([&target](const std::string& value) { target = value; }));
}

void CommandLine::argument(const std::string& name, const std::string& help, std::string& target) {
    values_.push_back({app_->add_option(name, help)->type_name(""),
                       setText([&target](const std::string& value) { target = value; })});
}

void CommandLine::arguments(const std::string& name, const std::string& help,
                            std::vector<std::string>& target) {
    values_.push_back({app_->add_option(name, help)
                           ->type_name("")
                           ->expected(1, CLI::detail::expected_max_vector_size)
                           ->allow_extra_args(),
                       setText([&target](const std::string& value) { target.push_back(value); })});
}

// What help consists of, from the catalog.
void CommandLine::putIntoWords() {
    const auto words = [this](const std::string& english) { return say(Sentence{english, {}}, language_); };
    app_->description(words(app_->get_description()));
    app_->footer(words("Example:") + indented(example_));
    for (CLI::Option* option : app_->get_options()) {
        option->description(words(option->get_description()));
        if (!option->get_positional()) option->group(words("Options"));
    }
    for (const char* label : {"Usage", "OPTIONS", "Positionals"})
        app_->get_formatter()->label(label, words(label));
}

bool CommandLine::parse(const Arguments& arguments) {
    language_ = languageOf(arguments);
    putIntoWords();
    try {
        app_->parse(Arguments(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
        std::cout << app_->help() << '\n';
        return false;
    } catch (const CLI::ParseError& error) {
        problems_.emplace_back(error.what());
    }
    std::vector<std::string> rest = app_->remaining();
    if (const auto end = std::ranges::find(rest, "--"); end != rest.end()) rest.erase(end);  // of the options
    refuseUnknown(rest);
    for (const Value& value : values_) {
        for (const std::string& text : value.option->results()) {
            const std::string& name = value.option->get_name();
            const auto legal = value.set(text);
            if (!legal) continue;
            const Sentence what{*legal, {}};
            refuse(text.empty() ? sentence("{0} lacks its value: it must be {1}", name, what)
                                : sentence("{0} {1} is not legal: it must be {2}", name, text, what));
        }
    }
    return true;
}

void CommandLine::refuseUnknown(const std::vector<std::string>& rest) {
    if (rest.empty()) return;
    std::vector<std::string> known, unlike;  // names of options; what resembles none of them
    for (const auto* option : app_->get_options()) {
        for (const auto& short_name : option->get_snames()) known.push_back("-" + short_name);
        for (const auto& long_name : option->get_lnames()) known.push_back("--" + long_name);
    }
    bool after_unknown_option = false;
    for (const std::string& word : rest) {
        const bool is_option = word.size() > 1 && word.front() == '-';
        if (is_option) {
            const std::string name = word.substr(0, word.find('='));
            if (const auto near = nearestWord(name, known))
                refuse(sentence("there is no option {0}; did you mean {1}?", name, *near));
            else
                unlike.push_back(name);
        } else if (!after_unknown_option) {
            refuse(sentence("unexpected argument {0}; every value follows the name of its option", word));
        }
        after_unknown_option = is_option;
    }
    if (unlike.size() == 1)
        refuse(sentence("there is no option {0}; legal: {1}", unlike.front(), joined(known, " ")));
    else if (!unlike.empty())
        refuse(sentence("there are no options {0}; legal: {1}", joined(unlike, ", "), joined(known, " ")));
}

void CommandLine::refuse(const std::vector<Problem>& problems) {
    for (const auto& problem : problems) refuse(problem.withLegal());
}

void CommandLine::check() const {
    if (!problems_.empty()) throw UsageError(problems_);
}

std::optional<int> parseInteger(const std::string& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<double> parseNumber(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
    return whole ? std::optional(value) : std::nullopt;
}

std::vector<std::string> splitAt(const std::string& text, char separator) {
    std::vector<std::string> pieces(1);
    for (const char letter : text) {
        if (letter == separator)
            pieces.emplace_back();
        else
            pieces.back().push_back(letter);
    }
    return pieces;
}

Setter setInteger(std::function<void(int)> set) {
    return [set = std::move(set)](const std::string& text) -> std::optional<std::string> {
        const auto value = parseInteger(text);
        if (!value) return "a whole number, such as 8";
        set(*value);
        return std::nullopt;
    };
}

Setter setNumber(std::function<void(double)> set) {
    return [set = std::move(set)](const std::string& text) -> std::optional<std::string> {
        const auto value = parseNumber(text);
        if (!value) return "a number, such as 1.5";
        set(*value);
        return std::nullopt;
    };
}

Setter setText(std::function<void(const std::string&)> set) {
    return [set = std::move(set)](const std::string& text) -> std::optional<std::string> {
        if (text.empty()) return "a text that is not empty";
        set(text);
        return std::nullopt;
    };
}

Setter setIntegers(std::function<void(std::vector<int>)> set) {
    return [set = std::move(set)](const std::string& text) -> std::optional<std::string> {
        std::vector<int> values;
        for (const auto& piece : splitAt(text, ',')) {
            const auto value = parseInteger(piece);
            if (!value) return "whole numbers with commas between them, such as 3,2,2,1";
            values.push_back(*value);
        }
        set(std::move(values));
        return std::nullopt;
    };
}

}  // namespace bscope::cli
