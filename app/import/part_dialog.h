// PartDialog: files of some ranks of a pipeline shown as what they are: which ranks, what each did and how long it
// stood idle within its own time. No bubble of the pipeline, closed form, prediction or advice, which need all
// ranks. Window thread.
#pragma once

#include <QDialog>
#include <QJsonObject>

#include "widgets/controls/figure_table.h"
#include "widgets/controls/label.h"
#include "widgets/dock/part_lanes.h"

namespace bscope::ui {

class PartDialog : public QDialog {
    Q_OBJECT
public:
    // part: as `bscope import --progress` writes it of such files.
    PartDialog(const QString& name, const QJsonObject& part, bool count_from_zero, QWidget* parent);

    QString title() const { return title_->text(); }
    const FigureTable& table() const { return *table_; }
    const PartLanes& lanes() const { return *lanes_; }
    QString notes() const { return notes_->text(); }

private:
    void fill(const QJsonObject& part, bool count_from_zero);

    Label *title_, *what_, *notes_;
    FigureTable* table_;
    PartLanes* lanes_;
};

}  // namespace bscope::ui
