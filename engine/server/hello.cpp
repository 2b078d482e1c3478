#include "server/hello.h"

#include <unistd.h>

#include <chrono>

#include "host/cores.h"
#include "wire/convert.h"
#include "wire/frame.h"
#include "words/catalog.h"

namespace bscope {
namespace {

std::string hostName() {
    std::string name(256, '\0');
    if (gethostname(name.data(), name.size() - 1) != 0) return "this machine";
    return name.c_str();
}

std::string deviceText() {
    const auto cores = usableCores().size();
    return "CPU, " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
}

}  // namespace

std::int64_t unixTime_ms() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

wire::Message helloMessage(const RunConfig& config, wire::RunState state, std::int64_t started_unix_ms,
                           bool controls) {
    wire::Message message;
    auto* hello = message.mutable_hello();
    hello->set_protocol_version(kProtocolVersion);
    hello->set_engine_version(BUBBLESCOPE_VERSION);
    hello->set_host(hostName());
    hello->set_device(deviceText());
    hello->set_controller(controls);
    *hello->mutable_config() = toWire(config);
    hello->set_state(state);
    hello->set_started_unix_ms(started_unix_ms);
    return message;
}

wire::Message logMessage(const Sentence& what) {
    wire::Message message;
    message.mutable_log()->set_text(say(what, Language::English));
    *message.mutable_log()->mutable_what() = toWire(what);
    return message;
}

wire::Message failureMessage(const Sentence& what, const Sentence& advice) {
    wire::Message message;
    wire::Failure& failure = *message.mutable_failure();
    failure.set_sentence(say(what, Language::English));
    failure.set_what_to_do(say(advice, Language::English));
    *failure.mutable_what() = toWire(what);
    *failure.mutable_advice() = toWire(advice);
    return message;
}

}  // namespace bscope
