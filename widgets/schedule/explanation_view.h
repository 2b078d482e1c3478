// ExplanationView: a schedule explained, with the current numbers put in: the engine's
// words (schedule/explanation.h) in the window's language, the placement as a picture; with data-parallel
// replicas also which global rank is which stage of which replica. Every text can be selected.
#pragma once

#include <QWidget>
#include <vector>

#include "catalog/explanation.h"
#include "report/traffic.h"
#include "widgets/controls/button.h"
#include "widgets/controls/label.h"
#include "widgets/schedule/placement_picture.h"
#include "widgets/schedule/rank_picture.h"

class QVBoxLayout;

namespace bscope::ui {

class ExplanationView : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit ExplanationView(QWidget* parent = nullptr);
    // Must have no problems.
    void setSchedule(const std::string& name, const ScheduleParams& params);
    // (ranks,) of an iteration, by formula; empty: not known.
    void setTraffic(std::vector<RankTraffic> traffic);
    void setLanguage(bscope::Language language);
    QString plainText() const;  // all of it, for the clipboard
    const PlacementPicture& picture() const { return *picture_; }
    RankPicture& ranks() const { return *ranks_; }
    QString rankGroups() const { return groups_->text(); }
    QString rankSentence() const { return rank_sentence_->text(); }
    void followTheme() override;

protected:
    void changeEvent(QEvent* event) override;

private:
    enum Part { Summary, Order, Placement, Bubble, Memory, Communication, Weights, KnownAs, Source, kParts };
    void refresh();
    void refreshRanks();
    void refreshRankSentence();
    QString trafficText() const;  // of the rank that is pointed at

    bscope::Language language_ = bscope::Language::English;
    std::string name_;
    ScheduleParams params_;
    Explanation explanation_;
    std::vector<RankTraffic> traffic_;
    std::vector<Label*> heads_, texts_;  // (kParts,)
    PlacementPicture* picture_;
    Label* ranks_head_;
    RankPicture* ranks_;
    Label *rank_sentence_, *groups_;
    QVBoxLayout* column_;
};

// What frameworks call this schedule: "Megatron-LM interleaved", ...; empty when none has a name for it.
QStringList frameworkNames(const std::string& schedule);

}  // namespace bscope::ui
