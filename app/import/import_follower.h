// ImportFollower: files of a probe that still grow, because the training that writes them goes on, or that
// are still to come. Reports when there is more of them; it neither reads nor shows it. Window thread only.
#pragma once

#include <QObject>
#include <QTimer>

namespace bscope::ui {

class ImportFollower : public QObject {
    Q_OBJECT
public:
    explicit ImportFollower(QObject* parent = nullptr);
    // From what the files hold now. Folders with files of a probe are followed, and those of awaits().
    void follow(const QString& path);
    // Whether files of a probe may come there: an empty folder, or nothing yet by the name of a folder.
    static bool awaits(const QString& path);
    // Of the ranks that the files say there are; of 0: no file says it yet.
    struct Ranks {
        int written = 0, of = 0;
        bool areMissing() const { return written == 0 || written < of; }
    };
    Ranks ranks() const;
    void stop();
    // What was announced last was not read: it is announced again.
    void reportAgain() { bytes_ = -1; }
    bool following() const { return clock_.isActive(); }
    QString path() const { return path_; }
    // How often it looks at least; files that took longer to read are looked at less often (readIn).
    void setEvery(int ms);
    int interval() const { return clock_.interval(); }
    // The last reading took so long. The next look comes after ten times that, so that a run of any length
    // costs at most a tenth of one core.
    void readIn(qint64 ms);

signals:
    void grown();
    // Another training began after this one, in a folder that `bscope collect` made for it (x, x-2, x-3,
    // ...).
    void goesOnIn(const QString& folder);

private:
    void look();

    QTimer clock_;
    int every_ms_;
    QString path_, next_;  // next_: where another training may begin; empty: it is there already
    qint64 bytes_ = 0, files_ = 0;
};

}  // namespace bscope::ui
