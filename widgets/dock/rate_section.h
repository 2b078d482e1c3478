// RateSection: iteration time and throughput of the shown iteration, with what was predicted or what a
// waiting change would make of them; of a run on GPUs also who took the times, the gaps between launches and
// what tracing costs.
#pragma once

#include "view/view_data.h"
#include "widgets/controls/section.h"
#include "widgets/data/view_state.h"

namespace bscope::ui {

class RateSection : public Section {
    Q_OBJECT
public:
    explicit RateSection(ViewState& state, QWidget* parent = nullptr);
    void setView(const IterationView& view);
    void setPending(const std::optional<PendingChange>& pending);
    QString iteration() const { return ms_->text(); }
    QString unit() const { return ms_unit_->text(); }
    QString iterationNote() const { return ms_note_->text(); }
    QString throughput() const { return rate_->text(); }
    QString throughputNote() const { return rate_note_->text(); }
    const Label& timing() const { return *timing_; }
    QString tracing() const { return tracing_->text(); }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void otherRunChanged() override { refresh(); }
    void refreshTiming();

    ViewState& state_;
    IterationView view_;
    std::optional<PendingChange> pending_;
    Label *rate_head_, *ms_, *ms_unit_, *ms_note_, *rate_, *rate_unit_, *rate_note_;
    Label* of_other_;  // in place of both notes
    Label *timing_, *tracing_;
};

}  // namespace bscope::ui
