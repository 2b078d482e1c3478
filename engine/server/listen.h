// Where a server listens.
#pragma once

#include <asio.hpp>
#include <string>

namespace bscope {

// Throws std::runtime_error with the reason in a sentence. `address` is one in numbers, or localhost.
asio::ip::tcp::acceptor listenOn(asio::io_context& context, const std::string& address, std::uint16_t port);

std::string textOf(const asio::ip::tcp::endpoint& endpoint);  // "127.0.0.1:40113"

}  // namespace bscope
