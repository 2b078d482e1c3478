#include "app/schedules/dump_reading.h"

#include <QMetaObject>
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "catalog/catalog.h"
#include "hang/dump_files.h"
#include "schedule/program.h"
#include "words/sentence_error.h"

namespace bscope::ui {
namespace {

ReadDumps readAll(const std::vector<std::string>& names, const std::optional<RunConfig>& config) {
    ReadDumps read;
    try {
        std::vector<std::string> passed_over;
        const HangFiles files = readHangFiles(dumpFilesOf(names, passed_over));
        if (config) {
            Program program = lower(makeSchedule(config->schedule, config->params));
            const MessagePlan plan(program.schedule, std::move(program.actions), false);
            read.report = analyseHang(files.dumps, &plan);
            if (std::ranges::any_of(read.report.ranks,
                                    [](const HangRank& each) { return each.planned.has_value(); })) {
                read.schedule = std::move(program.schedule);
                read.plan = config->schedule;
                if (read.report.waits()) judgePlan(read.report, read.schedule, plan);
            }
        }
        if (read.plan.empty()) read.report = analyseHang(files.dumps);
        addStacks(read.report, files.stacks);
    } catch (const std::runtime_error& error) {
        read.why = sentenceOf(error);
    }
    return read;
}

}  // namespace

DumpReading::~DumpReading() {
    wait();
}

void DumpReading::wait() {
    if (thread_) thread_->wait();
}

void DumpReading::start(std::vector<std::string> names, std::optional<RunConfig> plan) {
    wait();
    const int number = ++started_;
    thread_.reset(QThread::create([this, number, names = std::move(names), plan = std::move(plan)] {
        auto read = std::make_shared<const ReadDumps>(readAll(names, plan));
        QMetaObject::invokeMethod(this, [this, number, read] {
            if (number == started_) emit done(read);
        });
    }));
    thread_->start();
}

}  // namespace bscope::ui
