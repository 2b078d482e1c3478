// RunConfig between the stream's messages and the plain types. The proto names a field as its row
// in the table of the configuration does.
#include <google/protobuf/reflection.h>

#include <stdexcept>
#include <type_traits>

#include "catalog/catalog.h"
#include "config/config_table.h"
#include "wire/convert.h"

namespace bscope {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Reflection;

const FieldDescriptor* fieldOf(const google::protobuf::Message& message, const char* name) {
    const FieldDescriptor* field = message.GetDescriptor()->FindFieldByName(name);
    if (field == nullptr) throw std::logic_error(std::string("bubblescope.proto has no field ") + name);
    return field;
}

// A row's field, and the message that holds it.
struct ReadField {
    ReadField(const wire::RunConfig& config, const ConfigRow& row) : message(&config) {
        if (*row.group != '\0')
            message = &config.GetReflection()->GetMessage(config, fieldOf(config, row.group));
        field = fieldOf(*message, row.name);
    }
    const google::protobuf::Message* message;
    const FieldDescriptor* field;
};

struct WrittenField {
    WrittenField(wire::RunConfig& config, const ConfigRow& row) : message(&config) {
        if (*row.group != '\0')
            message = config.GetReflection()->MutableMessage(&config, fieldOf(config, row.group));
        field = fieldOf(*message, row.name);
        says = message->GetReflection();
    }
    void set(int value) const { says->SetInt32(message, field, value); }
    void set(double value) const { says->SetDouble(message, field, value); }
    void set(bool value) const { says->SetBool(message, field, value); }
    void set(std::uint64_t value) const { says->SetUInt64(message, field, value); }
    void set(const std::string& value) const { says->SetString(message, field, value); }
    void set(const std::vector<int>& values) const {
        for (const int value : values) says->AddInt32(message, field, value);
    }
    void set(const SlowRanks& values) const {
        for (const auto& [rank, factor] : values) {
            auto& slow = dynamic_cast<wire::SlowRank&>(*says->AddMessage(message, field));
            slow.set_rank(rank);
            slow.set_factor(factor);
        }
    }
    google::protobuf::Message* message;
    const FieldDescriptor* field;
    const Reflection* says;
};

bool isPresent(const ReadField& from) {
    const Reflection& says = *from.message->GetReflection();
    return from.field->is_repeated() ? says.FieldSize(*from.message, from.field) > 0
                                     : says.HasField(*from.message, from.field);
}

template <class T>
T valueOf(const ReadField& from) {
    const Reflection& says = *from.message->GetReflection();
    if constexpr (std::is_same_v<T, int>) return says.GetInt32(*from.message, from.field);
    if constexpr (std::is_same_v<T, double>) return says.GetDouble(*from.message, from.field);
    if constexpr (std::is_same_v<T, bool>) return says.GetBool(*from.message, from.field);
    if constexpr (std::is_same_v<T, std::uint64_t>) return says.GetUInt64(*from.message, from.field);
    if constexpr (std::is_same_v<T, std::string>) return says.GetString(*from.message, from.field);
    if constexpr (std::is_same_v<T, std::vector<int>>) {
        const auto values = says.GetRepeatedFieldRef<std::int32_t>(*from.message, from.field);
        return {values.begin(), values.end()};
    }
    if constexpr (std::is_same_v<T, SlowRanks>) {
        SlowRanks slow_ranks;
        const auto values = says.GetRepeatedFieldRef<wire::SlowRank>(*from.message, from.field);
        for (const wire::SlowRank& slow : values) slow_ranks.emplace_back(slow.rank(), slow.factor());
        return slow_ranks;
    }
}

// Puts the field over the row's of `config`; what is no legal word is a problem.
struct Overlay {
    void operator()(const WordPlace& choice) const {
        const auto word = valueOf<std::string>(from);
        if (!setWord(choice, config, word)) problems.push_back(unknownWord(row, word));
    }
    template <class T>
    void operator()(const Place<T>& place) const {
        place.in(config) = valueOf<T>(from);
    }
    const ConfigRow& row;
    const ReadField& from;
    RunConfig& config;
    std::vector<Problem>& problems;
};

}  // namespace

wire::RunConfig toWire(const RunConfig& config) {
    wire::RunConfig out;
    for (const ConfigRow& row : configTable()) {
        const WrittenField field(out, row);
        if (const auto* choice = std::get_if<WordPlace>(&row.place))
            field.set(std::string(choice->words[choice->of(config)]));
        else
            std::visit(
                [&](const auto& place) {
                    if constexpr (!std::is_same_v<std::decay_t<decltype(place)>, WordPlace>)
                        field.set(place.of(config));
                },
                row.place);
    }
    return out;
}

// Another schedule without a v brings its usual one.
std::vector<Problem> overlay(const wire::RunConfig& from, RunConfig& config) {
    std::vector<Problem> problems;
    if (from.has_schedule() && from.schedule() != config.schedule)
        if (const CatalogEntry* entry = findSchedule(from.schedule())) takeUsual(config.params, *entry);
    for (const ConfigRow& row : configTable())
        if (const ReadField field(from, row); isPresent(field))
            std::visit(Overlay{row, field, config, problems}, row.place);
    return problems;
}

RunConfig fromWire(const wire::RunConfig& config) {
    RunConfig out;
    if (const auto problems = overlay(config, out); !problems.empty())
        throw WireError(problems.front().withLegal());
    return out;
}

}  // namespace bscope
