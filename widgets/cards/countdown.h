// Countdown: seconds of a time limit that are used up, while it runs. Time comes from a timer, or from the
// caller of pass(). TimeBar: it as a line that gets longer. Window thread only.
#pragma once

#include <QTimer>
#include <QWidget>

namespace bscope::ui {

class Countdown : public QObject {
    Q_OBJECT
public:
    explicit Countdown(QObject* parent = nullptr);

    void setLimit(int limit_s, int used_s = 0);
    void run(bool on);           // nothing runs once it is over
    bool running() const { return tick_.isActive(); }
    int limit_s() const { return limit_s_; }
    int used_s() const { return used_s_; }
    int left_s() const { return limit_s_ - used_s_; }
    double share() const { return limit_s_ > 0 ? 1.0 * used_s_ / limit_s_ : 0; }
    void pass(int seconds);  // only while it runs

signals:
    void changed();
    void over();

private:
    int limit_s_ = 0, used_s_ = 0;
    QTimer tick_;
};

class TimeBar : public QWidget {
    Q_OBJECT
public:
    explicit TimeBar(QWidget* parent = nullptr);
    void setShare(double share);
    double share() const { return share_; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent*) override;

private:
    double share_ = 0;
};

}  // namespace bscope::ui
