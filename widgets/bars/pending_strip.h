// PendingStrip: shown while a change waits for its iteration boundary: what changes, from when, what it is
// predicted to do (against the prediction of what runs now), the new plan as a small timeline with the new
// micro-batches bright. Its room stays when nothing waits, so that nothing moves when something does.
#pragma once

#include "view/view_data.h"
#include "widgets/controls/button.h"
#include "widgets/controls/label.h"
#include "widgets/controls/provenance_badge.h"
#include "widgets/text/notation.h"

namespace bscope::ui {

class PendingStrip : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit PendingStrip(QWidget* parent = nullptr);
    // nullopt hides the strip. in_force and its prediction are what the change is compared with.
    void setPending(const std::optional<PendingChange>& pending, const RunConfig& in_force,
                    const IterationSummary& plan_now, double tokens_per_s_now);
    void setNotation(const Notation& notation);  // of the iteration on the canvas
    QString changeText() const { return changes_and_when_; }
    QString effectText() const { return joined(effects_.size()); }
    QString shownEffect() const { return effect_->text(); }  // as much of it as has room
    Button* undoButton() const { return undo_; }
    void followTheme() override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void undoClicked();

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override { place(); }
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void place();
    QString joined(qsizetype effects) const;  // the first of them
    int brightFrom() const;
    QRectF plotRect() const;

    std::optional<PendingChange> pending_;
    RunConfig in_force_;
    IterationSummary plan_now_;
    double tokens_now_ = 0;
    Notation notation_;
    QString changes_, changes_and_when_;
    QStringList effects_;  // by weight
    Label *title_, *change_, *effect_;
    Badge* badge_;
    Button* undo_;
};

}  // namespace bscope::ui
