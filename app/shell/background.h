// Background: one computation at a time on a thread of its own. What it gives comes back on the thread of its
// owner, null when there was not enough memory for it, and nothing comes of one that was cancelled. Owner's
// thread only.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <new>
#include <system_error>
#include <thread>

namespace bscope::ui {

template <class Result>
class Background {
public:
    using Work = std::function<Result(const std::stop_token&)>;
    using Done = std::function<void(const std::shared_ptr<const Result>&)>;

    explicit Background(QObject& owner) : owner_(owner) {}

    // Ends the one before. Returns why there is no thread, as the system says it; "" when it has begun.
    QString start(Work work, Done done) {
        cancel();
        running_ = true;
        try {
            worker_ = std::jthread([this, work = std::move(work), done = std::move(done),
                                    turn = turn_](const std::stop_token& stop) {
                std::shared_ptr<const Result> result;
                try {
                    result = std::make_shared<const Result>(work(stop));
                } catch (const std::bad_alloc&) {  // reported as no result
                }
                if (stop.stop_requested()) return;
                QMetaObject::invokeMethod(
                    &owner_,
                    [this, done, turn, result = std::move(result)] {
                        if (turn != turn_) return;
                        running_ = false;
                        done(result);
                    },
                    Qt::QueuedConnection);
            });
        } catch (const std::system_error& error) {
            running_ = false;
            return QString::fromLocal8Bit(error.code().message().c_str());
        }
        return {};
    }

    void cancel() {
        worker_.request_stop();
        ++turn_;
        running_ = false;
    }
    bool running() const { return running_; }

private:
    QObject& owner_;
    quint64 turn_ = 0;
    bool running_ = false;
    std::jthread worker_;  // last: is ended before anything it reports to is gone
};

}  // namespace bscope::ui
