#include "view/text/device_words.h"

#include <cstdio>

namespace bscope {

namespace {

std::string replaced(std::string text, std::string_view what, std::string_view with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

}  // namespace

Sentence deviceWords(const std::string& device) {
    int cores = 0;
    if (std::sscanf(device.c_str(), "CPU, %d core", &cores) == 1)
        return cores == 1 ? sentence("CPU · 1 core") : sentence("CPU · {0} cores", cores);
    return sentence("{0}", replaced(replaced(device, " x ", " × "), ", ", " · "));
}

}  // namespace bscope
