// StreamRecorder: writes what comes from the engine into a file. Begins with what a reader needs first
// (Hello, the current IterationStart) and then, from the next iteration boundary on, every frame byte for
// byte, and what the window notes in between. A full disk ends the recording with a sentence, never the run.
// Window thread only.
#pragma once

#include <QObject>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/engine/engine_client.h"
#include "wire/recording.h"

namespace bscope::ui {

class StreamRecorder : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // False when the file cannot be made; failed() says why. between_iterations: nothing runs just now.
    bool start(const QString& path, bool between_iterations);
    void stop();
    bool active() const { return writer_ != nullptr; }
    QString path() const { return path_; }

    // Every message received, recording or not.
    void take(const Received& received);
    // What the window itself adds to the stream. A recording that begins later has it too when it is kept.
    enum class Keep { No, Yes };
    void add(const std::string& frame, Keep keep);
    // Frames of what is written down of the iterations before that one, for a recording that begins there.
    using Written = std::function<std::vector<std::string>(std::int32_t before)>;
    void setWritten(Written written) { written_ = std::move(written); }
    // What comes meanwhile is of another run, which does not belong into the file.
    void setAside(bool aside);
    // After each batch: makes errors show soon.
    void flush();
    // A new connection begins: frames kept of the old one are void.
    void forget();

signals:
    void changed();
    void failed(const bscope::ui::Notice& notice);

private:
    void begin(std::int32_t before);
    void endIfStopped();

    std::unique_ptr<RecordingWriter> writer_;
    std::string hello_, iteration_start_;  // frames
    std::vector<std::string> kept_;        // likewise
    Written written_;
    QString path_, error_;
    bool waiting_ = false;  // for the iteration boundary
    bool aside_ = false, returning_ = false;  // returning: waits for the boundary from which it goes on
};

}  // namespace bscope::ui
