// CurtainOpening: the second and a half in which what a lesson covered is drawn, in order of time. The time
// that passes comes from a timer, or from whoever calls advance(). Window thread only.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <optional>

namespace bscope::ui {

class CurtainOpening : public QObject {
    Q_OBJECT
public:
    static constexpr double kWholeTakes_ms = 1500;

    explicit CurtainOpening(QObject* parent);

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
