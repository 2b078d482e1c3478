// Baseline: a complete iteration that is pinned, so that others are compared with it; whether the canvas
// shows it in place of the current one, below it or beside it, which of the two comes first, and how they are
// aligned. Words are translated. Window thread only.
#pragma once

#include <QCoreApplication>
#include <memory>
#include <optional>
#include <vector>

#include "view/view_data.h"

namespace bscope::ui {

class Baseline {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::Baseline)
public:
    const std::optional<IterationView>& pinned() const { return pinned_; }
    // The pinned iteration while it is on the canvas in place of another one, else nothing.
    std::optional<IterationView> onCanvas() const {
        return swapped_ && look_.place == BaselinePlace::Hidden ? pinned_ : std::nullopt;
    }
    const BaselineLook& look() const { return look_; }
    void setLook(const BaselineLook& look) { look_ = look; }

    // bars: of the run that it is of, for how far its iterations scatter.
    void pin(const IterationView& whole, const std::vector<IterationBar>& bars = {});
    // Why its ranks stood still, which of a large iteration is known later than the rest.
    void setAnalysis(std::shared_ptr<const GapAnalysis> analysis) { pinned_->analysis = std::move(analysis); }
    void unpin();
    void swap() { swapped_ = pinned_ && !swapped_; }
    // What the canvas shows of an iteration or plan: itself, with whose operations its own are compared, and
    // the baseline as the second one where that is wanted, or as the first when they are swapped. microbatch:
    // from 0, of Alignment::Microbatch.
    std::vector<IterationView> with(IterationView now, int microbatch) const;
    // "baseline #36: bubble −3.6 pt, tokens/s +4.1 %; bubble 31.0 % → 27.4 %"; empty without two reports. Of
    // itself it says that alone. What is no more than noise of the two series, by their bars, is said to be
    // no difference. goes_on: on the canvas is an iteration after this one, which still runs.
    QString comparedWith(const std::optional<IterationView>& now, const std::vector<IterationBar>& bars = {},
                         bool goes_on = false) const;

private:
    Beside beside(const IterationView& now, int microbatch) const;

    std::optional<IterationView> pinned_;
    std::vector<IterationBar> like_pinned_;  // under its configuration
    std::shared_ptr<const ComparedWith> operations_;  // of it
    BaselineLook look_;
    bool swapped_ = false;
};

}  // namespace bscope::ui
