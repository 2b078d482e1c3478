// AdviceRecord: how far predictions of advice that then ran were off, over all starts of the program, for
// each kind of machine as engines name it ("CPU, 2 cores"). Kept with the program's settings. Window thread
// only.
#pragma once

#include <QString>
#include <vector>

#include "report/promises.h"

namespace bscope::ui {

class AdviceRecord {
public:
    static constexpr int kKept = 200;  // the latest, a machine

    // Of the open run, as far as its predictions have come out; those of a run before it stay.
    void follow(const QString& machine, const std::vector<PromiseOutcome>& of_run);
    // Absolute errors on that machine, the oldest first.
    static std::vector<double> errorsOn(const QString& machine);

private:
    QString machine_;
    std::vector<double> before_, now_;  // of former runs; of the open one
};

}  // namespace bscope::ui
