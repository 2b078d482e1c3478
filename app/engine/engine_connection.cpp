#include "app/engine/engine_connection.h"

#include <algorithm>

namespace bscope::ui {
namespace {
constexpr int kMaxWait_s = 16;
constexpr int kProcessGraceMs = 700;  // a dying process closes its socket before it is seen as ended
}  // namespace

EngineConnection::EngineConnection(QObject* parent) : QObject(parent) {
    connect(&process_, &EngineProcess::listening, this, [this](const EngineAddress& address) {
        address_ = address;
        client_.connectTo(address_);
    });
    connect(&process_, &EngineProcess::ended, this, &EngineConnection::onProcessEnded);
    connect(&client_, &EngineClient::lost, this, &EngineConnection::onLost);
    connect(&client_, &EngineClient::attached, this, [this] {
        next_wait_s_ = 1;
        setPhase(Phase::Attached);
        emit attached();
    });
    grace_.setSingleShot(true);
    grace_.setInterval(kProcessGraceMs);
    connect(&grace_, &QTimer::timeout, this, [this] { end(ended_.value_or(lost_)); });
    second_.setInterval(1000);
    connect(&second_, &QTimer::timeout, this, [this] {
        if (--seconds_to_retry_ <= 0)
            retryNow();
        else
            emit countdown();
    });
}

void EngineConnection::startOwn() {
    stop();
    own_ = true;
    const QString program = EngineProcess::findProgram();
    if (program.isEmpty()) {
        emit failed(
            {tr("The engine, the program bscope, was not found."),
             tr("Build it beside this program, or put its path into the environment variable BSCOPE."),
             {}});
        return;
    }
    since_start_.start();
    setPhase(Phase::Starting);
    process_.start(program);
}

void EngineConnection::connectTo(const EngineAddress& address) {
    stop();
    own_ = false;
    address_ = address;
    next_wait_s_ = 1;
    retryNow();
}

void EngineConnection::retryNow() {
    second_.stop();
    seconds_to_retry_ = 0;
    since_start_.start();
    setPhase(Phase::Starting);
    client_.connectTo(address_);
}

void EngineConnection::stop() {
    second_.stop();
    grace_.stop();
    ended_.reset();
    client_.close();
    process_.stop();
    setPhase(Phase::Off);
}

double EngineConnection::startingFor_s() const {
    return since_start_.isValid() ? static_cast<double>(since_start_.elapsed()) / 1000.0 : 0.0;
}

void EngineConnection::send(const wire::Message& message) {
    if (phase_ == Phase::Attached) client_.send(message);
}

std::vector<Received> EngineConnection::take(std::size_t most) {
    return phase_ == Phase::Starting ? std::vector<Received>{} : client_.take(most);
}

void EngineConnection::setPhase(Phase phase) {
    if (phase_ == phase) return;
    phase_ = phase;
    emit phaseChanged();
}

void EngineConnection::onLost(const Notice& notice, bool transient) {
    if (own_) {
        if (ended_) return end(*ended_);
        lost_ = notice;
        grace_.start();
        return;
    }
    if (!transient) {
        setPhase(Phase::Off);
        emit failed(notice);
        return;
    }
    seconds_to_retry_ = next_wait_s_;
    next_wait_s_ = std::min(2 * next_wait_s_, kMaxWait_s);
    second_.start();
    setPhase(Phase::Waiting);
    emit disconnected(notice);
}

// What it sent last may still be in the line, whose end is reported when all is read.
void EngineConnection::onProcessEnded(const Notice& notice) {
    const bool is_read = grace_.isActive();
    if (phase_ != Phase::Attached || is_read) return end(notice);
    ended_ = notice;
    grace_.start();
}

void EngineConnection::end(Notice why) {
    grace_.stop();
    ended_.reset();
    emit ending();
    client_.close();
    process_.stop();
    setPhase(Phase::Off);
    emit failed(why);
}

}  // namespace bscope::ui
