#include "terminal/sweep_form.h"

#include <algorithm>

#include "terminal/letters.h"
#include "view/text/sweep_table.h"

namespace bscope::terminal {
namespace {

using Cells = std::array<std::string, kSweepColumns>;
using Widths = std::array<int, kSweepColumns>;

Widths widthsOf(const SweepTable& table) {
    Widths widths{};
    const auto grow = [&widths](const Cells& cells) {
        for (std::size_t i = 0; i < kSweepColumns; ++i) widths[i] = std::max(widths[i], cellsOf(cells[i]));
    };
    grow(table.head);
    for (const SweepRow& row : table.rows) grow(row.cells);
    return widths;
}

std::string lineOf(const Cells& cells, const Widths& widths) {
    std::string line;
    for (std::size_t i = 0; i < kSweepColumns; ++i) {
        const std::string space(static_cast<std::size_t>(widths[i] - cellsOf(cells[i])), ' ');
        line += "  " + (kSweepSides[i] == 'r' ? space + cells[i] : cells[i] + space);
    }
    return line.substr(0, line.find_last_not_of(' ') + 1);
}

// "m = 1; m = 2; m = 4": what is tried.
std::string valuesText(SweepAxis axis, const RunConfig& config) {
    std::string text;
    for (const int value : usualValues(axis, config)) {
        const SweptConfig made = swept(config, axis, value);
        if (!made.problem) text += (text.empty() ? "" : "; ") + settingText(axis, made.config);
    }
    return text;
}

}  // namespace

SweepForm::Outcome SweepForm::handle(Key key) {
    const int rows = state_ ? static_cast<int>(sweepTable(*state_, Language::English).rows.size()) : 0;
    switch (key) {
        case Key::Escape:
            return Outcome::Left;
        case Key::Left:
        case Key::Right:
            if (isRunning()) return Outcome::Open;
            axis_ = static_cast<SweepAxis>(
                (static_cast<int>(axis_) + (key == Key::Left ? kSweepAxes - 1 : 1)) % kSweepAxes);
            state_.reset();
            row_ = 0;
            return Outcome::Open;
        case Key::Up:
        case Key::Down:
            row_ = std::clamp(row_ + (key == Key::Up ? -1 : 1), 0, std::max(0, rows - 1));
            return Outcome::Open;
        case Key::Enter:
            return isRunning() ? Outcome::Ended : Outcome::Begun;
        case Key::Space:
            return chosenValue() > 0 ? Outcome::Taken : Outcome::Open;
        default:
            return commandOf(key) == Command::Sweep ? Outcome::Left : Outcome::Open;
    }
}

void SweepForm::breakOff() {
    if (state_) state_->cancelled = true;
}

Sentence SweepForm::progress() const {
    if (!isRunning()) return {};
    int done = 0, all = 0;
    for (const SweepPoint& point : state_->points) {
        done += point.iterations_done;
        all += point.iterations;
    }
    return sentence("sweep: {0} of {1} iterations", done, all);
}

int SweepForm::chosenValue() const {
    if (!state_) return 0;
    const std::vector<SweepRow> rows = sweepTable(*state_, Language::English).rows;
    return row_ < static_cast<int>(rows.size()) ? rows[static_cast<std::size_t>(row_)].value : 0;
}

std::optional<RunConfig> SweepForm::chosen(const RunConfig& config) const {
    const int value = chosenValue();
    if (value < 1) return std::nullopt;
    SweptConfig made = swept(config, state_->axis, value);
    if (made.problem || !problems(made.config).empty()) return std::nullopt;
    return made.config;
}

Page SweepForm::page(const RunConfig& config, Language language) const {
    const auto words = [language](const Sentence& what) { return say(what, language); };
    Page page;
    page.title =
        words(sentence("Sweep: {0} iterations of each value; the run waits meanwhile", kSweepIterations));
    page.lines.push_back("  " + valuesText(axis_, config));
    page.lines.emplace_back();
    if (state_) {
        const SweepTable table = sweepTable(*state_, language);
        const Widths widths = widthsOf(table);
        page.lines.push_back(lineOf(table.head, widths));
        if (!table.rows.empty()) page.chosen = static_cast<int>(page.lines.size()) + row_;
        for (const SweepRow& row : table.rows) page.lines.push_back(lineOf(row.cells, widths));
        page.lines.emplace_back();
        for (const std::string& note : table.notes) page.lines.push_back(note);
        if (!table.notes.empty()) page.lines.emplace_back();
    }
    page.lines.push_back(words(
        isRunning() ? sentence("Enter: end the sweep, what was measured stays; Esc: back, it goes on")
        : state_
            ? sentence("Up, Down: row; Space: its value, from the next iteration on; Enter: run it again; "
                       "Left, Right: vary m, v, p or checkpointing; Esc: back")
            : sentence("Left, Right: vary m, v, p or checkpointing; Enter: run it; Esc: back")));
    return page;
}

}  // namespace bscope::terminal
