// Whether a text is UTF-8: what goes into the stream, a recording or JSON has to be.
#pragma once

#include <cstddef>
#include <string_view>

namespace bscope {

inline bool isUtf8(std::string_view text) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    for (std::size_t at = 0; at < text.size();) {
        const unsigned lead = byte(at);
        const std::size_t size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        if (size == 0 || lead > 0xf4 || at + size > text.size()) return false;
        unsigned code = size == 1 ? lead : lead & (0x7fu >> size);
        for (std::size_t i = 1; i < size; ++i) {
            if ((byte(at + i) & 0xc0u) != 0x80u) return false;
            code = code << 6u | (byte(at + i) & 0x3fu);
        }
        const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
        const bool is_too_long = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
        if (is_surrogate || is_too_long || code > 0x10ffff) return false;
        at += size;
    }
    return true;
}

}  // namespace bscope
