// ImportFollower: files of a probe that still grow, because the training that writes them goes on. Says when
// there is more of them; what is read and shown then is not its business. Window thread only.
#pragma once

#include <QObject>
#include <QTimer>

namespace bscope::ui {

class ImportFollower : public QObject {
    Q_OBJECT
public:
    explicit ImportFollower(QObject* parent = nullptr);
    // From what the files hold now. A path that is no folder with files of a probe is not followed.
    void follow(const QString& path);
    void stop();
    // What has been told was not read: it is told again.
    void tellAgain() { bytes_ = -1; }
    bool following() const { return clock_.isActive(); }
    QString path() const { return path_; }
    // How often it looks at least; files that took longer to read are looked at less often (readIn).
    void setEvery(int ms);
    int interval() const { return clock_.interval(); }
    // Reading all of it took so long. Everything is read again when there is more, so the next look comes
    // after ten times that: a run of any length costs at most a tenth of one core.
    void readIn(qint64 ms);

signals:
    void grown();

private:
    void look();

    QTimer clock_;
    int every_ms_;
    QString path_;
    qint64 bytes_ = 0;
};

}  // namespace bscope::ui
