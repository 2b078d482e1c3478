// Progress: how far the run is, on standard error: one moving line in a terminal, plain lines elsewhere.
#pragma once

#include <string>

#include "report/report.h"
#include "words/catalog.h"

namespace bscope::cli {

// Bar and text in one line of a terminal; a narrower one has a shorter bar, or none.
std::string progressLine(int done, int of, const std::string& text, std::size_t columns);

class Progress {
public:
    Progress(int iterations, Language language);
    ~Progress();  // ends the moving line
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void finished(const IterationReport& report);

private:
    int iterations_;
    Language language_;
    int done_ = 0;
    bool moving_;
};

}  // namespace bscope::cli
