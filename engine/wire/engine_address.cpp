#include "wire/engine_address.h"

#include <charconv>

namespace bscope {
namespace {

constexpr std::string_view kScheme = "bscope://", kBlank = " \t\r\n";
// RFC 3986, section 2.3
constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
constexpr std::string_view kDigits = "0123456789ABCDEF";

std::string escaped(std::string_view text) {
    std::string out;
    for (const char letter : text) {
        const unsigned byte = static_cast<unsigned char>(letter);
        if (kPlain.find(letter) != std::string_view::npos)
            out += letter;
        else
            (out += '%') += {kDigits[byte >> 4], kDigits[byte & 15u]};
    }
    return out;
}

// All of `text` as a number; nullopt: it is none, or has a sign.
std::optional<int> wholeNumber(std::string_view text, int base) {
    int value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value, base);
    if (error != std::errc() || stopped != end || text.starts_with('-')) return std::nullopt;
    return value;
}

std::optional<std::string> unescaped(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        if (text.front() != '%') {
            out += text.front();
            text.remove_prefix(1);
            continue;
        }
        const auto byte = text.size() < 3 ? std::nullopt : wholeNumber(text.substr(1, 2), 16);
        if (!byte) return std::nullopt;
        out += static_cast<char>(*byte);
        text.remove_prefix(3);
    }
    return out;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::optional<EngineAddress> hostAndPort(std::string_view text, int least_port) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto port = wholeNumber(text.substr(colon + 1), 10);
    std::string_view host = text.substr(0, colon);
    const bool is_bracketed = host.size() > 2 && host.starts_with('[') && host.ends_with(']');
    if (is_bracketed) host = host.substr(1, host.size() - 2);
    const bool is_host = !host.empty() && host.find_first_of(is_bracketed ? "[]/@ \t\r\n" : "[]:/@ \t\r\n") ==
                                              std::string_view::npos;
    if (!is_host || !port || *port < least_port || *port > 65535) return std::nullopt;
    return EngineAddress{std::string(host), static_cast<std::uint16_t>(*port), {}};
}

}  // namespace

std::string EngineAddress::text() const {
    const bool is_ipv6 = host.find(':') != std::string::npos;
    return (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::string EngineAddress::url() const {
    return std::string(kScheme) + escaped(token) + "@" + text();
}

std::optional<EngineAddress> parseEngineAddress(std::string_view text, int least_port) {
    text = trimmed(text);
    std::optional<std::string> token = std::string();
    if (text.starts_with(kScheme)) {
        text.remove_prefix(kScheme.size());
        const std::size_t at = text.rfind('@');
        if (at != std::string_view::npos) {
            token = unescaped(text.substr(0, at));
            text.remove_prefix(at + 1);
        }
        if (text.ends_with('/')) text.remove_suffix(1);  // as browsers and chats complete it
    }
    auto address = hostAndPort(text, least_port);
    if (!address || !token) return std::nullopt;
    address->token = *token;
    return address;
}

}  // namespace bscope
