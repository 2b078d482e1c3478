// PageJob: recordings as one HTML file, made by `bscope export --html` as a process of its own, so that
// window and command line write the same bytes. One at a time; window thread only.
#pragma once

#include <QObject>
#include <QStringList>
#include <optional>

#include "app/engine/bscope_command.h"
#include "words/catalog.h"

namespace bscope::ui {

class PageJob : public QObject {
    Q_OBJECT
public:
    explicit PageJob(QObject* parent = nullptr);
    // number: of the iteration, as it is shown; nullopt: as bscope chooses. language: that the page begins
    // with.
    void start(const QStringList& recordings, const QString& path, std::optional<int> number,
               Language language);

signals:
    void written(const QString& path);
    void failed(const QString& sentence);

private:
    void finish(int code, QProcess::ExitStatus status);

    QString path_;
    BscopeCommand command_;
};

}  // namespace bscope::ui
