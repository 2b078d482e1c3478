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

#include "widgets/controls/rule.h"
#include "widgets/controls/tab_order.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr int kSettleMs = 150;
constexpr const char* kContext = "bscope::ui::ControlBar";
constexpr const char* kSetup = QT_TRANSLATE_NOOP("bscope::ui::ControlBar", "Setup");
constexpr std::array kSpeeds{0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0};

}  // namespace

ControlBar::ControlBar(QWidget* parent) : QWidget(parent) {
    run_ = new RunButton(this);
    step_ = new Button(ButtonLook::Plain, Glyph::Step, this);
    pending_chip_ = new Button(ButtonLook::Pending, Glyph::Undo, this);
    pending_chip_->setGlyphLast(true);
    pending_chip_->setElided(true);
    pending_chip_->hide();
    export_ = new Button(ButtonLook::Plain, Glyph::Export, this);
    overflow_ = new Button(ButtonLook::Plain, Glyph::More, this);
    overflow_menu_ = new QMenu(this);
    fields_ = new PipelineFields(this);
    explain_ = new Button(ButtonLook::Plain, Glyph::Explain, this);
    grid_ = new Button(ButtonLook::Plain, Glyph::Grid, this);
    for (Button* button : {explain_, grid_}) button->setCheckable(true);
    speed_ = new ChoiceField(this);
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
    icon_words_ = new IconWords(this);
    for (Button* icon : {explain_, grid_, step_, export_}) icon_words_->add(icon);
    connect(icon_words_, &IconWords::changed, this, &ControlBar::collapse);
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
    addField(fields_->schedule_label, fields_->schedule, true);
    row->addWidget(explain_);
    row->addWidget(grid_);
    row->addSpacing(4);
    addField(fields_->p_label, fields_->p);
    addField(fields_->m_label, fields_->m);
    addField(fields_->v_label, fields_->v);
    addField(fields_->recompute_label, fields_->recompute, true);
    Rule* setup_rule = addRule();
    row->addWidget(setup_, 1);
    row->addWidget(views_);
    row->addSpacing(4);
    row->addWidget(export_);
    row->addWidget(overflow_);
    chainTabs({run_, step_, speed_, fields_->schedule, explain_, grid_, fields_->p, fields_->m, fields_->v,
               fields_->recompute, pending_chip_, problem_chip_, setup_, views_, export_, overflow_});
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    room_.emplace(*this, BarRoom::Parts{.run = run_,
                                        .step = step_,
                                        .explain = explain_,
                                        .grid = grid_,
                                        .pending_chip = pending_chip_,
                                        .export_picture = export_,
                                        .overflow = overflow_,
                                        .schedule = fields_->schedule,
                                        .numbers = {fields_->p, fields_->m, fields_->v},
                                        .recompute = fields_->recompute,
                                        .schedule_label = fields_->schedule_label,
                                        .recompute_label = fields_->recompute_label,
                                        .problem_chip = problem_chip_,
                                        .setup = setup_,
                                        .setup_rule = setup_rule,
                                        .views = views_,
                                        .words = icon_words_});
}

void ControlBar::connectFields() {
    for (double speed : kSpeeds) speed_->addItem(trimmedText(speed, 2) + QStringLiteral("×"), speed);
    speed_->setCurrentIndex(speed_->findData(1.0));

    connect(&settle_, &QTimer::timeout, this, &ControlBar::commit);
    connect(fields_, &PipelineFields::chunksEdited, this, [this](int v) { edit_.setAskedChunks(v); });
    connect(fields_, &PipelineFields::edited, &settle_, qOverload<>(&QTimer::start));
    connect(fields_, &PipelineFields::schedulePicked, this, &ControlBar::pickSchedule);
    connect(fields_, &PipelineFields::done, this, [this] {
        if (settle_.isActive()) commit();
        emit focusReturned();
    });
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
    const bool other_parts = speed_->isHidden() == replay;
    speed_->setVisible(replay);
    fields_->setEnabled(!replay);  // a recording cannot be changed
    setup_->setEnabled(!replay);
    if (other_parts) collapse();
}

void ControlBar::setView(MainView view) {
    views_->setCurrent(static_cast<int>(view));
}

void ControlBar::setExportMenu(QMenu* menu) {
    export_menu_ = menu;
    connect(export_, &QAbstractButton::clicked, menu, [this, menu] {
        if (menu->defaultAction() != nullptr) return menu->defaultAction()->trigger();
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
    for (const auto& [source, field] : fields_->all())
        add(PipelineFields::kContext, source, [this, field = field] {
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
    fields_->show(config, !imported_);
    setup_panel_->setConfig(config);
    showSummary();
}

void ControlBar::readFields() {
    RunConfig edited = fields_->appliedTo(setup_panel_->appliedTo(edit_.shown()));
    if (const int ranks = edited.params.layout().world(); ranks != edit_.shown().params.layout().world())
        std::erase_if(edited.slow_ranks, [ranks](const auto& slow) { return slow.first >= ranks; });
    edit_.setShown(edited);
}

void ControlBar::commit() {
    settle_.stop();
    readFields();
    const bool announce = edit_.commit(judge_(edit_.shown()));
    setup_panel_->setConfig(edit_.shown());
    showSummary();
    showProblems();
    markPending();
    if (announce) emit configEdited(edit_.shown());
}

void ControlBar::chooseSchedule(const QString& name) {
    fields_->setSchedule(name);
    pickSchedule();
}

void ControlBar::pickSchedule() {
    if (const QString reported = fields_->takeUsual(edit_); !reported.isEmpty()) emit said(reported);
    commit();
}

void ControlBar::showProblems() {
    const std::vector<Problem>& problems = edit_.problems();
    const std::vector<std::vector<Fix>> offers = edit_.offers();
    const std::vector<Fix> fixes = offers.empty() ? std::vector<Fix>{} : offers.front();
    fields_->markIllegal(problems, fixes);
    bool setup_illegal = false;
    for (const Problem& problem : problems) setup_illegal = setup_illegal || SetupPanel::owns(problem.field);
    setup_->setIllegal(setup_illegal);
    setup_panel_->setProblems(problems, fixes);
    problem_chip_->setProblems(problems, offers);
    placeChips();
}

void ControlBar::markPending() {
    fields_->markPending(edit_);
    if (const std::optional<PendingChange>& pending = edit_.pending()) {
        pending_chip_->setText(pending->new_run
                                   ? tr("new run from iteration %1").arg(pending->from_iteration + 1)
                                   : tr("from iteration %1").arg(pending->from_iteration + 1));
        pending_chip_->setToolTip(configChanges(edit_.inForce(), pending->config).join('\n') + '\n' +
                                  tr("Click to undo"));
    }
    placeChips();
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
    room_->arrange(currentTheme());
    placeChips();
}

void ControlBar::placeChips() {
    room_->placeChips({.problems = !edit_.problems().empty(), .pending = edit_.pending().has_value()},
                      currentTheme());
}

void ControlBar::setPage(QWidget* page) {
    room_->setPage(page);
    page->installEventFilter(this);
    placeChips();
}

bool ControlBar::eventFilter(QObject* page, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move) placeChips();
    return QWidget::eventFilter(page, event);
}

QSize ControlBar::minimumSizeHint() const {
    return BarRoom::leastSize(currentTheme());
}

void ControlBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) collapse();
}

void ControlBar::moveEvent(QMoveEvent* event) {
    QWidget::moveEvent(event);
    placeChips();
}

void ControlBar::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    placeChips();
}

void ControlBar::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    problem_chip_->hide();  // it may lie outside of the bar
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
    fields_->retranslate();
    step_->setText(tr("Step", "one iteration"));
    export_->setText(tr("Export"));
    explain_->setText(tr("Explain"));
    grid_->setText(tr("Grid"));
    step_->setToolTip(tr("One iteration"));
    step_->setAccessibleName(tr("One iteration"));
    overflow_->setToolTip(tr("What does not fit here"));
    overflow_->setAccessibleName(overflow_->toolTip());
    export_->setToolTip(tr("Export picture (Ctrl+E)"));
    export_->setAccessibleName(tr("Export"));
    speed_->setToolTip(tr("Speed of the replay"));
    explain_->setToolTip(tr("About this schedule (E)"));
    explain_->setAccessibleName(tr("About this schedule"));
    grid_->setToolTip(tr("Step-by-rank grid (G)"));
    grid_->setAccessibleName(tr("Step-by-rank grid"));
    setup_->setText(tr(kSetup));
    views_->setTexts({tr("Timeline"), tr("Improve"), tr("Lessons")});
    for (std::size_t i = 0; i < view_actions_.size(); ++i)
        view_actions_[i]->setText(views_->segment(static_cast<int>(i))->text());
    run_->retranslate();
    collapse();
    showSummary();
    markPending();
}

}  // namespace bscope::ui
