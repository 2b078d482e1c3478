// See command_line.h. CLI11 takes the line apart and prints help; values are read here, so that one bad value
// does not hide the next.
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <iostream>

#include "cli/usage_error.h"
#include "schedule/nearest_word.h"

namespace bscope::cli {

CommandLine::CommandLine(const std::string& name, const std::string& description, const std::string& example)
    : app_(std::make_unique<CLI::App>(description, "bscope " + name)) {
    app_->footer("Example:\n  " + example);
    app_->set_help_flag("-h,--help", "print this and exit");
    app_->allow_extras();
    app_->get_formatter()->column_width(36);
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

bool CommandLine::parse(const Arguments& arguments) {
    try {
        app_->parse(Arguments(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
        std::cout << app_->help() << '\n';
        return false;
    } catch (const CLI::ParseError& error) {
        problems_.emplace_back(error.what());
    }
    refuseUnknown(app_->remaining());
    for (const Value& value : values_) {
        for (const std::string& text : value.option->results()) {
            const std::string& name = value.option->get_name();
            const auto legal = value.set(text);
            if (!legal) continue;
            problems_.push_back(text.empty() ? name + " lacks its value: it must be " + *legal
                                             : name + " " + text + " is not legal: it must be " + *legal);
        }
    }
    return true;
}

void CommandLine::refuseUnknown(const std::vector<std::string>& rest) {
    bool after_unknown_option = false;
    for (const std::string& word : rest) {
        const bool is_option = word.size() > 1 && word.front() == '-';
        if (is_option) {
            const std::string name = word.substr(0, word.find('='));
            std::vector<std::string> known;
            for (const auto* option : app_->get_options()) {
                for (const auto& short_name : option->get_snames()) known.push_back("-" + short_name);
                for (const auto& long_name : option->get_lnames()) known.push_back("--" + long_name);
            }
            const auto near = nearestWord(name, known);
            problems_.push_back("there is no option " + name + "; " +
                                (near ? "did you mean " + *near + "?" : "legal: " + joined(known, " ")));
        } else if (!after_unknown_option) {
            problems_.push_back("unexpected argument " + word +
                                "; every value follows the name of its option");
        }
        after_unknown_option = is_option;
    }
}

void CommandLine::refuse(const std::vector<Problem>& problems) {
    for (const auto& problem : problems) problems_.push_back(problem.text());
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
