// MessageLimit: limits the messages to the user per second; those beyond are counted, and the count is
// reported once a second. An engine that sends messages without end then costs neither time nor memory.
// Window thread only.
#pragma once

#include <QTimer>
#include <functional>
#include <utility>

namespace bscope::ui {

class MessageLimit {
public:
    static constexpr int kMostASecond = 10;

    explicit MessageLimit(std::function<void(int left_out)> tell) : tell_(std::move(tell)) {
        second_.setSingleShot(true);
        second_.setInterval(1000);
        QObject::connect(&second_, &QTimer::timeout, &second_, [this] {
            admitted_ = 0;
            if (left_out_ > 0) tell_(std::exchange(left_out_, 0));
        });
    }

    bool admits() {
        if (!second_.isActive()) second_.start();
        if (admitted_ < kMostASecond) {
            ++admitted_;
            return true;
        }
        ++left_out_;
        return false;
    }
    // One that is not shown in any case.
    void leaveOut() {
        if (!second_.isActive()) second_.start();
        ++left_out_;
    }

private:
    std::function<void(int)> tell_;
    QTimer second_;
    int admitted_ = 0, left_out_ = 0;
};

}  // namespace bscope::ui
