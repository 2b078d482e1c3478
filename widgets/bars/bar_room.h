// BarRoom: what the tool bar does when it is narrow: in which order its parts are shortened or hidden, and
// the menu that holds those which have left it, so that nothing is cut. The places of all parts follow from
// the width of the bar, the theme and the language alone: nothing moves while a change waits or is illegal.
#pragma once

#include <QCoreApplication>
#include <array>

#include "widgets/bars/icon_words.h"
#include "widgets/bars/problem_chip.h"
#include "widgets/bars/setup_button.h"
#include "widgets/controls/button.h"
#include "widgets/controls/field.h"
#include "widgets/controls/label.h"
#include "widgets/schedule/schedule_field.h"

class QMenu;

namespace bscope::ui {

class BarRoom {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::BarRoom)
public:
    struct Parts {
        Button *run, *step, *explain, *grid, *pending_chip, *export_picture, *overflow;
        ScheduleField* schedule;
        std::array<NumberField*, 3> numbers;
        ChoiceField* recompute;
        Label *schedule_label, *recompute_label;
        ProblemChip* problem_chip;
        SetupButton* setup;
        QWidget* setup_rule;  // the line before it
        Segments* views;
        IconWords* words;
    };
    struct Shown {
        bool problems = false, pending = false;
        bool operator==(const Shown&) const = default;
    };
    BarRoom(QWidget& bar, const Parts& parts) : bar_(bar), parts_(parts) {}

    static QSize leastSize(const Theme& theme);
    void setPage(const QWidget* page) { page_ = page; }
    void arrange(const Theme& theme);  // all but the chips
    // Both chips stand where the summary of Setup does. Where that is too short for the reason of an illegal
    // value, it lies over the page below the bar and pushes nothing.
    void placeChips(const Shown& shown, const Theme& theme);
    // The menu of what arrange() has left out. export_menu may be null.
    void fillMenu(QMenu& menu, QMenu* export_menu) const;

private:
    void applyStep(int step, const Theme& theme);
    int coveredRight(const Theme& theme) const;  // how far a chip may reach over the page

    QWidget& bar_;
    Parts parts_;
    const QWidget* page_ = nullptr;
    bool setup_left_out_ = false, pending_left_out_ = false;
};

}  // namespace bscope::ui
