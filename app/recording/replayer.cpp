#include "app/recording/replayer.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "app/recording/replay_loader.h"
#include "files/user_file.h"
#include "files/whole_file.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

Sentence notReadToItsEnd() {
    return sentence("the recording was not read to its end");
}

std::filesystem::path pathOf(const QString& path) {
    return std::filesystem::path(path.toStdU16String());
}

}  // namespace

Replayer::Replayer(QObject* parent) : QObject(parent) {}

Replayer::~Replayer() {
    endLoading();
}

void Replayer::open(const QString& path, Show show) {
    const bool leaves_notes = hasWaitingNotes();
    endLoading();
    setPlaying(false);
    loading_ = path;
    if (leaves_notes) emit notesRefused(notReadToItsEnd());
    stop_loading_ = std::stop_source();
    loader_.reset(QThread::create([this, path, show, stop = stop_loading_.get_token()] {
        int reported = 0;
        const auto on_window = [this, stop](const auto& what) {
            QMetaObject::invokeMethod(
                this,
                [stop, what] {
                    if (!stop.stop_requested()) what();
                },
                Qt::QueuedConnection);
        };
        const auto tell = [&](std::uint64_t done, std::uint64_t total) {
            const int percent = total == 0 ? 0 : static_cast<int>(100 * std::min(done, total) / total);
            if (percent > reported) on_window([this, percent] { emit progress(percent); });
            reported = std::max(reported, percent);
            return !stop.stop_requested();
        };
        const auto part = [&](Loaded first) {
            on_window([this, shared = std::make_shared<Loaded>(std::move(first))] {
                takePart(std::move(*shared));
            });
        };
        const auto whole = std::make_shared<Loaded>(
            Loader::load(path, tell, show == Show::FirstPart ? part : Loader::TakePart()));
        on_window([this, whole] { takeWhole(std::move(*whole)); });
    }));
    loader_->start();
}

void Replayer::cancelOpening() {
    const bool part = readsOn(), leaves_notes = hasWaitingNotes();
    if (!stopLoading()) return;
    if (part) emit grew();
    emit cancelled();
    if (leaves_notes) emit notesRefused(notReadToItsEnd());
}

bool Replayer::stopLoading() {
    stop_loading_.request_stop();
    if (part_ == Part::Growing) part_ = Part::Left;
    return !std::exchange(loading_, QString()).isEmpty();
}

void Replayer::endLoading() {
    stopLoading();
    if (loader_) loader_->wait();
    loader_.reset();
}

void Replayer::takePart(Loaded part) {
    const bool first = !readsOn();
    replace(std::move(part));
    part_ = Part::Growing;
    damaged_ = true;
    if (first)
        emit began();
    else
        emit grew();
}

void Replayer::takeWhole(Loaded result) {
    if (result.error.isEmpty() && result.steps.empty()) result.error = tr("it holds no iteration");
    if (!result.error.isEmpty()) {
        const Notice notice{tr("%1 could not be opened: %2.").arg(loading_, result.error.text()),
                            tr("Choose a file that Bubblescope recorded."), said(result.warning)};
        loading_.clear();
        emit failed(notice);
        return;
    }
    const bool first = !readsOn();
    const std::int32_t first_started = result.first_started, last_reported = result.last_reported;
    std::vector<Sentence> warnings = std::move(result.contradictions);
    warnings.insert(warnings.begin(), result.warning);
    damaged_ = !result.warning.empty();
    replace(std::move(result));
    part_ = Part::Whole;
    loading_.clear();
    Sentence refused;
    for (const RunNote& note : std::exchange(only_here_, {}))
        if (const Sentence why = write(note); !why.empty()) refused = why;
    const NoticeWords reported{std::move(warnings), missing(first_started, last_reported)};
    if (first) emit began();
    emit loaded(reported);
    if (!refused.empty()) emit notesRefused(refused);
}

// With another file it begins anew; with more of the same one it goes on from where it stands, with the notes
// that were made meanwhile, whose numbers follow those of the file.
void Replayer::replace(Loaded result) {
    const bool goes_on = readsOn();
    std::vector<RunNote> written = goes_on ? std::move(only_here_) : std::vector<RunNote>();
    const std::int64_t numbered_from = own_notes_from_;
    const ReplayClock clock = clock_;
    std::optional<std::size_t> shown;  // the report of an iteration, and nothing after it
    for (std::size_t i = 0; i < reports_.size(); ++i)
        if (reports_[i].second + 1 == next_) shown = i;
    forget();
    path_ = loading_;
    history_.setFile(path_.toStdString());
    steps_ = std::move(result.steps);
    notes_ = std::move(result.notes);
    whole_bytes_ = result.whole_bytes;
    framing_ = result.framing;
    own_notes_from_ = notes_.nextId();
    for (RunNote& note : written) {
        if (note.id >= numbered_from) note.id += own_notes_from_ - numbered_from;
        notes_.take(note);
    }
    only_here_ = std::move(written);
    takeReports(0, history_);
    bars_ = history_.bars();
    rewind();
    if (!goes_on) return;
    deliverUntil(shown ? reports_[*shown].second + 1 : std::max(next_, steps_.firstAfter(clock.now_ns())));
    clock_ = clock;
}

void Replayer::takeReports(std::size_t from_step, RunHistory& history) {
    for (std::size_t i = from_step; i < steps_.size(); ++i) {
        const ReplaySteps::Rare* rare = steps_.rare(i);
        if (rare == nullptr) continue;
        if (const auto* start = std::get_if<IterationStart>(rare)) history.iterationStarted(*start);
        const auto* report = std::get_if<IterationReport>(rare);
        if (!report) continue;
        history.iterationFinished(*report);
        reports_.emplace_back(report->iteration, i);
    }
}

bool Replayer::append(const QString& path) {
    if (!isOpen() || opening() || isPart() || damaged_) return false;
    const Loaded more = Loader::load(path, [](std::uint64_t, std::uint64_t) { return true; }, {});
    if (!more.error.isEmpty() || more.steps.empty()) return false;
    const IterationStart* start = nullptr;
    for (std::size_t i = 0; i < more.steps.size() && start == nullptr; ++i)
        if (const ReplaySteps::Rare* rare = more.steps.rare(i)) start = std::get_if<IterationStart>(rare);
    if (start == nullptr) return false;
    // The same run says what it runs once, with what was found out about all of it.
    const IterationStart* open = history_.start();
    const bool starts = open == nullptr || !open->schedule || !start->schedule ||
                        !(open->config == start->config) || open->placement != start->placement ||
                        open->schedule->orders != start->schedule->orders;
    try {
        RecordingReader reader(pathOf(path));
        while (const auto message = reader.next())
            if (starts || !message->has_iteration_start())
                whole_bytes_ = appendToRecording(pathOf(path_), *message, whole_bytes_);
    } catch (const WireError&) {
        return false;  // the caller reads all of it again
    }
    RunHistory added;
    added.iterationStarted(*start);
    const std::size_t from = steps_.size();
    steps_.append(more.steps, starts);
    takeReports(from, added);
    bars_.insert(bars_.end(), added.bars().begin(), added.bars().end());
    emit grew();
    return true;
}

std::int32_t Replayer::firstIteration() const {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (const auto event = steps_.event(i)) return event->iteration;
        const ReplaySteps::Rare* rare = steps_.rare(i);
        if (const auto* report = rare != nullptr ? std::get_if<IterationReport>(rare) : nullptr)
            return report->iteration;
    }
    return -1;
}

QString Replayer::missing(std::int32_t started, std::int32_t last_reported) const {
    QStringList sentences;
    const IterationStart* start = history_.start();
    const bool imported = start != nullptr && start->import;
    if (started >= 0 && firstIteration() > started)
        sentences << said(
            sentence("The recording begins with iteration {0}: what ran before it is not in the file.",
                     iterationNumber(firstIteration(), imported)));
    const std::int32_t whole = reports_.empty() ? -1 : reports_.back().first;
    if (last_reported > whole)
        sentences << said(sentence("Iteration {0} is cut: its end is not in the file.",
                                   iterationNumber(last_reported, imported)));
    return sentencesText(sentences);
}

void Replayer::close() {
    const bool leaves_notes = hasWaitingNotes();
    only_here_.clear();
    cancelOpening();
    endLoading();
    path_.clear();
    forget();
    if (leaves_notes) emit notesRefused(notReadToItsEnd());
}

void Replayer::forget() {
    steps_ = {};
    part_ = Part::Whole;
    notes_.clear();
    only_here_.clear();
    reports_.clear();
    bars_.clear();
    history_.clear();
    next_ = 0;
    clock_ = ReplayClock();
}

Sentence Replayer::note(const RunNote& note) {
    notes_.take(note);
    if (!readsOn()) return write(note);
    only_here_.push_back(note);
    return {};
}

Sentence Replayer::write(const RunNote& note) {
    try {
        if (part_ == Part::Left) throw WireError(notReadToItsEnd());
        if (damaged_) throw WireError(sentence("the recording is not whole"));
        whole_bytes_ = appendToRecording(pathOf(path_), messageOf(note), whole_bytes_);
    } catch (const WireError& error) {
        only_here_.push_back(note);
        return error.said;
    }
    return {};
}

Sentence Replayer::saveAs(const QString& path) {
    if (readsOn()) return sentence("the recording is still being read");
    std::uint64_t written = 0;
    try {
        writeWholeFile(pathOf(path), [this, &written](std::ostream& out) {
            UserFile file(pathOf(path_));
            std::array<char, 1u << 16> chunk;
            for (std::uint64_t left = whole_bytes_; left > 0;) {
                const std::size_t got = file.read(chunk.data(), std::min<std::uint64_t>(left, chunk.size()));
                if (got == 0) throw SentenceError<>(sentence("the recording has become shorter"));
                out.write(chunk.data(), static_cast<std::streamsize>(got));
                left -= got;
            }
            for (const RunNote& note : only_here_) {
                const std::string frame = encode(messageOf(note), framing_);
                out.write(frame.data(), static_cast<std::streamsize>(frame.size()));
                written += frame.size();
            }
        });
    } catch (const std::exception& error) {
        return sentenceOf(error);
    }
    whole_bytes_ += written;
    only_here_.clear();
    damaged_ = false;
    part_ = Part::Whole;
    path_ = path;
    history_.setFile(path_.toStdString());
    return {};
}

void Replayer::setPlaying(bool on) {
    if (!isOpen() || on == clock_.playing()) return;
    if (on && atEnd()) {
        rewind();
        emit jumped();
    }
    clock_.setPlaying(on);
    wall_.start();
    emit playingChanged();
}

void Replayer::setSpeed(double speed) {
    clock_.setSpeed(speed);
}

void Replayer::stepIteration(int by) {
    if (reports_.empty()) return;
    setPlaying(false);
    const auto next =
        std::lower_bound(reports_.begin(), reports_.end(), next_,
                         [](const auto& report, std::size_t step) { return report.second < step; });
    const auto shown = next - reports_.begin() - 1;  // last whole iteration
    const auto target = std::clamp<std::ptrdiff_t>(shown + by, 0, std::ssize(reports_) - 1);
    seekIteration(reports_[static_cast<std::size_t>(target)].first);
}

void Replayer::stepOperation() {
    setPlaying(false);
    bool operation = false;
    while (!atEnd() && !operation) {
        const auto event = steps_.event(next_);
        operation = event && !isCommunication(event->op);
        deliverUntil(next_ + 1);
    }
}

void Replayer::seekIteration(int iteration) {
    const auto report = std::find_if(reports_.begin(), reports_.end(),
                                     [&](const auto& entry) { return entry.first == iteration; });
    if (report == reports_.end()) return;
    if (report->second < next_) rewind();
    deliverUntil(report->second + 1);
    wall_.start();
    emit jumped();
}

bool Replayer::tick() {
    if (!clock_.playing()) return false;
    clock_.advance(wall_.nsecsElapsed());
    wall_.start();
    const std::int64_t now_ns = clock_.now_ns();
    const std::size_t before = next_;
    deliverUntil(steps_.firstAfter(now_ns));
    if (atEnd()) {  // where the clock stands at the last step
        clock_.jump(steps_.time_ns(steps_.size() - 1));
        if (!readsOn()) setPlaying(false);
        return next_ > before || !readsOn();
    }
    clock_.jump(now_ns);
    history_.watermark(now_ns);
    return true;
}

// Gives out everything before `step`; the clock then stands at the last step given out.
void Replayer::deliverUntil(std::size_t step) {
    for (; next_ < step; ++next_) {
        steps_.deliver(next_, history_);
        clock_.jump(steps_.time_ns(next_));
    }
    history_.watermark(clock_.now_ns());
}

void Replayer::rewind() {
    history_.clear();
    next_ = 0;
    clock_.jump(steps_.empty() ? 0 : steps_.time_ns(0));
    const auto isStart = [this](std::size_t step) {
        const ReplaySteps::Rare* rare = steps_.rare(step);
        return rare != nullptr && std::holds_alternative<IterationStart>(*rare);
    };
    while (!atEnd() && isStart(next_)) deliverUntil(next_ + 1);
    history_.expect(firstIteration());
}

}  // namespace bscope::ui
