// Layout, states and words of the tool bar.
#include "widgets/bars/control_bar.h"

#include <QAction>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>

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

// The thin line between two groups.
class Rule : public QWidget, public Themed {
public:
    explicit Rule(QWidget* parent) : QWidget(parent) {}
    void setTheme(const Theme& theme) override {
        theme_ = theme;
        setFixedSize(theme.px(25), theme.px(28));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.fillRect(width() / 2, 0, 1, height(), theme_.rule);
    }

private:
    Theme theme_;
};

}  // namespace

ControlBar::ControlBar(QWidget* parent) : QWidget(parent) {
    run_ = new Button(ButtonLook::Primary, Glyph::Run, this);
    run_->setMinimumTextWidth(46);
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
        rules_.push_back(new Rule(this));
        row->addWidget(rules_.back());
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
    addRule();
    row->addWidget(setup_);
    row->addStretch(1);
    row->addWidget(views_);
    row->addSpacing(4);
    row->addWidget(export_);
    row->addWidget(overflow_);
    chainTabs({run_, step_, speed_, schedule_, explain_, grid_, p_, m_, v_, recompute_, pending_chip_,
               problem_chip_, setup_, views_, export_, overflow_});
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ControlBar::connectFields() {
    for (int value = 0; value < 3; ++value) recompute_->addItem(QString());
    for (double speed : kSpeeds) speed_->addItem(trimmedText(speed, 2) + QStringLiteral("×"), speed);
    speed_->setCurrentIndex(speed_->findData(1.0));

    connect(&settle_, &QTimer::timeout, this, &ControlBar::commit);
    connect(v_, &QDoubleSpinBox::valueChanged, this, [this] { asked_v_ = v_->number(); });
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
    connect(run_, &QAbstractButton::clicked, this, &ControlBar::runPressed);
    connect(step_, &QAbstractButton::clicked, this, &ControlBar::stepClicked);
    connect(pending_chip_, &QAbstractButton::clicked, this, [this] {
        setPending(std::nullopt);
        setConfig(in_force_);
        emit undoPending();
    });
    connect(problem_chip_, &ProblemChip::fixChosen, this, [this](int offer) {
        readFields();
        const auto offers = offersOfEdit();
        if (offer < std::ssize(offers)) edited_ = withFixes(edited_, offers[static_cast<std::size_t>(offer)]);
        asked_v_ = edited_.params.v;
        showConfig(edited_);
        commit();
    });
    connect(overflow_menu_, &QMenu::aboutToShow, this, &ControlBar::fillOverflow);
    connect(overflow_, &QAbstractButton::clicked, this, [this] {
        const QPoint below(overflow_->width() - overflow_menu_->sizeHint().width(), overflow_->height() + 2);
        overflow_menu_->popup(overflow_->mapToGlobal(below));
    });
    connect(views_, &Segments::chosen, this,
            [this](int view) { emit viewChosen(static_cast<MainView>(view)); });
}

void ControlBar::setState(SessionState state, bool replay_runs) {
    state_ = state;
    replay_runs_ = replay_runs;
    const bool replay = state == SessionState::Replaying;
    switch (state) {
        case SessionState::Starting:
            run_->setText(tr("Cancel"));
            run_->setGlyph(Glyph::Cancel);
            break;
        case SessionState::Running:
            run_->setText(tr("Pause"));
            run_->setGlyph(Glyph::Pause);
            break;
        case SessionState::Pausing:  // pressed again, it goes on
            run_->setText(tr("Pausing"));
            run_->setGlyph(Glyph::Run);
            break;
        case SessionState::Disconnected:
            run_->setText(tr("Reconnect"));
            run_->setGlyph(Glyph::Reconnect);
            break;
        case SessionState::Failed:
            run_->setText(tr("Run again"));
            run_->setGlyph(Glyph::Run);
            break;
        case SessionState::Replaying:
            run_->setText(replay_runs ? tr("Pause") : tr("Play"));
            run_->setGlyph(replay_runs ? Glyph::Pause : Glyph::Run);
            break;
        default:
            run_->setText(tr("Run"));
            run_->setGlyph(Glyph::Run);
    }
    step_->setEnabled(state == SessionState::Idle || state == SessionState::Paused ||
                      (replay && !replay_runs));
    speed_->setVisible(replay);
    for (QWidget* field : std::initializer_list<QWidget*>{schedule_, p_, m_, v_, recompute_, setup_})
        field->setEnabled(!replay);  // a recording cannot be changed
    collapse();
}

void ControlBar::runPressed() {
    switch (state_) {
        case SessionState::Starting:
            emit cancelClicked();
            break;
        case SessionState::Running:
            emit pauseClicked();
            break;
        case SessionState::Disconnected:
            emit reconnectClicked();
            break;
        case SessionState::Replaying:
            replay_runs_ ? emit pauseClicked() : emit runClicked();
            break;
        default:
            if (settle_.isActive()) commit();  // Run means the values on screen
            emit runClicked();
    }
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
    setup_panel_->fit({below.x() - std::max(0, overhang + theme_.px(12)), below.y()});
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

void ControlBar::setTheme(const Theme& theme) {
    theme_ = theme;
    themeChildren(this, theme);
    layout()->setSpacing(theme.px(6));
    collapse();
    update();
}

void ControlBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void ControlBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_.window);
    painter.fillRect(0, height() - 1, width(), 1, theme_.rule);
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
    setState(state_, replay_runs_);
    showSummary();
    markPending();
}

}  // namespace bscope::ui
