// Several files as one input: "@@NAME" and a line end before the bytes of each. At most eight; those whose
// name is no plain one are left out.
#pragma once

#include <string>
#include <vector>

#include "support/target.h"

namespace bscope::fuzz {

struct NamedText {
    std::string name, text;
};

std::vector<NamedText> filesOf(std::string_view input);
std::string inputOf(const std::vector<NamedText>& files);

// mutate() of targets that read several files of JSON.
void mutateFiles(std::string& input, Random& random);

}  // namespace bscope::fuzz
