// RevealAnimation: draws what a lesson covered, in order of time, in a second and a half. Time comes from a
// timer, or from the caller of advance(). Window thread only.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <optional>

namespace bscope::ui {

class RevealAnimation : public QObject {
    Q_OBJECT
public:
    static constexpr double kWholeTakes_ms = 1500;

    explicit RevealAnimation(QObject* parent);

    void begin();
    void end();  // everything is seen
    // Of the time of the longest covered run; nullopt: the curtain is not moving.
    std::optional<double> share() const { return share_; }
    void advance(double wall_ms);

signals:
    void changed();  // share()

private:
    std::optional<double> share_;
    QTimer tick_;
    QElapsedTimer since_;
};

}  // namespace bscope::ui
