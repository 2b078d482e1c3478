// WhatIfDialog: what other schedules, m and v would give, a line each. PREDICTED, the run's own line too, so
// that lines compare with each other. A line that is clicked, or Enter on it, is taken; the dialog stays, so
// that one after the other can be looked at. Plain values in, signals out. Window thread only.
#pragma once

#include <QDialog>
#include <QTableWidget>

#include "analysis/what_if.h"
#include "widgets/controls/field.h"
#include "widgets/controls/label.h"
#include "widgets/controls/provenance_badge.h"

namespace bscope::ui {

class WhatIfDialog : public QDialog, public Themed {
    Q_OBJECT
public:
    explicit WhatIfDialog(QWidget* parent = nullptr);

    // Whose costs everything is played with: "medians of 20 iterations of Primus pp_vis".
    void setSource(const QString& costs);
    // What taking a line does: "shows it as a plan".
    void setMeaning(const QString& taking);
    void setPlaying();  // the lines are being worked out
    void setResult(const WhatIf& result);
    void setFailure(const QString& why);
    void followTheme() override;

    double cap() const { return cap_->value(); }
    NumberField* capField() const { return cap_; }
    QTableWidget* table() const { return table_; }
    QString sentence() const { return sentence_->text(); }
    const std::vector<Alternative>& alternatives() const { return result_.alternatives; }

signals:
    void taken(const bscope::Alternative& alternative);
    void capEdited();

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
    void fill();
    void take(int row);

    WhatIf result_;
    bool playing_ = false;
    QString costs_, taking_, failure_;
    Label *title_, *about_, *cap_name_, *sentence_;
    Badge* badge_;
    NumberField* cap_;
    QTableWidget* table_;
};

}  // namespace bscope::ui
