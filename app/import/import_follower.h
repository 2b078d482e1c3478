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
    void setEvery(int ms) { clock_.setInterval(ms); }

signals:
    void grown();

private:
    void look();

    QTimer clock_;
    QString path_;
    qint64 bytes_ = 0;
};

}  // namespace bscope::ui
