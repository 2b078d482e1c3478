#include "app/session/engine_stream.h"

#include <QDeadlineTimer>
#include <utility>

#include "app/engine/engine_words.h"
#include "view/stream_reader.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "wire/convert.h"
#include "wire/frame.h"
#include "wire/ranges.h"

namespace bscope::ui {
namespace {

constexpr int kPart = 16;  // messages between two looks at the clock

}  // namespace

EngineStream::EngineStream(QObject* parent) : QObject(parent) {
    connect(&connection_, &EngineConnection::failed, this, &EngineStream::onFailure);
    for (StreamRecorder* recorder : {&recorder_, &run_file_})
        recorder->setWritten([this](std::int32_t before) {
            std::vector<std::string> frames;
            for (const RunNote& note : history_.notes().all())
                if (note.iteration < before) frames.push_back(encode(messageOf(note)));
            return frames;
        });
}

EngineStream::~EngineStream() {
    recorder_.stop();
    run_file_.stop();
    connection_.disconnect(this);
    connection_.stop();
}

bool EngineStream::receive() {
    const QDeadlineTimer end(kLongest_ms);
    bool more = true;
    for (int taken = 0; more && taken < kMostAtOnce && !end.hasExpired(); taken += kPart)
        more = receivePart();
    recorder_.flush();
    run_file_.flush();
    return more;
}

void EngineStream::receiveAll() {
    while (receivePart()) {
    }
    recorder_.flush();
    run_file_.flush();
}

bool EngineStream::receivePart() {
    const std::vector<Received> part = connection_.take(kPart);
    for (const Received& received : part) {
        recorder_.take(received);
        run_file_.take(received);
        try {
            append(received.message);
        } catch (const WireError& error) {
            history_.countMisfit();
            if (received.message.has_hello() || received.message.has_iteration_start())
                reportNonsense(error.said);
        }
    }
    return !part.empty();
}

// What is noted and promised of a run comes from windows: an engine says neither.
void EngineStream::append(const wire::Message& message) {
    if (message.has_note() || message.has_promise()) return words_.leaveOut();
    const std::size_t bars_before = history_.bars().size();
    switch (applyToHistory(message, history_)) {
        case StreamChange::Started:
            emit changed();
            return emit iterationStarted(history_.bars().size() < bars_before);
        case StreamChange::Progress:
            return emit changed();
        case StreamChange::Finished:
            emit changed();
            return emit iterationFinished(message.iteration_report().iteration());
        case StreamChange::None:
            return announce(message);
    }
}

void EngineStream::announce(const wire::Message& message) {
    if (message.has_hello()) onHello(message.hello());
    if (message.has_status() &&
        std::exchange(run_state_, message.status().state()) != message.status().state())
        emit runStateReceived();
    if (message.has_configure_reply()) onReply(message.configure_reply());
    if (message.has_sweep()) emit sweepReceived(fromWire(message.sweep()));
    // What became of a file is an answer, of which there are as many as questions.
    if (message.has_log() && (message.log().state_file() != wire::NO_STATE || words_.admits()))
        emit logged(message.log());
    if (message.has_failure() && words_.admits()) {
        const wire::Failure& failure = message.failure();
        QString kept;
        if (!failure.kept_state().empty())
            kept =
                said(sentence("The state before iteration {0} is kept on the engine's machine: bscope serve "
                              "--load {1} goes on from there.",
                              failure.kept_before() + 1, failure.kept_state()));
        onFailure({whatOf(failure), {adviceOf(failure), kept}, QString::fromStdString(failure.details())});
    }
}

void EngineStream::putAside() {
    put_aside_ = history_;
    setRecordersAside(true);
}

void EngineStream::bringBack() {
    history_ = std::move(*put_aside_);
    put_aside_.reset();
    setRecordersAside(false);
}

void EngineStream::setRecordersAside(bool aside) {
    for (StreamRecorder* recorder : {&recorder_, &run_file_}) recorder->setAside(aside);
}

void EngineStream::promise(const Promise& promise) {
    wire::Message message;
    *message.mutable_promise() = toWire(promise);
    history_.promised(promise);
    for (StreamRecorder* recorder : {&recorder_, &run_file_})
        recorder->add(encode(message), StreamRecorder::Keep::Yes);
}

void EngineStream::note(const RunNote& note) {
    history_.noted(note);
    for (StreamRecorder* recorder : {&recorder_, &run_file_})
        recorder->add(encode(messageOf(note)), StreamRecorder::Keep::No);  // history_ keeps it
}

void EngineStream::onHello(const wire::Hello& hello) {
    const bool same_engine = hello.started_unix_ms() == hello_.started_unix_ms();
    history_.attached(same_engine);
    hello_ = hello;
    run_state_ = hello.state();
    hello_config_.reset();
    try {
        const RunConfig config = fromWire(hello.config());
        if (const auto found = valueProblems(config); !found.empty())
            reportNonsense(found.front().withLegal());
        else
            hello_config_ = config;
    } catch (const WireError& error) {
        history_.countMisfit();
        reportNonsense(error.said);
    }
    emit changed();
    emit attached(same_engine);
}

void EngineStream::onReply(const wire::ConfigureReply& message) {
    Reply reply;
    reply.request = message.request();
    for (const wire::Problem& problem : message.problems()) reply.problems.push_back(fromWire(problem));
    if (reply.problems.empty()) reply.from_iteration = checkedIteration(message.from_iteration());
    reply.new_run = message.new_run();
    emit replied(reply);
}

void EngineStream::onFailure(const Notice& why) {
    run_state_ = wire::FAILED;
    emit failed(why);
}

void EngineStream::reportLeftOut(int messages) {
    emit notice(
        {tr("The engine sends more messages than can be read: %1 further messages left out.").arg(messages),
         {},
         {}});
}

void EngineStream::reportNonsense(const Sentence& why) {
    emit changed();
    if (std::exchange(reported_nonsense_, why) == why) return;
    emit notice({tr("What came from the engine cannot be shown: %1.").arg(said(why)),
                 tr("Use the Bubblescope of the same version on both machines."),
                 {}});
}

bool EngineStream::refusesToControl() {
    if (!onlyWatches()) return false;
    emit notice({tr("This window only watches: another one controls the engine."),
                 tr("Close the other window, then connect again."),
                 {}});
    return true;
}

}  // namespace bscope::ui
