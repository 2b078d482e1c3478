#include "words/shown.h"

#include <algorithm>
#include <cstddef>

namespace bscope {
namespace {

struct Letter {
    std::size_t bytes = 0;  // 0: no UTF-8
    unsigned code = 0;
};

Letter letterAt(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(at);
    const std::size_t bytes = lead < 0x80                  ? 1
                              : lead < 0xc2 || lead > 0xf4 ? 0
                              : lead < 0xe0                ? 2
                              : lead < 0xf0                ? 3
                                                           : 4;
    if (bytes == 0 || at + bytes > text.size()) return {};
    unsigned code = bytes == 1 ? lead : lead & (0x7fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(at + i) & 0xc0u) != 0x80u) return {};
        code = code << 6u | (byte(at + i) & 0x3fu);
    }
    const bool is_too_long = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
    if (is_too_long || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return {};
    return {bytes, code};
}

// Control letters of both sets, and what turns the direction of writing.
bool drivesTerminals(unsigned code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

void appendHex(std::string& out, const char* begin, unsigned value, int digits) {
    out += begin;
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        out += "0123456789abcdef"[value >> shift & 15u];
}

}  // namespace

std::string shown(std::string_view text, Newlines newlines) {
    const auto is_plain = [](char letter) { return letter >= ' ' && letter <= '~'; };
    if (std::ranges::all_of(text, is_plain)) return std::string(text);
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const Letter letter = letterAt(text, at);
        const bool is_kept = letter.code == '\t' || (letter.code == '\n' && newlines == Newlines::Kept);
        if (letter.bytes == 0)
            appendHex(out, "\\x", static_cast<unsigned char>(text[at]), 2);
        else if (!drivesTerminals(letter.code) || is_kept)
            out.append(text, at, letter.bytes);
        else if (letter.code < 0x80)
            appendHex(out, "\\x", letter.code, 2);
        else
            appendHex(out, "\\u", letter.code, 4);
        at += std::max<std::size_t>(letter.bytes, 1);
    }
    return out;
}

// Below 0x20 there are the line ends of JSON alone; in its strings they are escaped already.
std::string shownJson(std::string_view json) {
    std::string out;
    out.reserve(json.size());
    for (std::size_t at = 0; at < json.size();) {
        const Letter letter = letterAt(json, at);
        const std::size_t bytes = std::max<std::size_t>(letter.bytes, 1);
        if (letter.code >= 0x20 && drivesTerminals(letter.code))
            appendHex(out, "\\u", letter.code, 4);
        else
            out.append(json, at, bytes);
        at += bytes;
    }
    return out;
}

}  // namespace bscope
