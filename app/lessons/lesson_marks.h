// LessonMarks: what lights up at the reveal, one after the other: what is wrong with a lesson's table, else
// its marks on the canvas. Window thread only.
#pragma once

#include <QCoreApplication>
#include <optional>
#include <utility>
#include <vector>

#include "widgets/data/view_state.h"
#include "widgets/picture/picture.h"
#include "widgets/schedule/step_grid.h"
#include "wire/bubblescope.pb.h"
#include "words/catalog.h"

namespace bscope::ui {

class LessonMarks {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::LessonController)

public:
    using Marks = google::protobuf::RepeatedPtrField<wire::LessonMark>;

    LessonMarks(ViewState& state, StepGrid& table) : state_(state), table_(table) {}

    // Cells of the lesson's table that may be seen to be wrong.
    void setBroken(std::vector<std::pair<GridPlace, Sentence>> broken) { broken_ = std::move(broken); }
    int count(const Marks& marks) const;
    int at() const { return at_; }  // -1: none is lit
    void reset();
    // The next one, after the last the first; shown: what is on the canvas.
    void next(const Marks& marks, const Picture& shown, Language language);
    // The same one, in another language.
    void again(const Marks& marks, const Picture& shown, Language language);
    // What is to be said of the one that is lit: the broken rule, or the sentence of the gap, box or rank.
    const QString& words() const { return words_; }

private:
    QString light(const wire::LessonMark& mark, const Picture& shown, int run);

    ViewState& state_;
    StepGrid& table_;
    std::vector<std::pair<GridPlace, Sentence>> broken_;
    int at_ = -1;
    QString words_;
};

}  // namespace bscope::ui
