// FigureExporter: pictures of what the canvas shows: the export sheet, the file dialog, the clipboard; of
// what ran also a page; of what can be played a film. Light, unless the sheet says otherwise; the caption can
// be left out, the provenance badge cannot. Window thread only.
#pragma once

#include <QMenu>
#include <QPointer>
#include <QTemporaryDir>
#include <functional>
#include <memory>

#include "app/export/film_dialog.h"
#include "app/export/page_job.h"
#include "app/shell/window_actions.h"
#include "widgets/figure/export_sheet.h"

namespace bscope::ui {

class FigureExporter : public QObject {
    Q_OBJECT
public:
    // views and state: what is on the canvas at the moment of the export. plan_of: as ExportSheet has it, of
    // the only iteration that is shown.
    using Source = std::function<std::vector<IterationView>()>;
    using PlanOf =
        std::function<std::optional<IterationView>(const IterationView& shown, const std::string&)>;
    // unsaved: the file that the run is kept in while it is not saved; empty: there is none.
    using Unsaved = std::function<QString()>;
    FigureExporter(Source source, PlanOf plan_of, Unsaved unsaved, const ViewState& state,
                   WindowActions& actions, QWidget* window);

    QMenu* menu() const { return menu_; }
    // As they were last; folder: where the file dialog begins.
    void setChoices(const FigureChoices& choices, const QString& folder);
    const FigureChoices& choices() const { return choices_; }
    void openSheet();
    ExportSheet* sheet() const { return sheet_; }
    // The iteration that ran when the sheet was opened has ended, and the run pauses: that one is meant.
    void takePaused();
    void openFilm();
    FilmDialog* filmDialog() const { return film_; }
    void copy();
    // Returns whether it was written; written() or failed() says it in words.
    bool writeTo(const QString& path, FigureOptions options);
    // The iteration that is shown, of its recording or of the run as far as it has come, which goes on; of
    // one that is not complete as `bscope export` chooses. Ends as above.
    void writePage(const QString& path);

signals:
    void chosen();
    void written(const QString& path);
    void failed(const QString& sentence);

private:
    FigureOptions common() const;
    void save();
    void choosePage();
    QString recordingOf(const std::vector<IterationView>& views);
    bool write(const std::vector<IterationView>& views, const QString& path, const FigureOptions& options);

    Source source_;
    PlanOf plan_of_;
    Unsaved unsaved_;
    const ViewState& state_;
    QWidget* window_;
    QMenu* menu_;
    FigureChoices choices_;
    QString folder_;
    QPointer<ExportSheet> sheet_;
    QPointer<FilmDialog> film_;
    std::unique_ptr<QTemporaryDir> so_far_;  // a copy of an unsaved run, which a page is made of
    PageJob page_{this};
};

}  // namespace bscope::ui
