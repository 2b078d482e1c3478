// StreamRecorder: writes what comes from the engine into a file. Begins with what a reader needs first
// (Hello, the current IterationStart) and then, from the next iteration boundary on, every frame byte for
// byte, and what the window notes in between. A full disk ends the recording with a sentence, never the run.
// Window thread only.
#pragma once

#include <QObject>
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
    // What the window itself adds to the stream; a recording that begins later has it too.
    void note(const std::string& frame);
    // After each batch: makes errors show soon.
    void flush();
    // A new connection begins: frames kept of the old one are void.
    void forget();

signals:
    void changed();
    void failed(const bscope::ui::Notice& notice);

private:
    void begin();
    void endIfStopped();

    std::unique_ptr<RecordingWriter> writer_;
    std::string hello_, iteration_start_;  // frames
    std::vector<std::string> notes_;       // likewise
    QString path_, error_;
    bool waiting_ = false;  // for the iteration boundary
};

}  // namespace bscope::ui
