// Sweeps: requests a sweep from the engine and holds its results. Window thread only.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "app/session/engine_stream.h"

namespace bscope::ui {

class Sweeps : public QObject {
    Q_OBJECT
public:
    explicit Sweeps(EngineStream& stream, QObject* parent = nullptr);

    struct Request {
        SweepAxis axis = SweepAxis::Microbatches;
        std::vector<int> values;
        int iterations = 3;
        int fixed_batch = 0;       // of m alone: samples of the mini-batch, 0 = it grows with m
        double memory_cap_mb = 0;  // 0: none
    };
    void start(const Request& request);  // without an engine it waits for one
    void cancel();
    const std::optional<SweepState>& state() const { return state_; }
    QString obstacle() const;  // why none can be started now, in words; empty when it can
    bool awaitsEngine() const { return waiting_.has_value(); }
    void sendWaiting();  // an engine is attached
    void end();          // the engine that ran it is gone or failed
    void forgetWaiting() { waiting_.reset(); }

signals:
    void changed();
    void engineWanted();  // none runs

private:
    EngineStream& stream_;
    std::optional<SweepState> state_;
    std::optional<wire::Message> waiting_;  // for an engine
};

}  // namespace bscope::ui
