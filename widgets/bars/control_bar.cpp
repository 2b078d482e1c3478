#include "widgets/bars/control_bar.h"

#include <QAction>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QResizeEvent>
#include <algorithm>
#include <utility>

#include "schedule/file_schedule.h"
#include "widgets/controls/rule.h"
#include "widgets/controls/tab_order.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr int kSettleMs = 150;
constexpr const char* kContext = "bscope::ui::ControlBar";
constexpr const char* kP = QT_TRANSLATE_NOOP("bscope::ui::ControlBar", "p: pipeline ranks");
constexpr const char* kM = QT_TRANSLATE_NOOP("bscope::ui::ControlBar", "m: micro-batches of one iteration");
constexpr const char* kV =
    QT_TRANSLATE_NOOP("bscope::ui::ControlBar", "v: stages per rank (virtual pipeline)");
constexpr const char* kSchedule = QT_TRANSLATE_NOOP("bscope::ui::ControlBar", "Schedule");
constexpr const char* kCheckpointing = QT_TRANSLATE_NOOP("bscope::ui::ControlBar", "Checkpointing");
constexpr const char* kSetup = QT_TRANSLATE_NOOP("bscope::ui::ControlBar", "Setup");
constexpr std::array kSpeeds{0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0};

}  // namespace

ControlBar::ControlBar(QWidget* parent) : QWidget(parent) {
    run_ = new RunButton(this);
    step_ = new Button(ButtonLook::Plain, Glyph::Step, this);
    pending_chip_ = new Button(ButtonLook::Pending, Glyph::Undo, this);
    pending_chip_->setGlyphLast(true);
    pending_chip_->hide();
    export_ = new Button(ButtonLook::Plain, Glyph::Export, this);
    overflow_ = new Button(ButtonLook::Plain, Glyph::More, this);
    overflow_menu_ = new QMenu(this);
    schedule_ = new ScheduleField(this);
    explain_ = new Button(ButtonLook::Plain, Glyph::Explain, this);
    grid_ = new Button(ButtonLook::Plain, Glyph::Grid, this);
    for (Button* button : {explain_, grid_}) button->setCheckable(true);
    recompute_ = new ChoiceField(this);
    speed_ = new ChoiceField(this);
    p_ = new NumberField(1, 9999, 0, this);
    m_ = new NumberField(1, 99999, 0, this);
    v_ = new NumberField(1, 999, 0, this);
    for (Label** label : {&schedule_label_, &p_label_, &m_label_, &v_label_, &recompute_label_})
        *label = new Label(TextRole::Soft, this);
    problem_chip_ = new ProblemChip(this);
    setup_ = new SetupButton(this);
    setup_panel_ = new SetupPanel(this);
    setup_panel_->setWindowFlag(Qt::Popup);
    setup_panel_->hide();
    views_ = new Segments(3, this);
    views_->setGlyphs({Glyph::Timeline, Glyph::Tune, Glyph::Lessons});
    for (std::size_t i = 0; i < view_actions_.size(); ++i) {
        view_actions_[i] = new QAction(this);
        view_actions_[i]->setShortcut(
            QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i))));
        addAction(view_actions_[i]);
        connect(view_actions_[i], &QAction::triggered, this, [this, i] {
            setView(static_cast<MainView>(i));
            emit viewChosen(static_cast<MainView>(i));
        });
    }
    settle_.setSingleShot(true);
    settle_.setInterval(kSettleMs);
    buildRow();
    connectFields();
    retranslate();
    setConfig(RunConfig{});
    setState(SessionState::Idle);
}

void ControlBar::buildRow() {
    auto* row = new QHBoxLayout(this);
    row->setSizeConstraint(QLayout::SetNoConstraint);
    const auto addRule = [&] {
        auto* rule = new Rule(this);
        row->addWidget(rule);
        return rule;
    };
    const auto addField = [&](QWidget* label, QWidget* field, bool last = false) {
        row->addWidget(label);
        row->addWidget(field);
        if (!last) row->addSpacing(4);
    };
    row->addWidget(run_);
    row->addWidget(step_);
    row->addWidget(speed_);
    addRule();
    addField(schedule_label_, schedule_, true);
    row->addWidget(explain_);
    row->addWidget(grid_);
    row->addSpacing(4);
    addField(p_label_, p_);
    addField(m_label_, m_);
    addField(v_label_, v_);
    addField(recompute_label_, recompute_, true);
    row->addWidget(pending_chip_);
    row->addWidget(problem_chip_);
    Rule* setup_rule = addRule();
    row->addWidget(setup_);
    row->addStretch(1);
    row->addWidget(views_);
    row->addSpacing(4);
    row->addWidget(export_);
    row->addWidget(overflow_);
    chainTabs({run_, step_, speed_, schedule_, explain_, grid_, p_, m_, v_, recompute_, pending_chip_,
               problem_chip_, setup_, views_, export_, overflow_});
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    room_.emplace(*this, BarRoom::Parts{.run = run_,
                                        .step = step_,
                                        .explain = explain_,
                                        .grid = grid_,
                                        .pending_chip = pending_chip_,
                                        .export_picture = export_,
                                        .overflow = overflow_,
                                        .schedule = schedule_,
                                        .recompute = recompute_,
                                        .schedule_label = schedule_label_,
                                        .recompute_label = recompute_label_,
                                        .problem_chip = problem_chip_,
                                        .setup = setup_,
                                        .setup_rule = setup_rule,
                                        .views = views_});
}

void ControlBar::connectFields() {
    for (int value = 0; value < 3; ++value) recompute_->addItem(QString());
    for (double speed : kSpeeds) speed_->addItem(trimmedText(speed, 2) + QStringLiteral("×"), speed);
    speed_->setCurrentIndex(speed_->findData(1.0));

    connect(&settle_, &QTimer::timeout, this, &ControlBar::commit);
    connect(v_, &QDoubleSpinBox::valueChanged, this, [this] { edit_.setAskedChunks(v_->number()); });
    for (NumberField* field : {p_, m_, v_}) {
        connect(field, &QDoubleSpinBox::valueChanged, &settle_, qOverload<>(&QTimer::start));
        connect(field, &NumberField::done, this, [this] {
            if (settle_.isActive()) commit();
            emit focusReturned();
        });
    }
    connect(schedule_, &ScheduleField::picked, this, &ControlBar::pickSchedule);
    for (ChoiceField* field : std::initializer_list<ChoiceField*>{schedule_, recompute_}) {
        connect(field, &QComboBox::currentIndexChanged, &settle_, qOverload<>(&QTimer::start));
        connect(field, &ChoiceField::done, this, [this] {
            if (settle_.isActive()) commit();
            emit focusReturned();
        });
    }
    connect(speed_, &QComboBox::activated, this,
            [this] { emit speedChosen(speed_->currentData().toDouble()); });
    connect(setup_panel_, &SetupPanel::edited, &settle_, qOverload<>(&QTimer::start));
    connect(setup_panel_, &SetupPanel::done, this, [this] {
        if (settle_.isActive()) commit();
        setup_panel_->hide();
        emit focusReturned();
    });
    connect(setup_, &QAbstractButton::clicked, this, &ControlBar::openSetup);
    connect(run_, &RunButton::pauseClicked, this, &ControlBar::pauseClicked);
    connect(run_, &RunButton::cancelClicked, this, &ControlBar::cancelClicked);
    connect(run_, &RunButton::reconnectClicked, this, &ControlBar::reconnectClicked);
    connect(run_, &RunButton::runClicked, this, [this] {
        if (settle_.isActive()) commit();  // Run means the values on screen
        emit runClicked();
    });
    connect(step_, &QAbstractButton::clicked, this, &ControlBar::stepClicked);
    connect(pending_chip_, &QAbstractButton::clicked, this, [this] {
        setPending(std::nullopt);
        setConfig(edit_.inForce());
        emit undoPending();
    });
    connect(problem_chip_, &ProblemChip::fixChosen, this, [this](int offer) {
        readFields();
        edit_.fix(offer);
        showConfig(edit_.shown());
        commit();
    });
    connect(overflow_menu_, &QMenu::aboutToShow, this,
            [this] { room_->fillMenu(*overflow_menu_, export_menu_); });
    connect(overflow_, &QAbstractButton::clicked, this, [this] {
        const QPoint below(overflow_->width() - overflow_menu_->sizeHint().width(), overflow_->height() + 2);
        overflow_menu_->popup(overflow_->mapToGlobal(below));
    });
    connect(views_, &Segments::chosen, this,
            [this](int view) { emit viewChosen(static_cast<MainView>(view)); });
}

void ControlBar::setState(SessionState state, bool replay_runs) {
    run_->setState(state, replay_runs);
    const bool replay = state == SessionState::Replaying;
    step_->setEnabled(state == SessionState::Idle || state == SessionState::Paused ||
                      (replay && !replay_runs));
    speed_->setVisible(replay);
    for (QWidget* field : std::initializer_list<QWidget*>{schedule_, p_, m_, v_, recompute_, setup_})
        field->setEnabled(!replay);  // a recording cannot be changed
    collapse();
}

void ControlBar::setView(MainView view) {
    views_->setCurrent(static_cast<int>(view));
}

void ControlBar::setExportMenu(QMenu* menu) {
    export_menu_ = menu;
    connect(export_, &QAbstractButton::clicked, menu, [this, menu] {
        menu->popup(
            export_->mapToGlobal(QPoint(export_->width() - menu->sizeHint().width(), export_->height() + 2)));
    });
}

void ControlBar::openSetup() {
    setup_panel_->fit(setup_panel_->pos());
    const QWidget* from = setup_->isVisible() ? static_cast<QWidget*>(setup_) : overflow_;
    const QPoint below = from->mapToGlobal(QPoint(0, from->height() + 4));
    const int overhang =
        below.x() + setup_panel_->width() - window()->mapToGlobal(QPoint(window()->width(), 0)).x();
    setup_panel_->fit({below.x() - std::max(0, overhang + currentTheme().px(12)), below.y()});
    setup_panel_->show();
    setup_panel_->setFocus();
}

std::vector<ControlBar::Option> ControlBar::options() {
    std::vector<Option> all;
    const auto add = [&](const char* context, const char* source, std::function<void()> enter) {
        all.push_back({QCoreApplication::translate(context, source), context, source, std::move(enter)});
    };
    for (const auto& [source, field] : std::initializer_list<std::pair<const char*, QWidget*>>{
             {kSchedule, schedule_}, {kP, p_}, {kM, m_}, {kV, v_}, {kCheckpointing, recompute_}})
        add(kContext, source, [this, field = field] {
            if (field->isHidden()) return overflow_->click();
            field->setFocus(Qt::ShortcutFocusReason);
            if (auto* number = qobject_cast<NumberField*>(field)) number->selectAll();
        });
    add(kContext, kSetup, [this] { openSetup(); });
    for (const auto& [source, field] : setup_panel_->options())
        add("bscope::ui::SetupPanel", source, [this, field = field] {
            openSetup();
            QWidget* stop = field;
            if (stop->focusPolicy() == Qt::NoFocus)
                for (auto* part : field->findChildren<QAbstractButton*>())
                    stop = part->isChecked() ? part : stop;
            stop->setFocus(Qt::ShortcutFocusReason);
        });
    return all;
}

void ControlBar::setConfig(const RunConfig& in_force) {
    settle_.stop();
    edit_.reset(in_force);
    showConfig(in_force);
    showProblems();
    markPending();
}

void ControlBar::setInForce(const RunConfig& config) {
    if (lesson_settings_) return;
    if (edit_.setInForce(config, settle_.isActive())) {
        showConfig(config);
        showProblems();
    }
    markPending();
}

void ControlBar::setRefused(const RunConfig& config, const std::vector<Problem>& problems) {
    if (!edit_.setRefused(config, problems, settle_.isActive())) return;
    showConfig(edit_.shown());
    showProblems();
    markPending();
}

void ControlBar::setPending(const std::optional<PendingChange>& pending) {
    if (edit_.setPending(pending, settle_.isActive())) showConfig(edit_.shown());
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
    for (ChoiceField* field :
         std::initializer_list<ChoiceField*>{schedule_, recompute_}) {  // their signals were blocked
        field->updateGeometry();
        field->update();
    }
}

void ControlBar::readFields() {
    const int former_replicas = edit_.shown().params.d;
    RunConfig edited = setup_panel_->appliedTo(edit_.shown());
    const bool stages_changed = edited.params.p != p_->number() || edited.params.v != v_->number();
    edited.params.p = p_->number();
    edited.params.m = m_->number();
    edited.params.v = v_->number();
    edited.schedule = schedule_->schedule().toStdString();
    edited.recompute = static_cast<Recompute>(recompute_->currentIndex());
    const bool ranks_changed = stages_changed || edited.params.d != former_replicas;
    if (stages_changed)
        edited.layers_per_stage.clear();  // made for another number of stages it means nothing
    const int ranks = edited.params.ranks();
    if (ranks_changed)
        std::erase_if(edited.slow_ranks, [ranks](const auto& slow) { return slow.first >= ranks; });
    edit_.setShown(edited);
}

void ControlBar::commit() {
    settle_.stop();
    readFields();
    const bool announce = edit_.commit();
    setup_panel_->setConfig(edit_.shown());
    showSummary();
    showProblems();
    markPending();
    if (announce) emit configEdited(edit_.shown());
}

void ControlBar::chooseSchedule(const QString& name) {
    {
        const QSignalBlocker quiet(schedule_);
        schedule_->setSchedule(name.toStdString());
    }
    pickSchedule();
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

void ControlBar::showProblems() {
    const std::vector<Problem>& problems = edit_.problems();
    const std::vector<std::vector<Fix>> offers = edit_.offers();
    const std::vector<Fix> fixes = offers.empty() ? std::vector<Fix>{} : offers.front();
    bool setup_illegal = false;
    const auto names = [&](const char* field) {
        return std::ranges::find(problems, field, &Problem::field) != problems.end() ||
               std::ranges::find(fixes, field, &Fix::first) != fixes.end();
    };
    for (const Problem& problem : problems) setup_illegal = setup_illegal || SetupPanel::owns(problem.field);
    p_->setIllegal(names("p"));
    m_->setIllegal(names("m"));
    v_->setIllegal(names("v"));
    setup_->setIllegal(setup_illegal);
    setup_panel_->setProblems(problems, fixes);
    problem_chip_->setProblems(problems, offers);
    collapse();
}

void ControlBar::markPending() {
    const RunConfig& now = edit_.inForce();
    const std::optional<PendingChange>& pending = edit_.pending();
    const RunConfig* next = pending ? &pending->config : nullptr;
    const auto mark = [&](NumberField* field, int before, int after) {
        field->setPendingFrom(next != nullptr && before != after ? std::optional<double>(before)
                                                                 : std::nullopt);
    };
    mark(p_, now.params.p, next != nullptr ? next->params.p : 0);
    mark(m_, now.params.m, next != nullptr ? next->params.m : 0);
    mark(v_, now.params.v, next != nullptr ? next->params.v : 0);
    const auto look = [](bool differs) { return differs ? FieldLook::Pending : FieldLook::Normal; };
    const bool other_schedule =
        std::ranges::find(edit_.problems(), "schedule", &Problem::field) != edit_.problems().end();
    schedule_->setLook(other_schedule ? FieldLook::Illegal
                                      : look(next != nullptr && next->schedule != now.schedule));
    recompute_->setLook(look(next != nullptr && next->recompute != now.recompute));
    if (next != nullptr) {
        pending_chip_->setText(pending->new_run
                                   ? tr("new run from iteration %1").arg(pending->from_iteration + 1)
                                   : tr("from iteration %1").arg(pending->from_iteration + 1));
        pending_chip_->setToolTip(configChanges(now, *next).join('\n') + '\n' + tr("Click to undo"));
        pending_chip_->updateGeometry();
    }
    collapse();
}

void ControlBar::showSummary() {
    if (imported_) return setup_->setSummary(tr("not in the files"));
    // The values that a lesson chose may be the answer to its question.
    setup_->setSummary(lesson_settings_ ? tr("set by the lesson")
                                        : setupSummary(setup_panel_->appliedTo(edit_.shown())));
}

void ControlBar::setImported(bool on) {
    if (std::exchange(imported_, on) == on) return;
    showConfig(edit_.shown());
}

void ControlBar::setLessonSettings(const std::optional<RunConfig>& shown) {
    lesson_settings_ = shown.has_value();
    if (shown) setConfig(*shown);
    showSummary();
}

void ControlBar::followTheme() {
    const Theme& theme = currentTheme();
    layout()->setSpacing(theme.px(6));
    collapse();
}

void ControlBar::collapse() {
    room_->arrange({.problems = !edit_.problems().empty(), .pending = edit_.pending().has_value()},
                   currentTheme());
}

QSize ControlBar::minimumSizeHint() const {
    return BarRoom::leastSize(currentTheme());
}

void ControlBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) collapse();  // which sets the height
}

void ControlBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void ControlBar::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    painter.fillRect(0, height() - 1, width(), 1, theme.rule);
}

void ControlBar::retranslate() {
    schedule_label_->setText(tr(kSchedule));
    p_label_->setText(QStringLiteral("p"));
    m_label_->setText(QStringLiteral("m"));
    v_label_->setText(QStringLiteral("v"));
    recompute_label_->setText(tr(kCheckpointing));
    p_->setToolTip(tr(kP));
    m_->setToolTip(tr(kM));
    v_->setToolTip(tr(kV));
    recompute_->setToolTip(
        tr("Activation checkpointing: keep the stage input, recompute in the backward pass"));
    for (NumberField* field : {p_, m_, v_}) field->setAccessibleName(field->toolTip());
    schedule_->setAccessibleName(schedule_label_->text());
    recompute_->setAccessibleName(recompute_label_->text());
    step_->setToolTip(tr("One iteration"));
    step_->setAccessibleName(tr("One iteration"));
    overflow_->setToolTip(tr("What has no room here"));
    overflow_->setAccessibleName(overflow_->toolTip());
    export_->setToolTip(tr("Export picture (Ctrl+E)"));
    export_->setAccessibleName(tr("Export"));
    speed_->setToolTip(tr("Speed of the replay"));
    schedule_->retranslate();
    explain_->setToolTip(tr("About this schedule (E)"));
    explain_->setAccessibleName(tr("About this schedule"));
    grid_->setToolTip(tr("Step-by-rank grid (G)"));
    grid_->setAccessibleName(tr("Step-by-rank grid"));
    for (int i = 0; i < recompute_->count(); ++i)
        recompute_->setItemText(i, recomputeText(static_cast<Recompute>(i)));
    setup_->setText(tr(kSetup));
    views_->setTexts({tr("Timeline"), tr("Tune"), tr("Lessons")});
    for (std::size_t i = 0; i < view_actions_.size(); ++i)
        view_actions_[i]->setText(views_->segment(static_cast<int>(i))->text());
    run_->retranslate();
    collapse();
    showSummary();
    markPending();
}

}  // namespace bscope::ui
