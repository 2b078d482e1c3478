// ImportSection: where an imported run comes from: the program, what its files did not say, how clocks were
// aligned, which schedule it follows. Hidden for own runs.
#pragma once

#include <memory>

#include "timeline/report.h"
#include "widgets/controls/section.h"

namespace bscope::ui {

class ImportSection : public Section {
    Q_OBJECT
public:
    explicit ImportSection(QWidget* parent = nullptr);
    void setOrigin(std::shared_ptr<const ImportOrigin> origin);  // null: an own run
    QString text() const { return told_->text(); }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    std::shared_ptr<const ImportOrigin> origin_;
    Label* told_;
};

}  // namespace bscope::ui
