// SetupForm: schedule, p, m, v and checkpointing of the next iteration, changed by keys. What is illegal is
// said at once with the nearest legal values, which Enter takes; Enter on what is legal asks for it. A value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/cost_estimate.h"
#include "config/run_config.h"
#include "terminal/keys.h"
#include "terminal/picture.h"
#include "words/catalog.h"

namespace bscope::terminal {

class SetupForm {
public:
    SetupForm() = default;
    explicit SetupForm(const RunConfig& config) : config_(config) {}

    enum class Outcome { Open, Left, Asked };
    // Asked: config() is legal and wanted.
    Outcome handle(Key key);
    const RunConfig& config() const { return config_; }

    // With what is predicted for it by these costs, which may be null; below, the schedule in words.
    Page page(const KnownCosts* costs, Language language) const;

private:
    void step(int direction);
    void typeDigit(int digit);
    void takeLegal();
    int* number();

    RunConfig config_;
    int field_ = 0;
    bool fresh_ = true;  // the next digit begins a number
};

// The schedule in words, as `bscope schedule --explain` has them.
std::vector<std::string> explanationLines(const RunConfig& config, Language language);

}  // namespace bscope::terminal
