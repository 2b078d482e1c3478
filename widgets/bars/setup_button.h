// SetupButton: opens the setup form. Its label sums up what is set there, in a place that takes what the bar
// has left and that a chip may cover meanwhile.
#pragma once

#include <QAbstractButton>

#include "widgets/controls/themed.h"
#include "widgets/paint/glyph.h"

namespace bscope::ui {

class SetupButton : public QAbstractButton, public Themed {
    Q_OBJECT
public:
    explicit SetupButton(QWidget* parent = nullptr);
    void setSummary(const QString& summary);
    QString summary() const { return summary_; }
    void setSummaryShown(bool on);  // off: its place stays, empty
    void setLeastTail(int px);      // of that place
    QRect tail() const;             // the place, in this button
    void setIllegal(bool on);
    bool isIllegal() const { return illegal_; }
    void followTheme() override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    bool hitButton(const QPoint& at) const override;  // its words
    void paintEvent(QPaintEvent*) override;
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    int headWidth() const;

    QString summary_;
    bool summary_shown_ = true, illegal_ = false;
    int least_tail_ = 0;
};

}  // namespace bscope::ui
