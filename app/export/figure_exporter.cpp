#include "app/export/figure_exporter.h"

#include <QDir>
#include <QFileDialog>

namespace bscope::ui {

FigureExporter::FigureExporter(Source source, const ViewState& state, WindowActions& actions, QWidget* window)
    : QObject(window), source_(std::move(source)), state_(state), window_(window) {
    menu_ =
        actions.addSubmenu(MenuName::File, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Export picture"));
    const auto entry = [&](const char* text, FigureFormat format, double scale, double width_mm) {
        QAction* action = actions.make(text, [=, this] { ask(format, scale, width_mm); });
        menu_->addAction(action);
        return action;
    };
    entry(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "PNG, 1×"), FigureFormat::Png, 1, 0);
    entry(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "PNG, 2×"), FigureFormat::Png, 2, 0)
        ->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_E));
    entry(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "PNG, 4×"), FigureFormat::Png, 4, 0);
    entry(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "PNG, 85 mm at 300 dpi"), FigureFormat::Png, 1, 85);
    entry(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "PNG, 170 mm at 300 dpi"), FigureFormat::Png, 1,
          170);
    menu_->addSeparator();
    entry(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "SVG"), FigureFormat::Svg, 1, 0);
    entry(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "PDF"), FigureFormat::Pdf, 1, 0);
    entry(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "PDF, 85 mm wide"), FigureFormat::Pdf, 1, 85);
    entry(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "PDF, 170 mm wide"), FigureFormat::Pdf, 1, 170);
    menu_->addSeparator();
    QAction* copy_action =
        actions.make(QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Copy picture"), [this] { copy(); });
    copy_action->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    menu_->addAction(copy_action);
    menu_->addSeparator();
    caption_ = actions.make(
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Caption with the parameters"), [] {}, true);
    caption_->setChecked(true);
    dark_ = actions.make(
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Dark picture"), [] {}, true);
    transparent_ = actions.make(
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Transparent background"), [] {}, true);
    menu_->addActions({caption_, dark_, transparent_});
}

FigureOptions FigureExporter::options() const {
    FigureOptions options;
    options.theme = dark_->isChecked() ? ThemeKind::Dark : ThemeKind::Light;
    options.caption = caption_->isChecked();
    options.transparent = transparent_->isChecked();
    options.layers = state_.layers();
    options.definition = state_.bubbleDefinition();
    options.unit = state_.timeUnit();
    options.count_from_zero = state_.countFromZero();
    return options;
}

void FigureExporter::copy() {
    copyFigure(source_(), options());
}

void FigureExporter::ask(FigureFormat format, double scale, double width_mm) {
    const std::vector<IterationView> views = source_();
    if (views.empty()) return;
    // Training goes on behind the dialog; the picture is that of the moment before it, as its name says.
    const QString path = QFileDialog::getSaveFileName(
        window_, tr("Export picture"), QDir(folder_).filePath(figureFileName(views.front(), format)));
    if (path.isEmpty()) return;
    FigureOptions wished = options();
    wished.scale = scale;
    wished.width_mm = width_mm;
    write(views, path, wished);
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
