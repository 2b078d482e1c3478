#include "support/named_files.h"

#include <algorithm>

#include "support/byte_mutator.h"
#include "support/text_mutator.h"

namespace bscope::fuzz {

namespace {

constexpr std::string_view kMark = "@@";
constexpr std::size_t kMostFiles = 8;

bool isName(std::string_view name) {
    return !name.empty() && name.size() < 64 && name.front() != '.' &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
               std::string_view::npos;
}

}  // namespace

std::vector<NamedText> filesOf(std::string_view input) {
    std::vector<NamedText> files;
    while (input.starts_with(kMark) && files.size() < kMostFiles) {
        const std::size_t line_end = std::min(input.find('\n'), input.size());
        const std::string_view name = input.substr(kMark.size(), line_end - kMark.size());
        input.remove_prefix(std::min(line_end + 1, input.size()));
        const std::size_t next = input.find("\n@@");
        if (isName(name)) files.push_back({std::string(name), std::string(input.substr(0, next))});
        input.remove_prefix(next == std::string_view::npos ? input.size() : next + 1);
    }
    return files;
}

std::string inputOf(const std::vector<NamedText>& files) {
    std::string input;
    for (const NamedText& file : files) {
        if (!input.empty()) input += '\n';
        input.append(kMark).append(file.name).append("\n").append(file.text);
    }
    return input;
}

void mutateFiles(std::string& input, Random& random) {
    std::vector<NamedText> files = filesOf(input);
    if (files.empty() || oneIn(random, 16)) return mutateBytes(input, random);
    NamedText& file = files[below(random, files.size())];
    switch (below(random, 16)) {
        case 0:
            mutateBytes(file.name, random);
            break;
        case 1:
            std::swap(file.text, files[below(random, files.size())].text);
            break;
        case 2:
            files.erase(files.begin() + (&file - files.data()));
            break;
        default:
            mutateJson(file.text, random);
    }
    input = inputOf(files);
}

}  // namespace bscope::fuzz
