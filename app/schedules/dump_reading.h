// DumpReading: files about a program that stands still, read and analysed on a thread of their own, since a dump
// may have 64 MiB. One at a time; window thread only.
#pragma once

#include <QObject>
#include <QThread>
#include <memory>
#include <optional>
#include <vector>

#include "config/run_config.h"
#include "hang/hang_report.h"
#include "schedule/schedule.h"
#include "words/sentence.h"

namespace bscope::ui {

struct ReadDumps {
    HangReport report;
    Schedule schedule;  // of `plan`
    std::string plan;   // name of the planned schedule; "" when it is not known
    Sentence why;       // why they could not be read; empty: they were
};

class DumpReading : public QObject {
    Q_OBJECT
public:
    explicit DumpReading(QObject* parent = nullptr) : QObject(parent) {}
    ~DumpReading() override;

    // Forgets one that is being read. plan: compared with where it has as many ranks as a pipeline of theirs.
    void start(std::vector<std::string> names, std::optional<RunConfig> plan);

signals:
    void done(const std::shared_ptr<const bscope::ui::ReadDumps>& read);

private:
    void wait();

    std::unique_ptr<QThread> thread_;
    int started_ = 0;
};

}  // namespace bscope::ui
