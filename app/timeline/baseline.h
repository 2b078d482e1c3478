// Baseline: a complete iteration that is pinned, so that later ones are compared with it, and whether the
// canvas shows it in place of the current one. Words are translated. Window thread only.
#pragma once

#include <QCoreApplication>
#include <optional>

#include "widgets/data/view_data.h"

namespace bscope::ui {

class Baseline {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::Baseline)
public:
    const std::optional<IterationView>& pinned() const { return pinned_; }
    // The pinned iteration while it is on the canvas, else nothing.
    std::optional<IterationView> onCanvas() const { return shown_ ? pinned_ : std::nullopt; }

    // Unpins, or pins the last complete iteration, `now`; returns what was done, in words.
    QString toggle(const std::optional<IterationView>& now);
    void swap() { shown_ = pinned_ && !shown_; }
    // "baseline #36: bubble 31.0 % → 27.4 %, −3.6 pt; tokens/s +4.1 %"; empty without two reports.
    QString comparedWith(const std::optional<IterationView>& now) const;

private:
    std::optional<IterationView> pinned_;
    bool shown_ = false;
};

}  // namespace bscope::ui
