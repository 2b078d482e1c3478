// Where a server listens and who may come in.
#pragma once

#include <asio.hpp>
#include <string>

namespace bscope {

// Throws std::runtime_error with the reason in a sentence. `address` is one in numbers, or localhost.
asio::ip::tcp::acceptor listenOn(asio::io_context& context, const std::string& address, std::uint16_t port);

// Takes the same time for every wrong token of the right length.
bool sameToken(const std::string& a, const std::string& b);

}  // namespace bscope
