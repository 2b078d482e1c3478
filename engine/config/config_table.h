// The configuration as one table: a row for every field of RunConfig. What is read and written of a
// configuration (files, stream, command line), what its values may be, what differs between two of them and
// what a change costs is read off these rows; nothing else lists the fields. Constants; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config/run_config.h"

namespace bscope {

// What changing a field costs, least first. Each holds from the next iteration on.
enum class ChangeCost : std::uint8_t {
    Nothing,      // the pipeline at work takes it over
    NewPipeline,  // weights, gradients and optimizer state move to another pipeline; the loss curve goes on
    NewRun,       // what was learned does not fit: training starts anew
};

// Where a field of type T is.
template <class T>
struct Place {
    T& (*in)(RunConfig&);
    const T& (*of)(const RunConfig&);
};

// A field that is one of a few words; `words` by the value of its enum.
struct WordPlace {
    std::size_t (*of)(const RunConfig&);
    void (*set)(RunConfig&, std::size_t);
    std::span<const char* const> words;
};

using SlowRanks = std::vector<std::pair<int, double>>;  // rank, factor
using AnyPlace = std::variant<Place<int>, Place<double>, Place<bool>, Place<std::string>,
                              Place<std::uint64_t>, Place<std::vector<int>>, Place<SlowRanks>, WordPlace>;

// Legal values of a number.
struct ValueRange {
    double least, greatest;            // infinity: any finite number
    const char* sentence_with_zero{};  // 0 is legal as well, and this is what is said of an illegal value
};

struct CommandOption {
    const char* name = "";  // "" = none
    const char* value = "";
    const char* help = "";
};

struct ConfigRow {
    const char* name;   // in JSON and in bubblescope.proto, and Problem::field
    const char* group;  // the JSON object and proto message that holds it; "" = RunConfig itself
    const char* title;  // in a list of changes
    AnyPlace place;
    ValueRange range;  // of numbers
    ChangeCost cost;
    CommandOption option;
};

// In the order in which a file names them. A field's default is the one that RunConfig gives it.
std::span<const ConfigRow> configTable();
const ConfigRow* findConfigRow(std::string_view name);

bool differs(const ConfigRow& row, const RunConfig& a, const RunConfig& b);
// The greatest cost of what differs; Nothing when nothing does.
ChangeCost costOfChange(const RunConfig& before, const RunConfig& after);

// A field as a number, of a choice the place of its word; nullopt and false for texts and lists.
std::optional<double> numberIn(const ConfigRow& row, const RunConfig& config);
bool setNumber(const ConfigRow& row, RunConfig& config, double value);

// "0.001", "4": at most six decimals, none that are zero at the end.
std::string numberText(double value);

// What is illegal about a number by itself.
void checkRange(const ConfigRow& row, const RunConfig& config, std::vector<Problem>& found);

// The legal words of a choice: "none, full, selective".
std::string joinedWords(const WordPlace& choice);
Problem unknownWord(const ConfigRow& row, const std::string& word);
// False when it is none of them.
bool setWord(const WordPlace& choice, RunConfig& config, std::string_view word);

}  // namespace bscope
