// Sentences about schedule files in the window's language. The engine says them in English with names and
// numbers filled in; each is recognised by its form and said again. Pure functions.
#pragma once

#include <QString>
#include <string>

namespace bscope::ui {

// A note or an error of a ScheduleFile; as it is when its form is not known.
QString fileSentence(const std::string& english);
bool knowsFileSentence(const std::string& english);

}  // namespace bscope::ui
