// TuneView: the sweep of the Improve view: choosing m, v, p against d or checkpointing by running it. The prediction from the last measured
// costs is drawn at once; measured points take its place as they arrive, and what has been measured stays
// after Cancel. The form and the table are in sidePanel(), which belongs in the dock. Plain data in, signals
// out.
#pragma once

#include "widgets/controls/provenance_badge.h"
#include "widgets/tune/sweep_panel.h"
#include "widgets/tune/tune_plot.h"

namespace bscope::ui {

class ProgressLine;

class TuneView : public QWidget {
    Q_OBJECT
public:
    explicit TuneView(QWidget* parent = nullptr);
    // What is varied. While a file is open nothing runs: results of sweeps are shown again once it is left.
    void setBase(const SweepBase& base);
    // nullopt: none was started, or it is dropped.
    void setState(const std::optional<SweepState>& state);
    void setForm(const SweepForm& form);
    void setSource(Provenance provenance, const QString& device);
    void setObstacle(const QString& why);  // no sweep can be started; empty = one can

    SweepPanel* sidePanel() const { return panel_; }
    TunePlot* plot() const { return plot_; }
    const std::vector<SweepRow>& rows() const { return rows_; }
    const SweepVerdict& verdict() const { return verdict_; }
    int chosen() const { return picked_ > 0 ? picked_ : verdict_.best; }
    bool running() const { return state_ && !state_->finished && !state_->cancelled; }
    Button* startButton() const { return start_; }
    Badge* badge() const { return badge_; }
    QString subtitle() const { return subtitle_->text(); }

signals:
    void leaveFile();  // before a sweep over an open one; the base that follows is of what runs here
    void startSweep(const bscope::ui::SweepForm& form);
    void cancelSweep();
    void use(const bscope::RunConfig& config);
    void keepResults(const QString& csv);
    void focusReturned();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    SweepForm shownForm() const;
    std::vector<int> nextValues() const;
    const SweepState* shownState() const;
    bool isOfBase() const;
    static QString title(SweepAxis axis);
    QString restOf(SweepAxis axis) const;
    void followForm();
    void refresh();
    void startOrCancel();

    SweepBase base_;
    std::optional<SweepState> state_;
    bool starting_ = false;   // asked for, and nothing of it has run
    SweepForm running_form_;  // what the running or finished sweep was started with
    std::vector<SweepRow> rows_;
    SweepVerdict verdict_;
    int picked_ = 0;
    Provenance provenance_ = Provenance::Reconstructed;
    QString device_, obstacle_;

    Label *title_, *subtitle_, *progress_text_;
    Badge* badge_;
    ProgressLine* progress_;
    Button* start_;
    TunePlot* plot_;
    SweepPanel* panel_;
    std::optional<SweepBase>
        swept_;  // what the sweep of running_form_ was started for; nothing: not from here
};

}  // namespace bscope::ui
