// NumbersDock: the numbers beside the canvas: bubble, iteration and throughput, memory, and what is selected
// or measured. The rest (steps from theory to this run, causes of idle time, replicas, loss) is folded until
// it is opened. Shows one complete iteration (or a plan, when nothing ran), never a half-run one.
#pragma once

#include <QScrollArea>
#include <QStringList>
#include <vector>

#include "widgets/dock/bubble_section.h"
#include "widgets/dock/comparison_section.h"
#include "widgets/dock/detail_section.h"
#include "widgets/dock/import_section.h"
#include "widgets/dock/loss_plot.h"
#include "widgets/dock/memory_section.h"
#include "widgets/dock/path_section.h"
#include "widgets/dock/range_section.h"
#include "widgets/dock/rate_section.h"
#include "widgets/dock/replica_section.h"
#include "widgets/dock/waterfall_section.h"

namespace bscope::ui {

class NumbersDock : public QScrollArea, public Themed {
    Q_OBJECT
public:
    explicit NumbersDock(ViewState& state, QWidget* parent = nullptr);
    void setView(const IterationView& complete_or_plan);
    void setShown(const IterationView& shown);  // on the canvas; a selection may lie in it
    // The measured range of what the canvas shows.
    void setReading(const IterationView& shown, const std::optional<RangeReading>& reading);
    void setPending(const std::optional<PendingChange>& pending);
    // What the iteration is compared with; nothing: with nothing.
    void setBaseline(const std::optional<IterationView>& baseline);
    void setBars(const std::vector<IterationBar>& bars);
    // A lesson hides the numbers until the guess is made.
    void setNumbersHidden(bool on);
    // Names of the sections that a person has opened; kept from one start to the next.
    QStringList opened() const;
    void setOpened(const QStringList& names);
    void followTheme() override;

    const std::shared_ptr<const PreparedView>& shown() const { return shown_; }
    RangeSection& range() const { return *range_; }
    const BubbleSection& bubble() const { return *bubble_; }
    const RateSection& rate() const { return *rate_; }
    const MemorySection& memory() const { return *memory_; }
    const ImportSection& imported() const { return *import_; }
    const ReplicaSection& replicas() const { return *replicas_; }
    const WaterfallSection& waterfall() const { return *waterfall_; }
    const ComparisonSection& comparison() const { return *comparison_; }
    const PathSection& path() const { return *path_; }
    DetailSection& detail() { return *detail_; }
    const DetailSection& detail() const { return *detail_; }
    LossPlot& loss() { return *loss_; }

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void retranslate();
    void revealDetail();
    void settleLayout();
    bool isShown(const IterationView& view) const;

    std::shared_ptr<const PreparedView> baseline_;  // null: none
    std::shared_ptr<const PreparedView> shown_;     // null: nothing yet; worked out once for all sections
    std::size_t shown_kernels_ = 0;                 // their log is the history's, and grows
    std::vector<Section*> foldable() const;

    RangeSection* range_;
    BubbleSection* bubble_;
    WaterfallSection* waterfall_;
    ComparisonSection* comparison_;
    RateSection* rate_;
    ImportSection* import_;
    ReplicaSection* replicas_;
    MemorySection* memory_;
    PathSection* path_;
    DetailSection* detail_;
    Section* loss_section_;
    LossPlot* loss_;
    Label* hidden_note_;
};

}  // namespace bscope::ui
