#include "app/window/palette_entries.h"

#include <QAction>
#include <QCoreApplication>
#include <QTranslator>
#include <algorithm>
#include <span>

#include "app/find/command_palette.h"
#include "catalog/catalog.h"
#include "catalog/explanation.h"
#include "catalog/presets.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

struct Palette {
    Q_DECLARE_TR_FUNCTIONS(Palette)
};

// A source text and its translation, whatever the language of the window.
class BothLanguages {
public:
    BothLanguages() { chinese_ready_ = chinese_.load(QStringLiteral(":/i18n/bubblescope_zh_CN.qm")); }
    QStringList of(const char* context, const QByteArray& source) const {
        QStringList names{plain(QString::fromUtf8(source))};
        if (!chinese_ready_) return names;
        const QString translated = chinese_.translate(context, source.constData());
        if (!translated.isEmpty()) names << plain(translated);
        return names;
    }

private:
    static QString plain(const QString& text) { return withoutMnemonic(text.section(u'\t', 0, 0)); }

    QTranslator chinese_;
    bool chinese_ready_ = false;
};

class Collector {
public:
    Collector(const WindowActions& actions, const Commands& canvas, const Session& session,
              ControlBar& controls)
        : actions_(actions), canvas_(canvas), controls_(controls) {
        if (session.state() == SessionState::Replaying)
            replaying_ = Palette::tr("a recording cannot be changed");
    }

    std::vector<PaletteEntry> take() {
        actions();
        schedules();
        options();
        return std::move(entries_);
    }

private:
    void actions() {
        for (QAction* action : actions_.all()) {
            const QString name = plainActionText(*action);
            if (action->isSeparator() || action->menu() || name.isEmpty()) continue;
            PaletteEntry entry;
            entry.name = commandName(*action);
            entry.words = QStringList{name} + action->property(kFurtherNames).toStringList();
            const QByteArray source = action->property(kSourceText).toByteArray();
            if (!source.isEmpty())
                entry.words += both_.of(action->property(kSourceContext).toByteArray().constData(), source);
            QStringList keys;
            for (const QKeySequence& key : action->shortcuts())
                keys << key.toString(QKeySequence::NativeText);
            entry.key = keys.join(QStringLiteral(", "));
            entry.why_not = canvas_.whyNot(*action);
            if (entry.why_not.isEmpty()) entry.why_not = actions_.whyNot(*action);
            if (entry.why_not.isEmpty()) entry.run = [action] { action->trigger(); };
            entries_.push_back(std::move(entry));
        }
    }

    // Of a schedule that is not legal for these p and m the tool bar offers what is: it can be chosen.
    void schedules() {
        for (const CatalogEntry& schedule : catalog()) {
            const QString title = scheduleTitle(schedule.name);
            PaletteEntry entry;
            entry.name = Palette::tr("Schedule: %1").arg(title);
            entry.words = QStringList{title, QString::fromUtf8(schedule.name)} +
                          QStringList{QString::fromUtf8(schedule.title),
                                      QString::fromStdString(titleOf(schedule, bscope::Language::Chinese))};
            for (const std::span<const Preset> table : {presets(), aliases()})
                for (const Preset& each : table)
                    if (each.schedule == std::string_view(schedule.name))
                        entry.words << QString::fromUtf8(each.name);
            const QString name = QString::fromUtf8(schedule.name);
            entry.why_not = replaying_.isEmpty() ? problemOf(schedule) : replaying_;
            if (replaying_.isEmpty()) entry.run = [this_ = &controls_, name] { this_->chooseSchedule(name); };
            entries_.push_back(std::move(entry));
        }
    }

    QString problemOf(const CatalogEntry& schedule) const {
        ScheduleParams params = controls_.edited().params;
        params.v = controls_.chunksFor(schedule);
        params.segments = schedule.usual_segments;
        const std::vector<Problem> found = scheduleProblems(schedule.name, params);
        return found.empty() ? QString() : problemText(found.front());
    }

    void options() {
        for (const ControlBar::Option& option : controls_.options()) {
            PaletteEntry entry;
            entry.name = Palette::tr("Option: %1").arg(option.name);
            entry.words = QStringList{option.name} + both_.of(option.context, option.source);
            entry.why_not = replaying_;
            if (replaying_.isEmpty()) entry.run = option.enter;
            entries_.push_back(std::move(entry));
        }
        for (int i = 0; i < controls_.recompute()->count(); ++i) {
            const QString value = controls_.recompute()->itemText(i);
            PaletteEntry entry;
            entry.name = Palette::tr("Checkpointing: %1").arg(value);
            entry.words = {entry.name,
                           QStringLiteral("checkpointing %1").arg(QLatin1String(toText(Recompute(i)))),
                           QStringLiteral("recompute %1").arg(QLatin1String(toText(Recompute(i)))),
                           QStringLiteral("重计算")};
            entry.why_not = replaying_;
            if (replaying_.isEmpty())
                entry.run = [field = controls_.recompute(), i] { field->setCurrentIndex(i); };
            entries_.push_back(std::move(entry));
        }
    }

    const WindowActions& actions_;
    const Commands& canvas_;
    ControlBar& controls_;
    BothLanguages both_;
    QString replaying_;
    std::vector<PaletteEntry> entries_;
};

}  // namespace

QStringList namesOfImprove() {
    return {
        QStringLiteral("Improve"),  QStringLiteral("What would help"), QStringLiteral("Which schedule when"),
        QStringLiteral("Tune"),     QStringLiteral("Advice"),          QStringLiteral("改进"),
        QStringLiteral("怎样更快"), QStringLiteral("何时用哪种调度"),  QStringLiteral("调优")};
}

std::vector<PaletteEntry> paletteEntries(const WindowActions& actions, const Commands& canvas,
                                         const Session& session, ControlBar& controls) {
    return Collector(actions, canvas, session, controls).take();
}

}  // namespace bscope::ui
