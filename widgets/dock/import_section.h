// ImportSection: where an imported run comes from: the program, what its files did not say, how clocks were
// aligned, which schedule it follows; how the files were read on demand. Hidden for own runs.
#pragma once

#include "view/view_data.h"
#include "widgets/controls/button.h"
#include "widgets/controls/section.h"
#include "widgets/data/view_state.h"

namespace bscope::ui {

class ImportSection : public Section {
    Q_OBJECT
public:
    explicit ImportSection(ViewState& state, QWidget* parent = nullptr);
    void setView(const IterationView& view);
    QString text() const;       // all of it; empty: nothing is imported
    QString briefText() const;  // what is read first
    Button* moreButton() const { return more_; }
    QString shownText() const { return paragraph_->text(); }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    ViewState& state_;
    IterationView view_;
    Label* paragraph_;
    Button* more_;
    bool shows_all_ = false;
};

}  // namespace bscope::ui
