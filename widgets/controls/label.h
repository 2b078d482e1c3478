// Label: a text in one of the few roles of the design (size, weight, colour). Panels name the role, the
// theme decides the looks. Window thread only.
#pragma once

#include <QLabel>

#include "widgets/controls/themed.h"

namespace bscope::ui {

enum class TextRole {
    Big,       // 30/600, the bubble
    Figure,    // 19/600, iteration and throughput
    Title,     // 15/600
    Head,      // 12.5/600, head of a section
    Strong,    // 12/600
    Body,      // 12
    Soft,      // 11.5, second ink
    Faint,     // 11.5, third ink
    Accent,    // 11.5/500, the one accent: pending, sweet spot, right answer
    AccentBig  // 30/600
};

QFont fontOf(TextRole role, const Theme& theme);
QColor inkOf(TextRole role, const Theme& theme);

class Label : public QLabel, public Themed {
    Q_OBJECT
public:
    explicit Label(TextRole role, QWidget* parent = nullptr);
    void setRole(TextRole role);
    // Shadows QLabel's: tokens/s and m = 32 stay on one line.
    void setText(const QString& text);
    void setElided(bool on);  // one line that may be narrower than its text
    void followTheme() override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    TextRole role_;
    bool elided_ = false;
};

// A wrapped paragraph.
Label* makeParagraph(TextRole role, QWidget* parent);

}  // namespace bscope::ui
