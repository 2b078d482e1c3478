#include "app/export/figure_exporter.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>

#include "view/played_view.h"
#include "widgets/text/config_text.h"

namespace bscope::ui {

FigureExporter::FigureExporter(Source source, PlanOf plan_of, Unsaved unsaved, const ViewState& state,
                               WindowActions& actions, QWidget* window)
    : QObject(window),
      source_(std::move(source)),
      plan_of_(std::move(plan_of)),
      unsaved_(std::move(unsaved)),
      state_(state),
      window_(window) {
    menu_ =
        actions.addSubmenu(MenuName::File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Export picture"));
    QAction* open = actions.make(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "With a &preview…"),
                                 [this] { openSheet(); });
    open->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_E));
    QAction* copies =
        actions.make(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Copy picture"), [this] { copy(); });
    copies->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    QAction* page = actions.make(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Page for a browser…"),
                                 [this] { choosePage(); });
    QAction* film =
        actions.make(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Film…"), [this] { openFilm(); });
    actions.setCondition(
        film, [this] { return std::ranges::any_of(source_(), canBePlayed); },
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "no complete iteration and no plan is shown"));
    connect(&page_, &PageJob::written, this, &FigureExporter::written);
    connect(&page_, &PageJob::failed, this, &FigureExporter::failed);
    menu_->addActions({open, copies, film, page});
    menu_->setDefaultAction(open);
}

void FigureExporter::setChoices(const FigureChoices& choices, const QString& folder) {
    choices_ = choices;
    folder_ = folder;
}

FigureOptions FigureExporter::common() const {
    FigureOptions options = figureOptions(choices_);
    options.layers = state_.layers();
    options.definition = state_.bubbleDefinition();
    options.unit = state_.timeUnit();
    options.count_from_zero = state_.countFromZero();
    if (const auto selected = state_.selection(); selected && selected->action.microbatch >= 0)
        if (const std::vector<IterationView> views = source_(); !views.empty())
            options.arrows_of = views.front().microbatchInIteration(selected->action.microbatch);
    return options;
}

void FigureExporter::copy() {
    copyFigure(source_(), common());
}

void FigureExporter::takePaused() {
    if (std::vector<IterationView> views = source_(); sheet_ && !views.empty())
        sheet_->setViews(std::move(views));
}

// Training goes on behind the sheet; the picture is that of the moment before it, as its name says.
void FigureExporter::openSheet() {
    const std::vector<IterationView> views = source_();
    if (views.empty()) return;
    delete sheet_;
    ExportSheet::PlanOf plan_of;
    if (plan_of_ && views.size() == 1)
        plan_of = [this, shown = views.front()](const std::string& schedule) {
            return plan_of_(shown, schedule);
        };
    sheet_ = new ExportSheet(views, common(), choices_, std::move(plan_of), window_);
    sheet_->setAttribute(Qt::WA_DeleteOnClose);
    connect(sheet_, &ExportSheet::saveAsked, this, &FigureExporter::save);
    connect(sheet_, &ExportSheet::copyAsked, this,
            [this] { copyFigure(sheet_->views(), sheet_->options()); });
    connect(sheet_, &QDialog::finished, this, [this] {
        if (sheet_) choices_ = sheet_->choices();
        emit chosen();
    });
    sheet_->open();
}

void FigureExporter::openFilm() {
    std::vector<IterationView> views = source_();
    std::erase_if(views, [](const IterationView& view) { return !canBePlayed(view); });
    if (views.empty()) return emit failed(tr("A film is of a complete iteration or a plan: none is shown."));
    delete film_;
    FigureOptions options = common();
    options.caption.reset();
    options.theme = currentTheme().kind == ThemeKind::Dark ? ThemeKind::Dark : ThemeKind::Light;
    film_ = new FilmDialog(std::move(views), options, folder_, window_);
    film_->setAttribute(Qt::WA_DeleteOnClose);
    connect(film_, &FilmDialog::written, this, &FigureExporter::written);
    film_->open();
}

void FigureExporter::save() {
    const std::vector<IterationView> views = sheet_->views();
    const FigureOptions options = sheet_->options();
    const FigureFormat format = sheet_->choices().format;
    const QStringList kinds{tr("PNG (*.png)"), tr("SVG (*.svg)"), tr("PDF (*.pdf)")};
    const QString name = figureFileName(views.front(), format);
    QString path = QFileDialog::getSaveFileName(sheet_, tr("Export picture"), QDir(folder_).filePath(name),
                                                kinds[static_cast<int>(format)]);
    if (path.isEmpty() || !sheet_) return;
    if (!figureFormat(path)) path += QStringLiteral(".") + QFileInfo(name).suffix();
    ExportSheet* sheet = sheet_;
    if (write(views, path, options)) {
        folder_ = QFileInfo(path).absolutePath();
        sheet->accept();
    } else {
        sheet->reject();
    }
}

void FigureExporter::choosePage() {
    const std::vector<IterationView> views = source_();
    if (views.empty()) return;
    const QString name = QFileInfo(figureFileName(views.front(), FigureFormat::Svg)).completeBaseName() +
                         QStringLiteral(".html");
    const QString path = QFileDialog::getSaveFileName(window_, tr("Page for a browser"),
                                                      QDir(folder_).filePath(name), tr("HTML (*.html)"));
    if (!path.isEmpty()) writePage(path);
}

// The page has its name, so a copy is called as what it shows.
QString FigureExporter::recordingOf(const std::vector<IterationView>& views) {
    if (views.empty()) return {};
    if (!views.front().file.empty()) return QString::fromStdString(views.front().file);
    const QString kept = views.front().ran->empty() ? QString() : unsaved_();
    if (kept.isEmpty()) return {};
    so_far_ = std::make_unique<QTemporaryDir>();
    const QString name = QFileInfo(figureFileName(views.front(), FigureFormat::Svg)).completeBaseName();
    const QString copy = so_far_->filePath(name + QStringLiteral(".bscope"));
    return QFile::copy(kept, copy) ? copy : kept;
}

void FigureExporter::writePage(const QString& path) {
    const std::vector<IterationView> views = source_();
    const QString recording = recordingOf(views);
    if (recording.isEmpty())
        return emit failed(
            tr("There is no run to make a page of: let an iteration run to its end, or open a recording."));
    page_.start({recording}, path,
                views.front().report ? std::optional(views.front().number()) : std::nullopt,
                windowLanguage());
}

bool FigureExporter::writeTo(const QString& path, FigureOptions options) {
    return write(source_(), path, options);
}

bool FigureExporter::write(const std::vector<IterationView>& views, const QString& path,
                           const FigureOptions& options) {
    const QString error = writeFigure(views, options, path, figureFormat(path).value_or(FigureFormat::Png));
    if (error.isEmpty())
        emit written(path);
    else
        emit failed(error);
    return error.isEmpty();
}

}  // namespace bscope::ui
