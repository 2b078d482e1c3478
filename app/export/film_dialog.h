// FilmDialog: a film of what was on the canvas when it was opened: its length, rate, size and looks, and then
// how far it is. Closing it ends the film that is being written. Window thread only.
#pragma once

#include <QDialog>
#include <vector>

#include "app/export/film_job.h"
#include "widgets/controls/field.h"
#include "widgets/controls/label.h"

class QCheckBox;
class QProgressBar;
class QPushButton;

namespace bscope::ui {

class FilmDialog : public QDialog {
    Q_OBJECT
public:
    // common: what the canvas says of layers, units and numbering. folder: where the file dialog begins.
    FilmDialog(std::vector<IterationView> views, FigureOptions common, const QString& folder,
               QWidget* parent);

    FilmOptions options() const;
    // The path has the ending of a film.
    void writeTo(const QString& path);

signals:
    void written(const QString& path);

private:
    void ask();
    void setWriting(bool on);

    std::vector<IterationView> views_;
    FigureOptions common_;
    QString folder_;
    NumberField *seconds_, *fps_;
    ChoiceField *kind_, *size_;
    QCheckBox* dark_;
    QPushButton* save_;
    QProgressBar* progress_;
    Label* why_;
    FilmJob job_;
};

}  // namespace bscope::ui
