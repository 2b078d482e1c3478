// SetupPanel: the form behind the Setup button, for what is changed now and then: micro-batch size, split,
// link, slow rank, clock, device, type, memory cap, and below a rule what starts a new run: model shape,
// seed, data. Holds a copy of a RunConfig; every edit is announced at once, checking and debouncing are the
// control bar's.
#pragma once

#include <QFrame>
#include <map>
#include <optional>

#include "widgets/bars/split_editor.h"
#include "widgets/controls/button.h"
#include "widgets/controls/field.h"
#include "widgets/controls/label.h"
#include "widgets/text/config_text.h"
#include "widgets/text/legal_fixes.h"

class QGridLayout;

namespace bscope::ui {

class SetupPanel : public QFrame, public Themed {
    Q_OBJECT
public:
    explicit SetupPanel(QWidget* parent = nullptr);
    void setConfig(const RunConfig& config);  // no signal
    // config with this form's fields put in; schedule, p, m, v and checkpointing stay as they are.
    RunConfig appliedTo(RunConfig config) const;
    void setProblems(const std::vector<Problem>& problems, const std::vector<Fix>& fixes);
    static bool owns(const std::string& field);
    void fit(const QPoint& top_left);  // as large as what it says, and on the screen
    void followTheme() override;

    NumberField* number(const std::string& field) const;  // by RunConfig's JSON name
    // What can be set here, as source texts of this class, and where; in the order it is read.
    std::vector<std::pair<const char*, QWidget*>> options() const;
    SplitEditor* split() const { return split_; }
    Segments* device() const { return choices_.at("device"); }
    Segments* dtype() const { return choices_.at("dtype"); }
    Segments* cudaGraphs() const { return choices_.at("cuda_graphs"); }
    Segments* checkpointEvery() const { return choices_.at("checkpoint_every"); }
    Segments* sequenceParallel() const { return choices_.at("sequence_parallel"); }
    Segments* matrixLibrary() const { return choices_.at("matrix_library"); }

signals:
    void edited();
    void done();

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;

private:
    NumberField* addNumber(const std::string& field, int decimals, int digits);
    Segments* addChoice(const std::string& field);  // of the words of its row, or off and on
    Label* addRow(QGridLayout* grid, std::initializer_list<QWidget*> fields);
    void retranslate();
    void fillChoices();
    void chooseDataFile();

    RunConfig config_;
    std::map<std::string, NumberField*> numbers_;  // both by RunConfig's JSON name
    std::map<std::string, Segments*> choices_;
    struct Row {
        Label* label;
        std::vector<QWidget*> fields;
    };
    std::vector<Row> rows_;  // as they are read
    SplitEditor* split_;
    Button* even_;
    ChoiceField* slow_rank_;
    // What the slow rank is chosen among; filled anew where it changes, not with each iteration.
    struct Choices {
        int ranks = 0;
        bool several = false;
        bool operator==(const Choices&) const = default;
    };
    std::optional<Choices> filled_;
    TextField* data_;
    Button* browse_;
    Label* new_run_note_;
    Label* problem_;
};

}  // namespace bscope::ui
