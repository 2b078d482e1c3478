#include "widgets/gantt/commands.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QKeyEvent>
#include <algorithm>
#include <array>

#include "widgets/gantt/gantt_view.h"

namespace bscope::ui {

namespace {

constexpr double kZoomStep = 0.8, kPanShare = 0.1, kScrollPx = 40;
constexpr double kFast = 3, kFine = 1.0 / 3;

// Evdev code of the keys of a US keyboard whose place matters.
struct Place {
    quint32 code;
    Qt::Key key;
};
constexpr std::array kPlaces{
    Place{16, Qt::Key_Q},         Place{17, Qt::Key_W},           Place{18, Qt::Key_E},
    Place{19, Qt::Key_R},         Place{20, Qt::Key_T},           Place{21, Qt::Key_Y},
    Place{22, Qt::Key_U},         Place{23, Qt::Key_I},           Place{24, Qt::Key_O},
    Place{25, Qt::Key_P},         Place{26, Qt::Key_BracketLeft}, Place{27, Qt::Key_BracketRight},
    Place{30, Qt::Key_A},         Place{31, Qt::Key_S},           Place{32, Qt::Key_D},
    Place{33, Qt::Key_F},         Place{34, Qt::Key_G},           Place{35, Qt::Key_H},
    Place{36, Qt::Key_J},         Place{37, Qt::Key_K},           Place{38, Qt::Key_L},
    Place{39, Qt::Key_Semicolon}, Place{44, Qt::Key_Z},           Place{45, Qt::Key_X},
    Place{46, Qt::Key_C},         Place{47, Qt::Key_V},           Place{48, Qt::Key_B},
    Place{49, Qt::Key_N},         Place{50, Qt::Key_M},           Place{51, Qt::Key_Comma},
    Place{52, Qt::Key_Period}};

// Scan codes are evdev codes + 8 under X11 and Wayland, the codes themselves on Windows; elsewhere (macOS,
// offscreen) there are none.
std::optional<quint32> scanCodeOffset(const QString& platform) {
    if (platform == u"xcb" || platform.startsWith(u"wayland")) return 8;
    if (platform == u"windows") return 0;
    return std::nullopt;
}

}  // namespace

Qt::Key keyByPlace(quint32 scan_code, Qt::Key key, const QString& platform) {
    const std::optional<quint32> offset = scanCodeOffset(platform);
    if (!offset || scan_code <= *offset) return key;
    for (const Place& place : kPlaces)
        if (scan_code == place.code + *offset) return place.key;
    return key;
}

Qt::Key keyByPlace(const QKeyEvent& event) {
    return keyByPlace(event.nativeScanCode(), static_cast<Qt::Key>(event.key()),
                      QGuiApplication::platformName());
}

void nameForPalette(QAction& action, const char* context, const char* source) {
    action.setProperty(kSourceText, QByteArray(source));
    action.setProperty(kSourceContext, QByteArray(context));
}

Commands::Commands(GanttView& view) : QObject(&view), view_(view) {
    GanttView* v = &view;
    const auto zoomIn = [v](double speed) { v->zoomBy(std::pow(kZoomStep, speed)); };
    const auto zoomOut = [v](double speed) { v->zoomBy(std::pow(kZoomStep, -speed)); };
    using enum Group;
    add(Navigate, QT_TR_NOOP("Zoom in"), {Qt::Key_W, Qt::Key_Plus, Qt::Key_Equal}, zoomIn);
    add(Navigate, QT_TR_NOOP("Zoom out"), {Qt::Key_S, Qt::Key_Minus}, zoomOut);
    add(Navigate, QT_TR_NOOP("Pan left"), {Qt::Key_A, Qt::Key_Left},
        [v](double speed) { v->panBy(-kPanShare * speed); });
    add(Navigate, QT_TR_NOOP("Pan right"), {Qt::Key_D, Qt::Key_Right},
        [v](double speed) { v->panBy(kPanShare * speed); });
    add(Navigate, QT_TR_NOOP("Lanes up"), {Qt::Key_Up}, [v](double) { v->scrollLanes(-kScrollPx); });
    add(Navigate, QT_TR_NOOP("Lanes down"), {Qt::Key_Down}, [v](double) { v->scrollLanes(kScrollPx); });
    add(Navigate, QT_TR_NOOP("Whole iteration"), {Qt::Key_0, Qt::Key_Home}, [v](double) { v->fit(); });
    add(
        Navigate, QT_TR_NOOP("Zoom to the measured range"), {Qt::Key_Z}, [v](double) { v->zoomToMeasured(); },
        Needs::Range);
    add(
        Navigate, QT_TR_NOOP("Focus the selection"), {Qt::Key_F}, [v](double) { v->focusSelection(); },
        Needs::Selection);
    add(Navigate, QT_TR_NOOP("Undo zoom"), {Qt::Key_Backspace}, [v](double) { v->state().undoZoom(); });
    add(Select, QT_TR_NOOP("Clear selection and range, then the filter"), {Qt::Key_Escape},
        [v](double) { v->clear(); });
    add(Select, QT_TR_NOOP("Previous box on the lane"), {Qt::Key_Comma},
        [v](double) { v->stepSelection(-1); });
    add(Select, QT_TR_NOOP("Next box on the lane"), {Qt::Key_Period}, [v](double) { v->stepSelection(+1); });
    add(Select, QT_TR_NOOP("Next largest gap of the iteration"), {Qt::Key_Semicolon},
        [v](double) { v->stepGap(+1); });
    add(Select, QT_TR_NOOP("Back to the larger gap"),
        {int{Qt::SHIFT} | Qt::Key_Semicolon, int{Qt::SHIFT} | Qt::Key_Colon},
        [v](double) { v->stepGap(-1); });
    add(
        Select, QT_TR_NOOP("Follow the dependency or the chain of reasons back"), {Qt::Key_BracketLeft},
        [v](double) { v->followDependency(-1); }, Needs::Selection);
    add(
        Select, QT_TR_NOOP("Follow the dependency or the chain of reasons forwards"), {Qt::Key_BracketRight},
        [v](double) { v->followDependency(+1); }, Needs::Selection);
    add(Select, QT_TR_NOOP("Highlight the micro-batch's whole path"), {Qt::Key_H},
        [v](double) { v->lightUpLife(); });
    add(
        Select, QT_TR_NOOP("Measure the selected box or gap"), {Qt::Key_R},
        [v](double) { v->measureSelection(); }, Needs::Selection);
    add(
        Select, QT_TR_NOOP("Extend the measured range to the selection"), {int{Qt::SHIFT} | Qt::Key_R},
        [v](double) { v->extendMeasured(); }, Needs::Selection);
    add(
        Select, QT_TR_NOOP("Measure only the range's own lanes, or all lanes"), {int{Qt::SHIFT} | Qt::Key_L},
        [v](double) { v->toggleMeasuredLanes(); }, Needs::Range);
    const auto addFilter = [&](const char* text, int key, GanttView::Likeness likeness) {
        add(
            Select, text, {key}, [v, likeness](double) { v->filterLike(likeness); }, Needs::Box);
    };
    using enum GanttView::Likeness;
    addFilter(QT_TR_NOOP("Only operations like the selected one"), Qt::Key_O, Kind);
    addFilter(QT_TR_NOOP("Only the selected micro-batch"), Qt::Key_M, Microbatch);
    addFilter(QT_TR_NOOP("Only the rank of the selected box"), int{Qt::SHIFT} | Qt::Key_O, Rank);
    addFilter(QT_TR_NOOP("Only the stage of the selected box"), int{Qt::SHIFT} | Qt::Key_M, Stage);
    bubbles_ =
        add(Show, QT_TR_NOOP("Bubbles"), {Qt::Key_B}, [v](double) { v->toggleLayer(&Layers::bubbles); });
    arrows_ = add(Show, QT_TR_NOOP("Arrows of all messages"), {Qt::Key_L},
                  [v](double) { v->toggleLayer(&Layers::arrows); });
    ghost_ = add(Show, QT_TR_NOOP("Plan behind what ran"), {Qt::Key_T},
                 [v](double) { v->toggleLayer(&Layers::ghost); });
    memory_ = add(Show, QT_TR_NOOP("Memory"), {Qt::Key_Y}, [v](double) { v->toggleLayer(&Layers::memory); });
    memory_bands_ = add(Show, QT_TR_NOOP("Weights, gradients, optimizer and buffers under the activations"),
                        {int{Qt::SHIFT} | Qt::Key_Y}, [v](double) { v->toggleLayer(&Layers::memory_bands); });
    checkpointing_ =
        add(Show, QT_TR_NOOP("Memory without and with checkpointing"), {int{Qt::SHIFT} | Qt::Key_V},
            [v](double) { v->toggleLayer(&Layers::checkpointing); });
    critical_path_ = add(Show, QT_TR_NOOP("Critical path"), {Qt::Key_V},
                         [v](double) { v->toggleLayer(&Layers::critical_path); });
    changes_ = add(Show, QT_TR_NOOP("Difference from the baseline"), {int{Qt::SHIFT} | Qt::Key_T},
                   [v](double) { v->toggleLayer(&Layers::changes); });
    unit_ = add(Show, QT_TR_NOOP("Time in units of F"), {Qt::Key_U}, [v](double) {
        ViewState& state = v->state();
        state.setTimeUnit(state.timeUnit() == TimeUnit::Milliseconds ? TimeUnit::MedianForward
                                                                     : TimeUnit::Milliseconds);
    });
    follow_ = add(Show, QT_TR_NOOP("Follow the run"), {int{Qt::SHIFT} | Qt::Key_F},
                  [v](double) { v->state().setFollow(!v->state().follow()); });
    for (QAction* action : {bubbles_, arrows_, ghost_, memory_, memory_bands_, checkpointing_, critical_path_,
                            changes_, unit_, follow_}) {
        action->setCheckable(true);
        action->setAutoRepeat(false);
    }
    for (const auto signal :
         {&ViewState::layersChanged, &ViewState::followChanged, &ViewState::presentationChanged})
        connect(&view.state(), signal, this, &Commands::syncChecks);
    syncChecks();
    retranslate();
}

QAction* Commands::add(Group group, const char* text, std::vector<int> keys, std::function<void(double)> run,
                       Needs needs) {
    auto* action = new QAction(this);
    nameForPalette(*action, "bscope::ui::Commands", text);
    QList<QKeySequence> shortcuts;
    for (const int key : keys) shortcuts << QKeySequence(key);
    action->setShortcuts(shortcuts);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, [this, run] {
        run(1);
        syncChecks();
    });
    view_.addAction(action);
    commands_.push_back({group, needs, action, text, std::move(keys), std::move(run)});
    return action;
}

QList<QAction*> Commands::actions(Group group) const {
    QList<QAction*> list;
    for (const Command& command : commands_)
        if (command.group == group) list << command.action;
    return list;
}

QString Commands::whyNot(const QAction& action) const {
    const auto command = std::ranges::find(commands_, &action, &Command::action);
    if (command == commands_.end()) return {};
    const ViewState& state = view_.state();
    switch (command->needs) {
        case Needs::Nothing:
            return {};
        case Needs::Box:
            return state.selection() ? QString() : tr("no box is selected");
        case Needs::Selection:
            return state.selection() || state.gap() ? QString() : tr("nothing is selected");
        case Needs::Range:
            return state.measured() ? QString() : tr("no range is measured");
    }
    return {};
}

const Commands::Command* Commands::commandOf(const QKeyEvent& event) const {
    const Qt::KeyboardModifiers other =
        event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier | Qt::ControlModifier);
    if (other != Qt::NoModifier) return nullptr;
    const Qt::Key key = keyByPlace(event);
    const bool arrow =
        key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    if (event.modifiers().testFlag(Qt::ControlModifier) && !arrow)
        return nullptr;  // Ctrl+letter belongs to the menus
    // A command of its own with Shift before the one that Shift only makes faster.
    const bool shift = event.modifiers().testFlag(Qt::ShiftModifier);
    for (const int wanted : {shift ? int{Qt::SHIFT} | key : int{key}, int{key}})
        for (const Command& command : commands_)
            if (std::ranges::find(command.keys, wanted) != command.keys.end()) return &command;
    return nullptr;
}

bool Commands::claims(const QKeyEvent& event) const {
    if (commandOf(event) != nullptr) return true;
    // Another place whose letter is one of ours on this layout: keep the shortcut map from taking it for
    // ours.
    if (event.modifiers() != Qt::NoModifier || keyByPlace(event) == event.key()) return false;
    for (const Command& command : commands_)
        for (const int each : command.keys)
            if (each == event.key()) return true;
    return false;
}

bool Commands::trigger(const QKeyEvent& event) {
    const Command* command = commandOf(event);
    if (command == nullptr) return false;
    const bool fast = event.modifiers().testFlag(Qt::ShiftModifier),
               fine = event.modifiers().testFlag(Qt::ControlModifier);
    command->run(fast ? kFast : fine ? kFine : 1);
    syncChecks();
    return true;
}

void Commands::retranslate() {
    for (const Command& command : commands_) command.action->setText(tr(command.text));
}

void Commands::syncChecks() {
    const ViewState& state = view_.state();
    const Layers layers = state.layers();
    bubbles_->setChecked(layers.bubbles);
    arrows_->setChecked(layers.arrows);
    ghost_->setChecked(layers.ghost);
    memory_->setChecked(layers.memory);
    memory_bands_->setChecked(layers.memory && layers.memory_bands);
    checkpointing_->setChecked(layers.memory && layers.checkpointing);
    critical_path_->setChecked(layers.critical_path);
    changes_->setChecked(layers.changes);
    unit_->setChecked(state.timeUnit() == TimeUnit::MedianForward);
    follow_->setChecked(state.follow());
}

}  // namespace bscope::ui
