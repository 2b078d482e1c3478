// RunKeeper: the run as it comes from the engine, in a file of the program's own, so that it can be kept when
// the window closes and is not lost when the program ends otherwise. Two pieces at most, of kMostBytes each:
// of a longer run the last part. Files that no program writes to are left over from one that ended otherwise.
// Window thread only.
#pragma once

#include <QObject>
#include <QStringList>

#include "app/session/engine_stream.h"

namespace bscope::ui {

class RunKeeper : public QObject {
    Q_OBJECT
public:
    static constexpr qint64 kMostBytes = 64'000'000;
    static constexpr qsizetype kMostLeftOver = 3;

    explicit RunKeeper(EngineStream& stream, QObject* parent = nullptr);

    // From the next iteration on; "" = nothing is kept. most_bytes: of a piece.
    void keepIn(const QString& folder, qint64 most_bytes = kMostBytes);
    bool isOn() const { return !folder_.isEmpty(); }
    QString path() const { return path_; }  // of what is written now; empty: nothing is
    // Complete iterations in the file, and notes on them.
    int iterations() const;
    int notes() const { return static_cast<int>(stream_.ownHistory().notes().all().size()); }

    // Ends the file and gives it that name; what came before the last piece goes beside it,
    // "NAME-earlier.bscope". Empty, else why not, and then all stays as it was.
    QString saveAs(const QString& path);
    void discard();

    // Of programs that ended otherwise, the newest first. Older ones than kMostLeftOver, and empty ones, are
    // removed.
    static QStringList leftOver(const QString& folder);

private:
    void onStarted(bool bars_dropped);
    void onFinished();
    void begin();
    void moveOn();
    static QString earlierOf(const QString& path);

    EngineStream& stream_;
    QString folder_, path_;
    qint64 most_bytes_ = kMostBytes;
    int iterations_ = 0, earlier_ = 0;  // complete, in the two pieces
    bool attached_anew_ = false;
};

}  // namespace bscope::ui
