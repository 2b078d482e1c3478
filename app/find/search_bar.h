// SearchBar (Ctrl+F or /): finds boxes and gaps of the shown iteration; Enter goes to the next, Shift+Enter
// back, Esc closes. Shows how many there are, and examples when the text is not understood. Window thread
// only.
#pragma once

#include <QLineEdit>
#include <QWidget>
#include <vector>

#include "app/find/search.h"
#include "widgets/controls/label.h"

namespace bscope::ui {

class SearchBar : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit SearchBar(ViewState& state, QWidget* parent = nullptr);
    void setView(const IterationView& view);
    void open();
    void followTheme() override;

    QLineEdit* field() const { return field_; }
    Label* answer() const { return answer_; }

signals:
    // All of them, none when nothing is looked for.
    void marked(const std::vector<bscope::ui::SearchHit>& hits);
    void found(const bscope::ui::SearchHit& hit);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void search();
    void find();
    void go(int step);
    void setCurrent(int hit);
    void retranslate();

    ViewState& state_;
    IterationView view_;
    std::vector<SearchHit> hits_;
    int current_ = -1;
    QLineEdit* field_;
    Label* answer_;
};

}  // namespace bscope::ui
