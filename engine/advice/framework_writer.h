// What the writers of the frameworks' flags share: which schedule of a framework an order is, the layers of
// its stages, and lines. Used by framework_flags only. Pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "advice/framework_flags.h"

namespace bscope::frameworks {

// A schedule of the catalog that a framework has, with the parameters that make the order.
struct Native {
    std::string schedule;
    ScheduleParams params;
};

// The first of these names under which the catalog makes exactly this order; the setting's own name first.
std::optional<Native> nativeAmong(std::span<const char* const> names, const FlaggedSetting& setting);

// Why no framework has it, whatever its schedules are; empty: that is not decided.
Sentence neverHas(Framework framework, const FlaggedSetting& setting);
Sentence titleOfOrder(const FlaggedSetting& setting);  // "ZB-V"; "an order of no catalog"

// Blocks of each stage in forward order; nothing when the model is not known.
std::vector<int> layersOf(const FlaggedSetting& setting);
bool areEven(const std::vector<int>& layers);  // all as many
// Whether what ran recomputes a whole stage from one input, which a framework may only do layer by layer.
bool recomputesByStage(const FlaggedSetting& setting);
Sentence recomputedByLayer();  // said of such a framework

class Writer {
public:
    explicit Writer(Framework framework, const FlaggedSetting& setting);
    Writer& code(std::string text) {
        flags_.lines.push_back({std::move(text)});
        return *this;
    }
    Writer& option(const std::string& name, long value) { return code(name + " " + std::to_string(value)); }
    Writer& key(const std::string& name, const std::string& value) { return code(name + " = " + value); }
    Writer& key(const std::string& name, long value) { return key(name, std::to_string(value)); }
    Writer& note(Sentence words) {
        flags_.lines.push_back({{}, std::move(words)});
        return *this;
    }
    Writer& ofExtension(const std::string& name);
    FrameworkFlags done() { return std::move(flags_); }

private:
    FrameworkFlags flags_;
};

FrameworkFlags missing(Framework framework, Sentence why);
std::string quoted(const std::string& text);

FrameworkFlags megatronFlags(const FlaggedSetting& setting);
FrameworkFlags pytorchFlags(const FlaggedSetting& setting);
FrameworkFlags deepspeedFlags(const FlaggedSetting& setting);

}  // namespace bscope::frameworks
