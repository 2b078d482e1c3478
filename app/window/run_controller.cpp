#include "app/window/run_controller.h"

#include <QActionGroup>

namespace bscope::ui {

RunController::RunController(Session& session, ScheduleController& schedules, ControlBar& bar, Shell& shell)
    : QObject(shell.widget()), session_(session), schedules_(schedules), bar_(bar) {
    connect(&session, &Session::stateChanged, this, &RunController::syncState);
    connect(&session, &Session::pendingChanged, this, &RunController::sync);
    connect(&session, &Session::configChanged, this, &RunController::sync);
    connect(&session, &Session::barsChanged, this, &RunController::sync);
    connect(&session, &Session::shownChanged, this, [this] {
        const bool replaying = session_.state() == SessionState::Replaying;
        if (replaying && session_.inForce() != bar_.inForce()) sync();
    });
    connect(&session, &Session::problemsChanged, this, [this] {
        bar_.setRefused(session_.wanted(), session_.problems());
        syncState();
    });
    bar.setJudge([this](const RunConfig& config) { return session_.problemsOf(config); });
    connect(&bar, &ControlBar::configEdited, this, [this](const RunConfig& config) {
        const std::optional<RunConfig> file = schedules_.fileConfig();
        if (file && config.schedule != file->schedule) schedules_.closeFile();
        session_.edit(config);
    });
    connect(&bar, &ControlBar::runClicked, this, &RunController::run);
    connect(&bar, &ControlBar::pauseClicked, &session, &Session::pause);
    connect(&bar, &ControlBar::cancelClicked, &session, &Session::pause);
    connect(&bar, &ControlBar::reconnectClicked, &session, &Session::reconnect);
    connect(&bar, &ControlBar::stepClicked, &session, &Session::step);
    connect(&bar, &ControlBar::undoPending, &session, &Session::undoPending);
    connect(&bar, &ControlBar::speedChosen, this,
            [this](double factor) { session_.replayer().setSpeed(factor); });
    connect(&bar, &ControlBar::said, this, [&shell](const QString& text) { shell.showBriefly(text); });
    connect(&bar, &ControlBar::focusReturned, this, [&shell] { shell.focusCanvas(); });
}

void RunController::addActions(WindowActions& actions) {
    using enum MenuName;
    const auto replays = [this] { return session_.state() == SessionState::Replaying; };
    actions
        .add(Run, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Run or pause"),
             {QKeySequence(Qt::Key_Space), QKeySequence(Qt::Key_F5), QKeySequence(Qt::Key_P)},
             [this] { toggle(); })
        ->setAutoRepeat(false);
    QAction* step = actions.add(Run, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&One iteration"),
                                {QKeySequence(Qt::Key_F6)}, [this] { session_.step(); });
    actions.setCondition(
        step, [this] { return bar_.stepButton()->isEnabled(); },
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "pause first: it runs"));
    QAction* replay_step =
        actions.add(Run, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "One operation on (recording)"),
                    {QKeySequence(Qt::CTRL | Qt::Key_Period)}, [this] { session_.stepReplayOperation(); });
    actions.setCondition(replay_step, replays,
                         QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "no recording is open"));
    actions.addSeparator(Run);
    QAction* undo =
        actions.add(Run, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Undo the pending change"),
                    {QKeySequence(Qt::CTRL | Qt::Key_Z)}, [this] { session_.undoPending(); });
    actions.setCondition(
        undo, [this] { return session_.pending().has_value(); },
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "no change is pending"));
    QAction* defaults = actions.add(Run, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "&Default settings"),
                                    {}, [this] { session_.edit(RunConfig{}); });
    actions.setCondition(
        defaults, [=] { return !replays(); },
        QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "a recording cannot be changed"));
    actions.addSeparator(Run);
    addChoices(
        actions, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "De&vice"), &RunConfig::device,
        {{QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Compute on the CPU"), DeviceChoice::Cpu},
         {QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Compute on GPUs (CUDA)"), DeviceChoice::Cuda},
         {QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Compute on GPUs when there are any (auto)"),
          DeviceChoice::Auto}});
    addChoices(
        actions, QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Number &type"), &RunConfig::dtype,
        {{QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Compute in fp32"), Dtype::Fp32},
         {QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Compute in bf16 (GPUs only)"), Dtype::Bf16}});
}

template <class Value>
void RunController::addChoices(WindowActions& actions, const char* title, Value RunConfig::*member,
                               std::initializer_list<std::pair<const char*, Value>> choices) {
    QMenu* menu = actions.addSubmenu(MenuName::Run, title);
    auto* group = new QActionGroup(this);
    for (const auto& choice : choices) {
        const Value value = choice.second;  // Clang 14 captures no structured binding
        QAction* action = actions.make(
            choice.first,
            [this, member, value] {
                RunConfig config = session_.wanted();
                config.*member = value;
                session_.edit(config);
            },
            true);
        const auto follow = [this, action, member, value] {
            action->setChecked(session_.wanted().*member == value);
        };
        connect(&session_, &Session::configChanged, action, follow);
        follow();
        group->addAction(action);
        menu->addAction(action);
    }
}

bool RunController::startsFile() const {
    const SessionState state = session_.state();
    return (state == SessionState::Idle || state == SessionState::Paused) && schedules_.showsFile();
}

void RunController::run() {
    startsFile() ? schedules_.runFile() : session_.run();
}

void RunController::toggle() {
    if (played_instead_ && played_instead_()) return;
    startsFile() ? schedules_.runFile() : session_.toggleRun();
}

void RunController::sync() {
    bar_.setImported(session_.state() == SessionState::Replaying && session_.shown().import != nullptr);
    bar_.setPending(session_.announcedPending());
    bar_.setInForce(schedules_.fileConfig().value_or(session_.inForce()));  // of what the canvas shows
}

void RunController::syncState() {
    bar_.setState(session_.state(), session_.replayer().playing());
    sync();
}

}  // namespace bscope::ui
