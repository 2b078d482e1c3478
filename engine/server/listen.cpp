#include "server/listen.h"

#include <sstream>

#include "server/server.h"

namespace bscope {

asio::ip::tcp::acceptor listenOn(asio::io_context& context, const std::string& address, std::uint16_t port) {
    const asio::ip::tcp::endpoint endpoint(
        asio::ip::make_address(address == "localhost" ? "127.0.0.1" : address), port);
    try {
        return {context, endpoint};
    } catch (const std::system_error& error) {
        std::ostringstream text;
        text << "cannot listen on " << endpoint << ": " << error.code().message()
             << "; choose another port, or 0 to let the system choose";
        throw std::runtime_error(text.str());
    }
}

std::string textOf(const asio::ip::tcp::endpoint& endpoint) {
    std::ostringstream text;
    text << endpoint;
    return text.str();
}

bool isLoopback(const std::string& address) {
    if (address == "localhost") return true;
    asio::error_code error;
    const auto parsed = asio::ip::make_address(address, error);
    if (error) throw std::invalid_argument(address + " is no address in numbers");
    return parsed.is_loopback();
}

}  // namespace bscope
