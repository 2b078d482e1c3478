#include "app/settings/preferences.h"

#include <QFileInfo>
#include <QGuiApplication>
#include <QLocale>
#include <QScreen>
#include <QSettings>
#include <QStandardPaths>
#include <algorithm>

#include "catalog/catalog.h"

namespace bscope::ui {
namespace {

template <typename Enum>
Enum bounded(const QVariant& value, Enum greatest, Enum otherwise) {
    bool number = false;
    const int i = value.toInt(&number);
    return number && i >= 0 && i <= static_cast<int>(greatest) ? static_cast<Enum>(i) : otherwise;
}

constexpr std::pair<const char*, bool Layers::*> kLayerKeys[] = {{"bubbles", &Layers::bubbles},
                                                                 {"memory", &Layers::memory},
                                                                 {"critical_path", &Layers::critical_path},
                                                                 {"all_arrows", &Layers::arrows},
                                                                 {"plan_behind", &Layers::ghost},
                                                                 {"changes", &Layers::changes},
                                                                 {"memory_bands", &Layers::memory_bands},
                                                                 {"checkpointing", &Layers::checkpointing}};

// A large screen that its system does not scale: everything would be tiny.
double firstScale() {
    constexpr int kTall = 1900;
    const QScreen* screen = QGuiApplication::primaryScreen();
    return screen != nullptr && screen->size().height() >= kTall ? 1.5 : 1.0;
}

Language systemLanguage() {
    return QLocale::system().language() == QLocale::Chinese ? Language::Chinese : Language::English;
}

// What follows the system is written once it was another: another screen or system is followed until then.
void keep(QSettings& settings, const QString& key, const QVariant& value, const QVariant& of_system) {
    if (settings.contains(key) || value != of_system) settings.setValue(key, value);
}

FigureChoices loadedFigures(const QSettings& settings) {
    FigureChoices f;
    f.width = bounded(settings.value("figure/width"), FigureWidth::Custom, f.width);
    f.custom_mm = std::clamp(settings.value("figure/mm", f.custom_mm).toDouble(), FigureChoices::kLeast_mm,
                             FigureChoices::kMost_mm);
    f.format = bounded(settings.value("figure/format"), FigureFormat::Pdf, f.format);
    f.svg_text = bounded(settings.value("figure/svg_text"), SvgText::Text, f.svg_text);
    f.caption = bounded(settings.value("figure/caption"), CaptionLength::Long, f.caption);
    f.legend = settings.value("figure/legend", f.legend).toBool();
    f.plan = bounded(settings.value("figure/plan"), PlanLook::Solid, f.plan);
    f.content = bounded(settings.value("figure/content"), FigureContent::BoxesOnly, f.content);
    f.arrows = bounded(settings.value("figure/arrows"), FigureArrows::All, f.arrows);
    f.scheme = bounded(settings.value("figure/colours"), kColourSchemes.back(), f.scheme);
    f.dpi = std::clamp(settings.value("figure/dpi", f.dpi).toInt(), kLeastDpi, kMostDpi);
    f.dark = settings.value("figure/dark", f.dark).toBool();
    f.transparent = settings.value("figure/transparent", f.transparent).toBool();
    for (const QString& name : settings.value("figure/below").toStringList())
        if (const CatalogEntry* entry = findSchedule(name.toStdString())) f.below.emplace_back(entry->name);
    return f;
}

void saveFigures(QSettings& settings, const FigureChoices& f) {
    settings.setValue("figure/width", static_cast<int>(f.width));
    settings.setValue("figure/mm", f.custom_mm);
    settings.setValue("figure/format", static_cast<int>(f.format));
    settings.setValue("figure/svg_text", static_cast<int>(f.svg_text));
    settings.setValue("figure/caption", static_cast<int>(f.caption));
    settings.setValue("figure/legend", f.legend);
    settings.setValue("figure/plan", static_cast<int>(f.plan));
    settings.setValue("figure/content", static_cast<int>(f.content));
    settings.setValue("figure/arrows", static_cast<int>(f.arrows));
    settings.setValue("figure/colours", static_cast<int>(f.scheme));
    settings.setValue("figure/dpi", f.dpi);
    settings.setValue("figure/dark", f.dark);
    settings.setValue("figure/transparent", f.transparent);
    QStringList below;
    for (const std::string& name : f.below) below << QString::fromStdString(name);
    settings.setValue("figure/below", below);
}

}  // namespace

Preferences Preferences::load() {
    const QSettings settings;
    Preferences p;
    p.theme = bounded(settings.value("theme"), ThemeChoice::Dark, p.theme);
    p.scheme = bounded(settings.value("scheme"), kColourSchemes.back(), p.scheme);
    p.scale = std::clamp(settings.value("scale", firstScale()).toDouble(), kMinScale, kMaxScale);
    p.language = bounded(settings.value("language"), Language::Chinese, systemLanguage());
    p.dock = settings.value("dock", p.dock).toBool();
    p.schedule_panel = settings.value("schedule_panel", p.schedule_panel).toBool();
    p.step_grid = settings.value("step_grid", p.step_grid).toBool();
    p.of_ideal = settings.value("bubble_of_ideal", p.of_ideal).toBool();
    p.count_from_zero = settings.value("count_from_zero", p.count_from_zero).toBool();
    p.in_forwards = settings.value("in_forwards", p.in_forwards).toBool();
    p.ask_before_discarding = settings.value("ask_before_discarding", p.ask_before_discarding).toBool();
    p.calibrate_when_busy = settings.value("calibrate_when_busy", p.calibrate_when_busy).toBool();
    if (const QString schedule = settings.value("run/schedule").toString(); !schedule.isEmpty()) {
        LastRun run{schedule, settings.value("run/p").toInt(), settings.value("run/m").toInt(),
                    settings.value("run/v").toInt(), Recompute::None};
        run.recompute = bounded(settings.value("run/recompute"), Recompute::Selective, run.recompute);
        p.last_run = run;
    }
    p.baseline.place = bounded(settings.value("baseline_place"), BaselinePlace::SideBySide, p.baseline.place);
    p.baseline.alignment = bounded(settings.value("alignment"), Alignment::LastForward, p.baseline.alignment);
    if (settings.value("icon_words").toInt() == static_cast<int>(IconWording::Never))
        p.icons.wording = IconWording::Never;
    for (const auto& [key, layer] : kLayerKeys)
        p.layers.*layer = settings.value(key, p.layers.*layer).toBool();
    p.dock_opened = settings.value("dock_opened").toStringList();
    if (const QVariant motion = settings.value("reduced_motion"); motion.isValid())
        p.reduced_motion = motion.toBool();
    p.first_steps_shown = settings.value("first_steps_shown", false).toBool();
    p.geometry = settings.value("geometry").toByteArray();
    p.recent_files = settings.value("recent_files").toStringList().mid(0, kRecentFiles);
    p.folder = settings.value("folder").toString();
    p.figures = loadedFigures(settings);
    p.export_folder = settings.value("export_folder").toString();
    return p;
}

void Preferences::save() const {
    QSettings settings;
    if (theme != theme_of_start) settings.setValue("theme", static_cast<int>(theme));
    settings.setValue("scheme", static_cast<int>(scheme));
    keep(settings, QStringLiteral("scale"), scale, firstScale());
    if (language != language_of_start)
        keep(settings, QStringLiteral("language"), static_cast<int>(language),
             static_cast<int>(systemLanguage()));
    settings.setValue("dock", dock);
    settings.setValue("schedule_panel", schedule_panel);
    settings.setValue("step_grid", step_grid);
    settings.setValue("bubble_of_ideal", of_ideal);
    settings.setValue("count_from_zero", count_from_zero);
    settings.setValue("in_forwards", in_forwards);
    settings.setValue("calibrate_when_busy", calibrate_when_busy);
    settings.setValue("ask_before_discarding", ask_before_discarding);
    if (last_run) {
        settings.setValue("run/schedule", last_run->schedule);
        settings.setValue("run/p", last_run->p);
        settings.setValue("run/m", last_run->m);
        settings.setValue("run/v", last_run->v);
        settings.setValue("run/recompute", static_cast<int>(last_run->recompute));
    }
    settings.setValue("baseline_place", static_cast<int>(baseline.place));
    settings.setValue("alignment", static_cast<int>(baseline.alignment));
    for (const auto& [key, layer] : kLayerKeys) settings.setValue(key, layers.*layer);
    settings.setValue("dock_opened", dock_opened);
    settings.setValue("icon_words", static_cast<int>(icons.wording));
    settings.remove("icon_uses");  // of earlier versions
    if (reduced_motion) settings.setValue("reduced_motion", *reduced_motion);
    settings.setValue("first_steps_shown", first_steps_shown);
    settings.setValue("geometry", geometry);
    settings.setValue("recent_files", recent_files);
    settings.setValue("folder", folder);
    saveFigures(settings, figures);
    settings.setValue("export_folder", export_folder);
}

void Preferences::rememberRun(const RunConfig& config) {
    if (findSchedule(config.schedule) == nullptr) return;
    last_run = {QString::fromStdString(config.schedule), config.params.p, config.params.m, config.params.v,
                config.recompute};
}

RunConfig Preferences::withLastRun(RunConfig config) const {
    if (!last_run) return config;
    config.schedule = last_run->schedule.toStdString();
    config.params.p = last_run->p;
    config.params.m = last_run->m;
    config.params.v = last_run->v;
    config.recompute = last_run->recompute;
    return config;
}

QStringList Preferences::openableFiles() const {
    QStringList files;
    for (const QString& path : recent_files)
        if (!figureFormat(path) && QFileInfo::exists(path)) files << path;
    return files;
}

QString Preferences::exportFolder() const {
    if (QFileInfo(export_folder).isDir()) return export_folder;
    return QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
}

void Preferences::remember(const QString& file) {
    const QFileInfo info(file);
    recent_files.removeAll(info.absoluteFilePath());
    recent_files.prepend(info.absoluteFilePath());
    recent_files = recent_files.mid(0, kRecentFiles);
    folder = info.absolutePath();
}

}  // namespace bscope::ui
