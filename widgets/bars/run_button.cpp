#include "widgets/bars/run_button.h"

namespace bscope::ui {

RunButton::RunButton(QWidget* parent) : Button(ButtonLook::Primary, Glyph::Run, parent) {
    setMinimumTextWidth(46);
    connect(this, &QAbstractButton::clicked, this, &RunButton::press);
}

void RunButton::setState(SessionState state, bool replay_runs) {
    state_ = state;
    replay_runs_ = replay_runs;
    switch (state) {
        case SessionState::Starting:
            setText(tr("Cancel"));
            return setGlyph(Glyph::Cancel);
        case SessionState::Running:
            setText(tr("Pause"));
            return setGlyph(Glyph::Pause);
        case SessionState::Pausing:  // pressed again, it goes on
            setText(tr("Pausing"));
            return setGlyph(Glyph::Run);
        case SessionState::Disconnected:
            setText(tr("Reconnect"));
            return setGlyph(Glyph::Reconnect);
        case SessionState::Failed:
            setText(tr("Run again"));
            return setGlyph(Glyph::Run);
        case SessionState::Replaying:
            setText(replay_runs ? tr("Pause") : tr("Play"));
            return setGlyph(replay_runs ? Glyph::Pause : Glyph::Run);
        default:
            setText(tr("Run"));
            return setGlyph(Glyph::Run);
    }
}

void RunButton::retranslate() {
    setAllTexts(
        {tr("Run"), tr("Cancel"), tr("Pause"), tr("Pausing"), tr("Reconnect"), tr("Run again"), tr("Play")});
    setState(state_, replay_runs_);
}

void RunButton::press() {
    switch (state_) {
        case SessionState::Starting:
            return emit cancelClicked();
        case SessionState::Running:
            return emit pauseClicked();
        case SessionState::Disconnected:
            return emit reconnectClicked();
        case SessionState::Replaying:
            return replay_runs_ ? emit pauseClicked() : emit runClicked();
        default:
            return emit runClicked();
    }
}

}  // namespace bscope::ui
