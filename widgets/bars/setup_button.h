// SetupButton: opens the setup form; its label sums up what is set there and is hidden first when room is
// short.
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
    void setSummaryShown(bool on);
    void setIllegal(bool on);
    bool isIllegal() const { return illegal_; }
    void followTheme() override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent*) override;
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }

private:
    int headWidth() const;

    QString summary_;
    bool summary_shown_ = true, illegal_ = false;
};

}  // namespace bscope::ui
