// Replayer: a recording as a stream on a time base. Loads a file on its own thread into single steps ordered
// by device time (an operation when it ends), then gives out what is due at the clock's time; plays at 0.1 to
// 100 times, steps by operation or iteration, and jumps. Time begins with the first event in the
// file, however long the run had gone on before. Of a large file the first iterations are open while the rest
// is read. Window thread only.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QThread>
#include <memory>
#include <stop_token>
#include <vector>

#include "app/engine/notice.h"
#include "app/recording/replay_clock.h"
#include "app/recording/replay_steps.h"
#include "view/run_history.h"
#include "wire/frame.h"

namespace bscope::ui {

class Replayer : public QObject {
    Q_OBJECT
public:
    explicit Replayer(QObject* parent = nullptr);
    ~Replayer() override;

    enum class Show : std::uint8_t { FirstPart, Whole };
    // began() and loaded() follow, or failed(); until began(), and when it failed or was cancelled before,
    // what was open stays so. Show::FirstPart: began() comes as soon as there are iterations of a large file,
    // and grew() with more of them. What was then cancelled stays open as far as it was shown.
    void open(const QString& path, Show show = Show::FirstPart);
    // Iterations that come after all that are open, a recording of a run that went on: they are put behind
    // them, in the file that is open as well. grew() follows. False: nothing whole is open, or the file takes
    // no more.
    bool append(const QString& path);
    void cancelOpening();
    bool opening() const { return !loading_.isEmpty(); }
    // What is open is the beginning of the file that is being opened.
    bool readsOn() const { return !steps_.empty() && part_ == Part::Growing; }
    // What is open is the beginning of a file, whether more of it comes or not.
    bool isPart() const { return !steps_.empty() && part_ != Part::Whole; }
    void close();
    bool isOpen() const { return !steps_.empty(); }
    QString path() const { return path_; }
    // Of the whole file, wherever the replay stands.
    const RunNotes& notes() const { return notes_; }
    // Puts it at the end of the file; while that is being read, when it has been. What is not empty says why
    // the file could not take it; it is then only here, until the recording is saved elsewhere.
    Sentence note(const RunNote& note);
    // With all its notes; from then on that file is the one that is open. What is not empty says why not.
    Sentence saveAs(const QString& path);
    const RunHistory& history() const { return history_; }

    bool playing() const { return clock_.playing(); }
    double speed() const { return clock_.speed(); }
    bool atEnd() const { return next_ >= steps_.size(); }
    // The last iteration is not whole, and all there is of it has been given out.
    bool endsInCut() const {
        return isOpen() && !readsOn() && atEnd() && history_.newest() > history_.newestComplete();
    }
    // At the end: from the beginning again. While more is read, it waits at the end of what is there.
    void setPlaying(bool on);
    void setSpeed(double speed);
    void stepIteration(int by);  // shows a whole iteration
    void stepOperation();        // up to the end of the next operation
    void seekIteration(int iteration);
    const std::vector<IterationBar>& bars() const { return bars_; }  // of all that is open

    // Time went on; true when something new was given out.
    bool tick();

signals:
    void progress(int percent);  // of the file that is being opened; of small ones nothing
    void began();                // it is what is open now, the whole of it or its beginning
    void grew();                 // more of it is open, or no more of it will come
    void loaded(const bscope::ui::NoticeWords& warning);  // empty when the file is whole
    void failed(const bscope::ui::Notice& notice);
    void cancelled();
    void notesRefused(const bscope::Sentence& why);  // by the file, of notes made while it was read
    void playingChanged();
    void jumped();  // the history was read again

private:
    struct Loaded {
        ReplaySteps steps;
        std::int32_t first_started = -1, last_reported = -1;  // iterations; -1: none
        RunNotes notes;
        std::uint64_t whole_bytes = 0;
        Framing framing = Framing::Checked;
        NoticeWords error;
        Sentence warning;
        std::vector<Sentence> contradictions;  // of reports and events; that there are no checksums
    };
    class Loader;
    enum class Part : std::uint8_t { Whole, Growing, Left };
    void takePart(Loaded part);
    void takeWhole(Loaded loaded);
    void takeReports(std::size_t from_step, RunHistory& history);
    void replace(Loaded loaded);
    Sentence write(const RunNote& note);
    bool hasWaitingNotes() const { return readsOn() && !only_here_.empty(); }
    bool stopLoading();
    void endLoading();
    void deliverUntil(std::size_t step);
    void forget();
    void rewind();
    std::int32_t firstIteration() const;  // with an event in the file; -1: none
    // What ran and is not in the file, in sentences.
    QString missing(std::int32_t first_started, std::int32_t last_reported) const;

    QString path_, loading_;
    Part part_ = Part::Whole;
    RunNotes notes_;
    std::uint64_t whole_bytes_ = 0;  // of the file, header and whole messages
    Framing framing_ = Framing::Checked;
    bool damaged_ = false;             // it has more than these
    std::vector<RunNote> only_here_;   // notes that it could not take, or not yet
    std::int64_t own_notes_from_ = 1;  // their ids, as far as they are new
    ReplaySteps steps_;
    std::vector<std::pair<std::int32_t, std::size_t>> reports_;  // iteration, index of its report
    std::vector<IterationBar> bars_;
    std::size_t next_ = 0;
    ReplayClock clock_;
    QElapsedTimer wall_;
    RunHistory history_;
    std::unique_ptr<QThread> loader_;
    std::stop_source stop_loading_;
};

}  // namespace bscope::ui
