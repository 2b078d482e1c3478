#include "terminal/panel.h"

#include <algorithm>
#include <cmath>

#include "terminal/letters.h"
#include "words/number_text.h"

namespace bscope::terminal {
namespace {

constexpr int kLossRows = 3;

class Panel {
public:
    Panel(Grid& grid, const Scene& scene, const Layout& layout, const Colours& colours)
        : grid_(grid),
          scene_(scene),
          view_(*scene.view),
          colours_(colours),
          x_(layout.panel_x + 2),
          y_(layout.ruler_y),
          past_y_(layout.lanes_y + layout.lanes_h),
          edge_(layout.panel_x) {}

    void draw() {
        for (int row = y_; row < past_y_; ++row) grid_.put(edge_, row, U'│', colours_.quiet());
        drawNumbers();
        ++y_;
        drawRanks();
        ++y_;
        drawLosses();
    }

private:
    void line(const std::string& text, const Paint& paint = {}) {
        if (y_ < past_y_) grid_.write(x_, y_++, fitted(text, grid_.columns() - x_), paint);
    }
    void line(const Sentence& what, const Paint& paint = {}) { line(say(what, scene_.language), paint); }

    void drawNumbers() {
        const IterationReport* report = reportOf(scene_);
        const IterationSummary* summary = view_.numbers();
        if (summary == nullptr && report == nullptr) return;
        if (summary == nullptr)
            line(sentence("numbers of iteration {0}",
                          iterationNumber(report->iteration, view_.view().import != nullptr)),
                 colours_.quiet());
        const double of_total = summary != nullptr ? summary->bubble_of_total : report->bubble_of_total;
        const double of_ideal = summary != nullptr ? summary->bubble_of_ideal : report->bubble_of_ideal;
        if (!std::isnan(of_total)) {
            line(sentence("bubble {0} % of total", percentNumber(of_total)), {.bold = true});
            line(sentence("{0} % of ideal = idle / busy", percentNumber(of_ideal)), colours_.quiet());
        }
        if (report != nullptr && !view_.view().import) {
            line(sentence("predicted {0} %", percentNumber(report->predicted_bubble_of_total)),
                 colours_.quiet());
            if (report->theory_bubble_of_total)
                line(sentence("theory {0} %", percentNumber(*report->theory_bubble_of_total)),
                     colours_.quiet());
        }
        const double iteration_ms =
            summary != nullptr ? static_cast<double>(summary->iteration_ns) / 1e6 : report->iteration_ms;
        line(sentence("iteration {0} ms", millisecondsText(iteration_ms)));
        if (report != nullptr && report->tokens_per_s > 0)
            line(fixedText(report->tokens_per_s, 0) + " tokens/s");
        if (report != nullptr && report->loss > 0) line(sentence("loss {0}", fixedText(report->loss, 4)));
    }

    // Rank, bubble, peak of activations and most in flight, in columns.
    void drawRanks() {
        const IterationSummary* summary = view_.numbers();
        if (summary == nullptr) return;
        const auto row = [&](const std::string& rank, const std::string& bubble, const std::string& peak,
                             const std::string& in_flight, const Paint& paint) {
            if (y_ >= past_y_) return;
            const auto right = [&](int past, const std::string& text) {
                grid_.write(std::max(x_, x_ + past - cellsOf(text)), y_, text, paint);
            };
            right(4, rank);
            right(12, bubble);
            right(20, peak);
            right(30, in_flight);
            ++y_;
        };
        const auto words = [&](const char* english) { return say(sentence(english), scene_.language); };
        row(words("rank"), words("bubble"), words("peak MB"), words("in flight"), colours_.quiet());
        for (const RankSummary& rank : summary->ranks) {
            const bool known = rank.peak_activation_bytes > 0;
            row(std::to_string(rank.rank), percentText(rank.bubble_of_total),
                known ? megabytesText(static_cast<double>(rank.peak_activation_bytes)) : "-",
                known ? std::to_string(rank.peak_in_flight) : "-", {});
        }
    }

    // Of the last iterations, from the least to the greatest of them.
    void drawLosses() {
        const auto& bars = scene_.history->bars();
        const auto width = static_cast<std::size_t>(std::max(1, grid_.columns() - x_ - 1));
        const std::size_t first = bars.size() > width ? bars.size() - width : 0;
        double least = 0, greatest = 0;
        for (std::size_t i = first; i < bars.size(); ++i) {
            least = i == first ? bars[i].loss : std::min(least, bars[i].loss);
            greatest = i == first ? bars[i].loss : std::max(greatest, bars[i].loss);
        }
        if (greatest <= 0 || bars.size() < 2 || y_ + 1 + kLossRows > past_y_) return;
        line(sentence("loss, {0} to {1}", fixedText(greatest, 3), fixedText(least, 3)), colours_.quiet());
        const double extent = std::max(greatest - least, 1e-12);
        for (std::size_t i = first; i < bars.size(); ++i) {
            const auto eighths =
                1 + static_cast<int>(std::lround((8.0 * kLossRows - 1) * (bars[i].loss - least) / extent));
            for (int row = 0; row < kLossRows; ++row)
                grid_.put(x_ + static_cast<int>(i - first), y_ + kLossRows - 1 - row,
                          colours_.bar(eighths - 8 * row), colours_.curve());
        }
    }

    Grid& grid_;
    const Scene& scene_;
    const PreparedView& view_;
    const Colours& colours_;
    int x_, y_, past_y_, edge_;
};

}  // namespace

void drawPanel(Grid& grid, const Scene& scene, const Layout& layout, const Colours& colours) {
    Panel(grid, scene, layout, colours).draw();
}

}  // namespace bscope::terminal
