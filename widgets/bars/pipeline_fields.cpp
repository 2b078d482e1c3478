#include "widgets/bars/pipeline_fields.h"

#include <QSignalBlocker>
#include <algorithm>

#include "schedule/formats/file_schedule.h"
#include "widgets/text/config_text.h"

namespace bscope::ui {
namespace {

constexpr const char* kP = QT_TRANSLATE_NOOP("bscope::ui::PipelineFields", "p: pipeline ranks");
constexpr const char* kM =
    QT_TRANSLATE_NOOP("bscope::ui::PipelineFields", "m: micro-batches of one iteration");
constexpr const char* kV =
    QT_TRANSLATE_NOOP("bscope::ui::PipelineFields", "v: model chunks per rank (virtual pipeline)");
constexpr const char* kSchedule = QT_TRANSLATE_NOOP("bscope::ui::PipelineFields", "Schedule");
constexpr const char* kCheckpointing = QT_TRANSLATE_NOOP("bscope::ui::PipelineFields", "Checkpointing");

Label* softLabel(QWidget* parent) {
    return new Label(TextRole::Soft, parent);
}

}  // namespace

PipelineFields::PipelineFields(QWidget* parent)
    : QObject(parent),
      schedule(new ScheduleField(parent)),
      p(new NumberField(1, 9999, 0, parent)),
      m(new NumberField(1, 99999, 0, parent)),
      v(new NumberField(1, 999, 0, parent)),
      recompute(new ChoiceField(parent)),
      schedule_label(softLabel(parent)),
      p_label(softLabel(parent)),
      m_label(softLabel(parent)),
      v_label(softLabel(parent)),
      recompute_label(softLabel(parent)) {
    p->setDigits(2);
    m->setDigits(3);
    v->setDigits(2);
    for (int value = 0; value < 3; ++value) recompute->addItem(QString());
    connect(v, &QDoubleSpinBox::valueChanged, this, [this] { emit chunksEdited(v->number()); });
    for (NumberField* field : {p, m, v}) {
        connect(field, &QDoubleSpinBox::valueChanged, this, &PipelineFields::edited);
        connect(field, &NumberField::done, this, &PipelineFields::done);
    }
    connect(schedule, &ScheduleField::picked, this, &PipelineFields::schedulePicked);
    for (ChoiceField* field : std::initializer_list<ChoiceField*>{schedule, recompute}) {
        connect(field, &QComboBox::currentIndexChanged, this, &PipelineFields::edited);
        connect(field, &ChoiceField::done, this, &PipelineFields::done);
    }
}

std::vector<PipelineFields::Named> PipelineFields::all() const {
    return {{kSchedule, schedule}, {kP, p}, {kM, m}, {kV, v}, {kCheckpointing, recompute}};
}

void PipelineFields::show(const RunConfig& config, bool knows_checkpointing) {
    const QSignalBlocker quiet_schedule(schedule), quiet_recompute(recompute);
    p->setNumber(config.params.p);
    m->setNumber(config.params.m);
    v->setNumber(config.params.v);
    schedule->setSchedule(config.schedule);
    recompute->setCurrentIndex(knows_checkpointing ? static_cast<int>(config.recompute) : -1);
    for (ChoiceField* field :
         std::initializer_list<ChoiceField*>{schedule, recompute}) {  // their signals were blocked
        field->updateGeometry();
        field->update();
    }
}

RunConfig PipelineFields::appliedTo(RunConfig base) const {
    const bool stages_changed = base.params.p != p->number() || base.params.v != v->number();
    base.params.p = p->number();
    base.params.m = m->number();
    base.params.v = v->number();
    const std::string chosen = schedule->schedule().toStdString();
    if (const CatalogEntry* entry = findSchedule(chosen); entry != nullptr && chosen != base.schedule)
        base.params.segments = entry->usual_segments;
    base.schedule = chosen;
    base.recompute = static_cast<Recompute>(recompute->currentIndex());
    if (stages_changed) base.layers_per_stage.clear();  // made for another number of stages it means nothing
    return base;
}

void PipelineFields::setSchedule(const QString& name) {
    const QSignalBlocker quiet(schedule);
    schedule->setSchedule(name.toStdString());
}

QString PipelineFields::takeUsual(const ConfigEdit& edit) {
    const std::string name = schedule->schedule().toStdString();
    const int former = v->number();
    if (const CatalogEntry* entry = findSchedule(name)) {
        const int usual = edit.chunksFor(*entry);
        v->setNumber(usual);
        if (const int most = mostLegalChunks(edit.shown(), *entry, usual); most != usual) {
            v->setNumber(most);
            return tr("v = %1 for %2: v = %3 is not possible with this p, m and number of layers")
                .arg(most)
                .arg(scheduleTitle(name))
                .arg(usual);
        }
        if (v->number() == former) return {};
        return entry->fixed_v == 0 && v->number() == defaultChunks(*entry)
                   ? tr("v = %1, the usual v of %2").arg(v->number()).arg(scheduleTitle(name))
                   : tr("v = %1 for %2").arg(v->number()).arg(scheduleTitle(name));
    }
    if (!isFileSchedule(name)) return {};
    for (const Problem& problem : scheduleProblems(name, {p->number(), v->number(), m->number(), 0})) {
        if (problem.legal.empty()) continue;
        const auto nearest = static_cast<double>(problem.legal.front());
        if (problem.field == "v") v->setNumber(nearest);
        if (problem.field == "p") p->setNumber(nearest);
        if (problem.field == "m") m->setNumber(nearest);
    }
    return {};
}

int PipelineFields::mostLegalChunks(const RunConfig& shown, const CatalogEntry& entry, int usual) const {
    RunConfig chosen = appliedTo(shown);
    for (int chunks = usual; chunks >= entry.min_v; --chunks) {
        chosen.params.v = chunks;
        if (problems(chosen).empty()) return chunks;
    }
    return usual;
}

void PipelineFields::markIllegal(const std::vector<Problem>& problems, const std::vector<Fix>& fixes) {
    const auto names = [&](const char* field) {
        return std::ranges::find(problems, field, &Problem::field) != problems.end() ||
               std::ranges::find(fixes, field, &Fix::first) != fixes.end();
    };
    p->setIllegal(names("p"));
    m->setIllegal(names("m"));
    v->setIllegal(names("v"));
}

void PipelineFields::markPending(const ConfigEdit& edit) {
    const RunConfig& now = edit.inForce();
    const RunConfig* next = edit.pending() ? &edit.pending()->config : nullptr;
    const auto mark = [&](NumberField* field, int before, int after) {
        field->setPendingFrom(next != nullptr && before != after ? std::optional<double>(before)
                                                                 : std::nullopt);
    };
    mark(p, now.params.p, next != nullptr ? next->params.p : 0);
    mark(m, now.params.m, next != nullptr ? next->params.m : 0);
    mark(v, now.params.v, next != nullptr ? next->params.v : 0);
    const auto look = [](bool differs) { return differs ? FieldLook::Pending : FieldLook::Normal; };
    const bool other_schedule =
        std::ranges::find(edit.problems(), "schedule", &Problem::field) != edit.problems().end();
    schedule->setLook(other_schedule ? FieldLook::Illegal
                                     : look(next != nullptr && next->schedule != now.schedule));
    recompute->setLook(look(next != nullptr && next->recompute != now.recompute));
}

void PipelineFields::setEnabled(bool on) {
    for (QWidget* field : std::initializer_list<QWidget*>{schedule, p, m, v, recompute})
        field->setEnabled(on);
}

void PipelineFields::retranslate() {
    schedule_label->setText(tr(kSchedule));
    p_label->setText(QStringLiteral("p"));
    m_label->setText(QStringLiteral("m"));
    v_label->setText(QStringLiteral("v"));
    recompute_label->setText(tr(kCheckpointing));
    recompute->setPlaceholderText(tr("unknown"));
    p->setToolTip(tr(kP));
    m->setToolTip(tr(kM));
    v->setToolTip(tr(kV));
    recompute->setToolTip(
        tr("Activation checkpointing: do not keep all activations of the forward pass, recompute them in the "
           "backward pass"));
    for (NumberField* field : {p, m, v}) field->setAccessibleName(field->toolTip());
    p_label->setToolTip(p->toolTip());
    m_label->setToolTip(m->toolTip());
    v_label->setToolTip(v->toolTip());
    schedule->setAccessibleName(schedule_label->text());
    recompute->setAccessibleName(recompute_label->text());
    schedule->retranslate();
    for (int i = 0; i < recompute->count(); ++i)
        recompute->setItemText(i, recomputeText(static_cast<Recompute>(i)));
}

}  // namespace bscope::ui
