// BarRoom: what the tool bar does when it is narrow: in which order its parts are shortened or hidden, and
// the menu that holds those which have left it, so that nothing is cut.
#pragma once

#include <QCoreApplication>

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
    };
    BarRoom(QWidget& bar, const Parts& parts) : bar_(bar), parts_(parts) {}

    static QSize leastSize(const Theme& theme);
    // Sets the bar's height: what is illegal is explained in the row where there is room, else below it.
    void arrange(const Shown& shown, const Theme& theme);
    // The menu of what arrange() has left out. export_menu may be null.
    void fillMenu(QMenu& menu, QMenu* export_menu) const;

private:
    bool fitsBy(int last_step, const Shown& shown);
    void applyStep(int step, const Shown& shown);

    QWidget& bar_;
    Parts parts_;
    bool pending_left_out_ = false;
};

}  // namespace bscope::ui
