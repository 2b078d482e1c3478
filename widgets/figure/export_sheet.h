// ExportSheet: how a picture will look in its file, chosen beside the picture itself. What is shown and
// written is the moment at which it was opened. Window thread only.
#pragma once

#include <QDialog>
#include <QTimer>
#include <functional>
#include <vector>

#include "widgets/controls/button.h"
#include "widgets/controls/field.h"
#include "widgets/controls/label.h"
#include "widgets/figure/figure_choices.h"

class QCheckBox;
class QMenu;
class QVBoxLayout;

namespace bscope::ui {

class ExportSheet : public QDialog {
    Q_OBJECT
public:
    // The plan of another schedule with the sizes and costs of what is shown; nothing: these do not allow it.
    using PlanOf = std::function<std::optional<IterationView>(const std::string& schedule)>;
    // common: what the canvas says of layers, units and numbering. Without plan_of no schedule can be added.
    ExportSheet(std::vector<IterationView> views, FigureOptions common, const FigureChoices& choices,
                PlanOf plan_of, QWidget* parent);

    const FigureChoices& choices() const { return choices_; }
    // Later ones of the same run, as many as before.
    void setViews(std::vector<IterationView> views);
    // What is drawn, and how, at this moment.
    std::vector<IterationView> views() const;
    FigureOptions options() const;

signals:
    void saveAsked();
    void copyAsked();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addFields(QVBoxLayout& column);
    void addSchedules();
    void read();
    void enableFields();
    void draw();
    static QString sizeText(long width_mm, long height_mm);

    std::vector<IterationView> views_;
    FigureOptions common_;
    FigureChoices choices_;
    PlanOf plan_of_;
    std::vector<std::pair<std::string, IterationView>> below_;

    ChoiceField *width_, *format_, *caption_, *plan_, *content_, *arrows_, *colours_;
    NumberField *custom_, *dpi_, *microbatch_;
    QCheckBox *legend_, *dark_, *transparent_;
    Button* schedules_;
    QMenu* schedule_menu_;
    QLabel* picture_;
    Label* size_;
    QTimer redraw_;
};

}  // namespace bscope::ui
