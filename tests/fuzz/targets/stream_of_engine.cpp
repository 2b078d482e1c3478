// What a viewer reads of an engine, message by message. Refusals are WireError. What is understood survives
// the way back and forth, and how the bytes were cut into pieces changes nothing.
#include <algorithm>
#include <optional>

#include "support/byte_mutator.h"
#include "support/message_mutator.h"
#include "wire/convert.h"
#include "wire/frame.h"

namespace bscope::fuzz {

namespace {

struct Read {
    std::vector<std::string> messages;
    bool refused = false;
    bool operator==(const Read&) const = default;
};

// Fed in pieces of at most piece_bytes.
Read readInPieces(std::string_view input, std::size_t piece_bytes) {
    Read read;
    FrameReader frames(kMaxMessageBytes, Framing::Unchecked);
    try {
        for (std::size_t at = 0; at < input.size(); at += piece_bytes) {
            frames.feed(input.substr(at, piece_bytes));
            while (const auto message = frames.next()) read.messages.push_back(message->SerializeAsString());
        }
    } catch (const WireError&) {
        read.refused = true;
    }
    return read;
}

// Once understood, a message means the same for ever.
template <class Message, class Back>
void checkRoundTrip(const Message& message, Back back) {
    const auto once = back(fromWire(message));
    require(back(fromWire(once)).SerializeAsString() == once.SerializeAsString(),
            "a message changes on its way", [&] { return once.ShortDebugString(); });
}

void take(const wire::Message& message) {
    const auto same = [](const auto& value) { return toWire(value); };
    switch (message.body_case()) {
        case wire::Message::kHello:
            checkRoundTrip(message.hello().config(), same);
            break;
        case wire::Message::kIterationStart:
            checkRoundTrip(message.iteration_start(), same);
            break;
        case wire::Message::kEvents:
            checkRoundTrip(message.events(), [&](const std::vector<Event>& events) {
                return toWire(message.events().rank(), events);
            });
            break;
        case wire::Message::kMemory:
            checkRoundTrip(message.memory(), [&](const std::vector<MemoryPoint>& points) {
                return toWire(message.memory().rank(), points);
            });
            break;
        case wire::Message::kKernels:
            checkRoundTrip(message.kernels(), [&](const KernelPart& part) {
                return toWire(message.kernels().rank(), part.kernels, 0);
            });
            break;
        case wire::Message::kIterationReport:
            checkRoundTrip(message.iteration_report(), same);
            break;
        case wire::Message::kSweep:
            checkRoundTrip(message.sweep(), same);
            break;
        case wire::Message::kConfigureReply:
            for (const wire::Problem& problem : message.configure_reply().problems())
                require(!fromWire(problem).text().empty() || problem.message().empty(),
                        "a problem says nothing");
            break;
        default:
            break;
    }
}

void run(std::string_view input) {
    const Read whole = readInPieces(input, std::max<std::size_t>(input.size(), 1));
    require(readInPieces(input, 1 + input.size() % 61) == whole, "pieces of a stream give other messages");
    for (const wire::Message& message : messagesOf(input)) {
        try {
            take(message);
        } catch (const WireError&) {  // a sentence
        }
    }
}

}  // namespace

const Target& target() {
    static const Target stream{"stream_of_engine", run, mutateStream};
    return stream;
}

}  // namespace bscope::fuzz
