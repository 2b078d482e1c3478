// The editing half of the tool bar: which configuration is in force, which one the fields show, what waits,
// what is illegal.
#include <algorithm>
#include <utility>

#include "schedule/file_schedule.h"
#include "widgets/bars/control_bar.h"
#include "widgets/text/config_text.h"

namespace bscope::ui {

void ControlBar::setConfig(const RunConfig& in_force) {
    settle_.stop();
    in_force_ = edited_ = announced_ = in_force;
    asked_v_ = in_force.params.v;
    problems_.clear();
    showConfig(in_force);
    showProblems();
    markPending();
}

void ControlBar::setInForce(const RunConfig& config) {
    in_force_ = config;
    const bool editing = settle_.isActive() || !problems_.empty() || pending_;
    if (!editing && edited_ != config) setConfig(config);
    markPending();
}

// What was asked for stays in the fields, to be put right.
void ControlBar::setRefused(const RunConfig& config, const std::vector<Problem>& problems) {
    const bool was_shown = std::exchange(refusal_shown_, false);
    refused_ = problems;
    if (settle_.isActive() || (problems.empty() && !was_shown)) return;  // another one is being typed
    if (!problems.empty()) {
        edited_ = announced_ = config;
        showConfig(edited_);
    }
    problems_ = problems;
    refusal_shown_ = !problems.empty();
    showProblems();
    markPending();
}

void ControlBar::setPending(const std::optional<PendingChange>& pending) {
    pending_ = pending;
    if (pending && !settle_.isActive() && problems_.empty()) {
        edited_ = announced_ = pending->config;
        showConfig(edited_);
    }
    markPending();
}

void ControlBar::showConfig(const RunConfig& config) {
    const QSignalBlocker quiet_schedule(schedule_), quiet_recompute(recompute_);
    p_->setNumber(config.params.p);
    m_->setNumber(config.params.m);
    v_->setNumber(config.params.v);
    schedule_->setSchedule(config.schedule);
    recompute_->setCurrentIndex(imported_ ? -1 : static_cast<int>(config.recompute));
    setup_panel_->setConfig(config);
    showSummary();
    for (ChoiceField* field : std::initializer_list<ChoiceField*>{
             schedule_, recompute_}) {  // told nothing while their signals were blocked
        field->updateGeometry();
        field->update();
    }
}

void ControlBar::readFields() {
    const int former_replicas = edited_.params.d;
    edited_ = setup_panel_->appliedTo(edited_);
    const bool stages_changed = edited_.params.p != p_->number() || edited_.params.v != v_->number();
    edited_.params.p = p_->number();
    edited_.params.m = m_->number();
    edited_.params.v = v_->number();
    edited_.schedule = schedule_->schedule().toStdString();
    edited_.recompute = static_cast<Recompute>(recompute_->currentIndex());
    const bool ranks_changed = stages_changed || edited_.params.d != former_replicas;
    if (stages_changed)
        edited_.layers_per_stage.clear();  // made for another number of stages it means nothing
    if (!ranks_changed) return;
    const int ranks = edited_.params.ranks();
    std::erase_if(edited_.slow_ranks, [ranks](const auto& slow) { return slow.first >= ranks; });
}

void ControlBar::commit() {
    settle_.stop();
    readFields();
    problems_ = problems(edited_);
    refusal_shown_ = problems_.empty() && edited_ == announced_ && !refused_.empty();
    if (refusal_shown_) problems_ = refused_;
    setup_panel_->setConfig(edited_);
    showSummary();
    showProblems();
    markPending();
    if (!problems_.empty() || edited_ == announced_) return;
    announced_ = edited_;
    emit configEdited(edited_);
}

void ControlBar::chooseSchedule(const QString& name) {
    {
        const QSignalBlocker quiet(schedule_);
        schedule_->setSchedule(name.toStdString());
    }
    pickSchedule();
}

// What was asked for where the schedule makes use of it, else its usual one.
int ControlBar::chunksFor(const CatalogEntry& schedule) const {
    if (schedule.fixed_v > 0) return schedule.fixed_v;
    const int usual = defaultChunks(schedule);
    return asked_v_ > 1 || usual == 1 ? std::max(asked_v_, schedule.min_v) : usual;
}

// Whoever chooses a schedule by its name does not choose its v: the right one comes with it, and goes when
// another schedule is chosen. A file's schedule comes with all three.
void ControlBar::pickSchedule() {
    const std::string name = schedule_->schedule().toStdString();
    const int former = v_->number();
    if (const CatalogEntry* entry = findSchedule(name)) {
        v_->setNumber(chunksFor(*entry));
        if (v_->number() != former)
            emit said(entry->fixed_v == 0 && v_->number() == defaultChunks(*entry)
                          ? tr("v = %1, the usual v of %2").arg(v_->number()).arg(scheduleTitle(name))
                          : tr("v = %1 for %2").arg(v_->number()).arg(scheduleTitle(name)));
    } else if (isFileSchedule(name)) {
        for (const Problem& problem : scheduleProblems(name, {p_->number(), v_->number(), m_->number(), 0})) {
            if (problem.legal.empty()) continue;
            const auto nearest = static_cast<double>(problem.legal.front());
            if (problem.field == "v") v_->setNumber(nearest);
            if (problem.field == "p") p_->setNumber(nearest);
            if (problem.field == "m") m_->setNumber(nearest);
        }
    }
    commit();
}

std::vector<std::vector<Fix>> ControlBar::offersOfEdit() const {
    return legalOffers(edited_, announced_, refusal_shown_ ? problems_ : std::vector<Problem>{});
}

void ControlBar::showProblems() {
    const std::vector<std::vector<Fix>> offers = offersOfEdit();
    const std::vector<Fix> fixes = offers.empty() ? std::vector<Fix>{} : offers.front();
    bool setup_illegal = false;
    const auto names = [&](const char* field) {
        return std::ranges::find(problems_, field, &Problem::field) != problems_.end() ||
               std::ranges::find(fixes, field, &Fix::first) != fixes.end();
    };
    for (const Problem& problem : problems_) setup_illegal = setup_illegal || SetupPanel::owns(problem.field);
    p_->setIllegal(names("p"));
    m_->setIllegal(names("m"));
    v_->setIllegal(names("v"));
    setup_->setIllegal(setup_illegal);
    setup_panel_->setProblems(problems_, fixes);
    problem_chip_->setProblems(problems_, offers);
    collapse();
}

void ControlBar::markPending() {
    const RunConfig& now = in_force_;
    const RunConfig* next = pending_ ? &pending_->config : nullptr;
    const auto mark = [&](NumberField* field, int before, int after) {
        field->setPendingFrom(next != nullptr && before != after ? std::optional<double>(before)
                                                                 : std::nullopt);
    };
    mark(p_, now.params.p, next != nullptr ? next->params.p : 0);
    mark(m_, now.params.m, next != nullptr ? next->params.m : 0);
    mark(v_, now.params.v, next != nullptr ? next->params.v : 0);
    const auto look = [](bool differs) { return differs ? FieldLook::Pending : FieldLook::Normal; };
    const bool other_schedule = std::any_of(problems_.begin(), problems_.end(), [](const Problem& problem) {
        return problem.field == "schedule";
    });
    schedule_->setLook(other_schedule ? FieldLook::Illegal
                                      : look(next != nullptr && next->schedule != now.schedule));
    recompute_->setLook(look(next != nullptr && next->recompute != now.recompute));
    if (next != nullptr) {
        pending_chip_->setText(pending_->new_run
                                   ? tr("new run from iteration %1").arg(pending_->from_iteration + 1)
                                   : tr("from iteration %1").arg(pending_->from_iteration + 1));
        pending_chip_->setToolTip(configChanges(now, *next).join('\n') + '\n' + tr("Click to undo"));
        pending_chip_->updateGeometry();
    }
    collapse();
}

void ControlBar::showSummary() {
    if (imported_) return setup_->setSummary(tr("not in the files"));
    // What a lesson chose may be what it asks for.
    setup_->setSummary(lesson_settings_ ? tr("set by the lesson")
                                        : setupSummary(setup_panel_->appliedTo(edited_)));
}

void ControlBar::setImported(bool on) {
    if (std::exchange(imported_, on) == on) return;
    showConfig(edited_);
}

void ControlBar::setLessonSettings(bool on) {
    lesson_settings_ = on;
    showSummary();
}

}  // namespace bscope::ui
