// EngineAddress: where an engine listens and the token that it asks for, as people write and copy them:
// HOST:PORT, [IPv6]:PORT, or both in one line, bscope://TOKEN@HOST:PORT. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bscope {

struct EngineAddress {
    std::string host;  // an IPv6 address without its brackets
    std::uint16_t port = 0;
    std::string token;  // empty: none is given

    std::string text() const;  // "HOST:PORT", "[IPv6]:PORT"
    // One line with the token, with percent signs where a URL needs them (RFC 3986, section 2.1).
    std::string url() const;
};

// Spaces around it do not matter. least_port is 0 where a program listens and the system may choose. nullopt:
// it is no such address.
std::optional<EngineAddress> parseEngineAddress(std::string_view text, int least_port = 1);

}  // namespace bscope
