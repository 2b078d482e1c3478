#include "terminal/viewer.h"

#include <algorithm>
#include <filesystem>

#include "view/stream_reader.h"
#include "wire/convert.h"
#include "wire/failure_words.h"
#include "wire/ranges.h"

namespace bscope::terminal {
void Viewer::setFile(const std::string& file) {
    file_ = file;
    history_.setFile(file);
}

void Viewer::take(const wire::Message& message) {
    try {
        append(message);
    } catch (const WireError& error) {
        history_.countMisfit();
        notices_ = {sentence("What came cannot be shown: {0}.", error.said)};
    }
}

void Viewer::append(const wire::Message& message) {
    if (applyToHistory(message, history_) == StreamChange::None) return announce(message);
    is_stale_ = true;
    if (look_.follow || !history_.has(look_.iteration)) followNewest();
}

// What is about no iteration. Of a recording only what ended its run is news.
void Viewer::announce(const wire::Message& message) {
    if (link_ == Link::None && !message.has_failure()) return;
    if (message.has_hello()) {
        history_.attached(message.hello().started_unix_ms() == started_unix_ms_);
        started_unix_ms_ = message.hello().started_unix_ms();
        controls_ = message.hello().controller();
        run_state_ = message.hello().state();
        link_ = Link::Attached;
        notices_.clear();
        config_ = fromWire(message.hello().config());
    }
    if (message.has_status()) run_state_ = message.status().state();
    if (message.has_sweep()) sweep_.take(fromWire(message.sweep()));
    if (message.has_log()) notices_ = {whatOf(message.log())};
    if (message.has_configure_reply()) {
        const wire::ConfigureReply& reply = message.configure_reply();
        notices_.clear();
        for (const wire::Problem& problem : reply.problems())
            notices_.push_back(fromWire(problem).withLegal());
        if (reply.problems().empty()) {
            config_ = wanted_;
            notices_ = {sentence("From iteration {0} on: {1}", checkedIteration(reply.from_iteration()) + 1,
                                 groupName(config_))};
        }
    }
    if (message.has_failure()) {
        run_state_ = wire::FAILED;
        const wire::Failure& failure = message.failure();
        notices_ = {whatOf(failure), adviceOf(failure)};
        if (!failure.kept_state().empty())
            notices_.push_back(
                sentence("The state before iteration {0} is kept on the engine's machine: bscope "
                         "serve --load {1} goes on from there.",
                         std::int64_t{failure.kept_before()} + 1, failure.kept_state()));
    }
}

void Viewer::setLink(Link link, const std::vector<Sentence>& notices, int seconds_to_retry) {
    if (link_ == Link::None) look_.follow = true;
    link_ = link;
    sweep_.breakOff();
    seconds_to_retry_ = seconds_to_retry;
    notices_ = notices;
    std::erase_if(notices_, [](const Sentence& notice) { return notice.empty(); });
    is_stale_ = true;
}

std::vector<wire::Message> Viewer::takeRequests() {
    return std::exchange(requests_, {});
}

void Viewer::ask(const wire::Message& request) {
    if (link_ != Link::Attached) return;
    if (controls_)
        requests_.push_back(request);
    else
        notices_ = {sentence("This viewer only watches: another one controls the engine.")};
}

void Viewer::control(wire::Control::Verb verb) {
    wire::Message message;
    message.mutable_control()->set_verb(verb);
    ask(message);
}

void Viewer::setRead(std::vector<Sentence> warnings) {
    if (!warnings.empty()) notices_ = std::move(warnings);
    const std::int32_t complete = history_.newestComplete();
    show(complete >= 0 ? complete : history_.newest());
}

void Viewer::followNewest() {
    if (history_.newest() != look_.iteration) show(history_.newest());
}

// What is selected stays selected where the other iteration has it.
void Viewer::show(std::int32_t iteration) {
    if (look_.iteration == iteration) return;
    look_.iteration = iteration;
    if (look_.box) look_.box->iteration = iteration;
    look_.gap.reset();
    is_stale_ = true;
}

void Viewer::prepare() {
    if (!is_stale_) return;
    is_stale_ = false;
    std::optional<IterationView> view = history_.view(look_.iteration);
    if (!view) {
        has_view_ = false;
        return;
    }
    if (view->now_ns >= 0 && !file_.empty()) view->iteration_state = IterationState::Cut;
    PreparedView prepared(*view, has_view_ ? &view_ : nullptr);
    view_ = std::move(prepared);
    has_view_ = true;
}

Scene Viewer::scene() {
    prepare();
    Scene scene;
    scene.view = has_view_ ? &view_ : nullptr;
    scene.history = &history_;
    scene.look = &look_;
    scene.language = language_;
    scene.notices = notices_;
    if (link_ != Link::None) {
        describeLink(scene);
        return scene;
    }
    const bool is_cut = has_view_ && view_.running();
    const std::string name = std::filesystem::path(file_).filename().string();
    scene.state = history_.empty() ? sentence("{0}: no iteration in it", name)
                  : is_cut         ? sentence("{0} ends in this iteration", name)
                                   : sentence("recording {0}", name);
    scene.keys = sentence("? keys   J K iteration   . box   ; gap   q quit");
    return scene;
}

void Viewer::describeLink(Scene& scene) const {
    const std::int32_t complete = history_.newestComplete();
    const auto ran = has_view_ && view_.running() ? history_.ran(complete) : std::nullopt;
    if (ran && ran->start->config == view_.view().config) scene.earlier = *ran->report;
    scene.keys = sentence("Space run, pause   F6 one iteration   Tab change   ? keys   q quit");
    const int number = history_.newest() + 1;
    switch (link_) {
        case Link::None:
        case Link::Starting:
            scene.state = sentence("starting");
            break;
        case Link::Waiting:
            scene.mood = RunMood::Failed;
            scene.state = sentence("disconnected, next try in {0} s", seconds_to_retry_);
            scene.keys = sentence("R now   ? keys   q quit");
            break;
        case Link::Ended:
            scene.mood = RunMood::Failed;
            scene.state = sentence("the engine is gone");
            scene.keys = sentence("R again   ? keys   q quit");
            break;
        case Link::Attached:
            scene.mood = run_state_ == wire::RUNNING  ? RunMood::Running
                         : run_state_ == wire::FAILED ? RunMood::Failed
                                                      : RunMood::Waiting;
            scene.state = run_state_ == wire::RUNNING    ? sentence("running, iteration {0}", number)
                          : run_state_ == wire::FAILED   ? sentence("the run has stopped")
                          : run_state_ == wire::PAUSED   ? sentence("paused, iteration {0}", number)
                          : run_state_ == wire::STARTING ? sentence("starting")
                                                         : sentence("ready");
            if (sweep_.isRunning()) scene.state = sweep_.progress();
            if (!controls_) scene.state = sentence("{0}; watching", scene.state);
            if (!look_.follow) scene.state = sentence("{0}; End follows it", scene.state);
    }
}

Page Viewer::page() const {
    Page page;
    if (shown_ == Shown::Setup) return form_.page(history_.knownCosts(), language_);
    if (shown_ == Shown::Sweep) return sweep_.page(config_, language_);
    if (shown_ == Shown::Help) {
        page.title = say(sentence("Keys"), language_);
        for (const KeyRow& row : keyRows()) {
            if (row.of_live && link_ == Link::None) continue;
            const std::string keys = row.shown;
            page.lines.push_back("  " + keys + std::string(12 - keys.size(), ' ') +
                                 say(sentence(row.what), language_));
        }
        page.lines.push_back("");
        for (const char* line :
             {"Mouse: wheel zooms at the pointer; a click selects a box or a gap, or shows the "
              "iteration of a bar.",
              "Boxes have their micro-batch's number, from 1; F3 in files is the one with number 4."})
            page.lines.push_back(say(sentence(line), language_));
        return page;
    }
    page.title = say(sentence("The schedule"), language_);
    page.lines = explanationLines(view_.view().config, language_);
    return page;
}

Grid Viewer::draw(const Colours& colours, int columns, int rows) {
    columns_ = columns;
    rows_ = rows;
    const Scene all = scene();
    const bool too_small = columns < kLeastColumns || rows < kLeastRows;
    if (shown_ == Shown::Picture || too_small) return picture(all, colours, columns, rows);
    return pageGrid(page(), scroll_, all, colours, columns, rows);
}

bool Viewer::handle(const Input& input, int columns, int rows) {
    columns_ = columns;
    rows_ = rows;
    if (handleForm(input.key)) return true;
    const Command command = commandOf(input.key);
    if (command == Command::Quit) return false;
    if (link_ != Link::None && direct(command)) return true;
    if (command == Command::Help) {
        shown_ = shown_ == Shown::Help ? Shown::Picture : Shown::Help;
        scroll_ = 0;
        return true;
    }
    const Scene all = scene();
    if (!has_view_) return true;
    if (shown_ != Shown::Picture) {
        scrollPage(command, rows);
        return true;
    }
    const Layout layout = layoutOf(all, columns, rows);
    if (layout.tooSmall()) return true;
    if (input.key >= Key::Click)
        point(input, layout);
    else
        carryOut(command, layout);
    return true;
}

// False: no form is open.
bool Viewer::handleForm(Key key) {
    if (shown_ == Shown::Setup) {
        const SetupForm::Outcome outcome = form_.handle(key);
        if (outcome == SetupForm::Outcome::Open) return true;
        shown_ = Shown::Picture;
        if (outcome == SetupForm::Outcome::Asked) configure(form_.config());
        return true;
    }
    if (shown_ != Shown::Sweep) return false;
    const SweepForm::Outcome outcome = sweep_.handle(key);
    const bool is_asked = outcome != SweepForm::Outcome::Open && outcome != SweepForm::Outcome::Left;
    // What the engine refuses, or a watcher may not ask for, is said beside the picture.
    if (outcome == SweepForm::Outcome::Left || outcome == SweepForm::Outcome::Taken ||
        (is_asked && !controls_))
        shown_ = Shown::Picture;
    if (is_asked) sweep(outcome);
    return true;
}

void Viewer::sweep(SweepForm::Outcome asked) {
    if (asked == SweepForm::Outcome::Taken) {
        if (const auto chosen = sweep_.chosen(config_)) configure(*chosen);
        return;
    }
    wire::Message message;
    if (asked == SweepForm::Outcome::Begun) {
        wire::StartSweep& start = *message.mutable_start_sweep();
        start.set_axis(toWire(sweep_.axis()));
        for (const int value : usualValues(sweep_.axis(), config_)) start.add_m(value);
        start.set_iterations(kSweepIterations);
    } else {
        message.mutable_cancel_sweep();
    }
    ask(message);
}

void Viewer::configure(const RunConfig& wanted) {
    wire::Message message;
    wanted_ = wanted;
    message.mutable_configure()->set_request(++request_);
    *message.mutable_configure()->mutable_config() = toWire(wanted);
    ask(message);
}

// What is asked of the engine; false: nothing.
bool Viewer::direct(Command command) {
    switch (command) {
        case Command::RunOrPause:
            control(run_state_ == wire::RUNNING ? wire::Control::PAUSE : wire::Control::RUN);
            return true;
        case Command::Step:
            control(wire::Control::STEP);
            return true;
        case Command::Setup:
            if (link_ == Link::Attached) {
                form_ = SetupForm(config_);
                shown_ = Shown::Setup;
                scroll_ = 0;
            }
            return true;
        case Command::Sweep:
            if (link_ == Link::Attached) {
                shown_ = Shown::Sweep;
                scroll_ = 0;
            }
            return true;
        case Command::Reconnect:
            wants_connection_ = link_ == Link::Waiting || link_ == Link::Ended;
            return true;
        case Command::Follow:
        case Command::Newest:
            look_.follow = command == Command::Newest || !look_.follow;
            if (look_.follow) followNewest();
            return true;
        default:
            return false;
    }
}

void Viewer::scrollPage(Command command, int rows) {
    switch (command) {
        case Command::LanesUp:
            --scroll_;
            return;
        case Command::LanesDown:
            ++scroll_;
            return;
        case Command::PreviousIteration:
            scroll_ -= rows - 4;
            return;
        case Command::NextIteration:
            scroll_ += rows - 4;
            return;
        case Command::Whole:
            scroll_ = 0;
            return;
        case Command::Explain:
        case Command::Clear:
            shown_ = Shown::Picture;
            return;
        default:
            return;
    }
}

}  // namespace bscope::terminal
