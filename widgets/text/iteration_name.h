// What an iteration is called beside another one. Times of two files are distinguished by the names of the
// files.
#pragma once

#include <QString>
#include <string>

#include "view/view_data.h"

namespace bscope::ui {

// "night" of night.bscope; empty where the other one was read from the same file, or this one is live.
QString nameOfOtherFile(const std::string& file, const std::string& other_file);
// "#3", or "night #3" where the other one was not read from its file night.bscope; long names are cut in the
// middle.
QString iterationName(int number, const std::string& file, const std::string& other_file);
QString iterationName(const IterationView& view, const std::string& other_file);
// The run that a number is of which stands beside another one (widgets/data/other_run.h): "#28, 1F1B", or what
// else differs first of its configuration: "#28, m = 8".
QString otherRunName(int number, const RunConfig& its, const RunConfig& shown);

}  // namespace bscope::ui
