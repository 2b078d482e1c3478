#include "mpi/commands.h"

#include "wire/convert.h"

namespace bscope {

namespace {

template <class Value>
void put(Packer& into, const Value& value) {
    into.add(value);
}
void put(Packer& into, const RunConfig& config) {
    into.add(toWire(config).SerializeAsString());
}
void put(Packer& into, const std::shared_ptr<const Schedule>& order) {
    into.add(order ? toWire(*order).SerializeAsString() : std::string());
}
void put(Packer& into, const Sentence& sentence) {
    into.add(toWire(sentence).SerializeAsString());
}

template <class Value>
void take(Unpacker& from, Value& value) {
    value = from.next<Value>();
}
template <class Value>
void take(Unpacker& from, std::vector<Value>& values) {
    values = from.nextVector<Value>();
}
void take(Unpacker& from, std::string& text) {
    text = from.nextText();
}
void take(Unpacker& from, RunConfig& config) {
    wire::RunConfig message;
    if (!message.ParseFromString(from.nextText())) throw std::logic_error("a configuration is no message");
    config = fromWire(message);
}
// Without what the configuration says of it; see BuildCommand::plan().
void take(Unpacker& from, std::shared_ptr<const Schedule>& order) {
    const std::string text = from.nextText();
    if (text.empty()) return;
    wire::Schedule message;
    if (!message.ParseFromString(text)) throw std::logic_error("an order is no message");
    order = std::make_shared<const Schedule>(fromWire(message, {}));
}
void take(Unpacker& from, Sentence& sentence) {
    wire::Sentence message;
    if (!message.ParseFromString(from.nextText())) throw std::logic_error("a sentence is no message");
    sentence = fromWire(message);
}

template <class Body>
std::vector<char> packed(Packer into, const Body& body) {
    std::apply([&](const auto&... each) { (put(into, each), ...); }, Body::fields(body));
    return into.take();
}

template <class Body>
Body unpacked(Unpacker& from) {
    Body body;
    std::apply([&](auto&... each) { (take(from, each), ...); }, Body::fields(body));
    return body;
}

}  // namespace

std::vector<char> BuildCommand::pack(Command command) const {
    return packed(Packer().add(command), *this);
}
Plan BuildCommand::plan() const {
    if (!order) return makePlan(config);
    Schedule whole = *order;
    whole.params = config.params;
    return makePlan(config, whole);
}
BuildCommand BuildCommand::unpack(Unpacker& from) {
    return unpacked<BuildCommand>(from);
}

std::vector<char> IterateCommand::pack() const {
    return packed(Packer().add(Command::Iterate), *this);
}
IterateCommand IterateCommand::unpack(Unpacker& from) {
    return unpacked<IterateCommand>(from);
}

std::vector<char> StreamCommand::pack() const {
    return packed(Packer().add(Command::Stream), *this);
}
StreamCommand StreamCommand::unpack(Unpacker& from) {
    return unpacked<StreamCommand>(from);
}

std::vector<char> AdmitCommand::pack() const {
    return packed(Packer().add(Command::Admit), *this);
}
AdmitCommand AdmitCommand::unpack(Unpacker& from) {
    return unpacked<AdmitCommand>(from);
}

std::vector<char> packCommand(Command command, int pipeline) {
    return Packer().add(command).add(pipeline).take();
}

std::vector<char> packStop(const Sentence& reason) {
    Packer packer;
    put(packer.add(Command::Stop), reason);
    return packer.take();
}

void packSentence(Packer& into, const Sentence& sentence) {
    put(into, sentence);
}

Sentence unpackSentence(Unpacker& from) {
    Sentence sentence;
    take(from, sentence);
    return sentence;
}

Reply Reply::notMade(int rank, const std::exception_ptr& error) {
    Reply reply;
    reply.kind = Kind::Failed;
    reply.failure = rankFailure(rank, {}, error);
    if (reply.failure.kind == FailureKind::OutOfMemory)
        reply.failure.cause = sentence("there is no memory left for its model");
    return reply;
}

std::vector<char> Reply::pack() const {
    return packed(Packer(), *this);
}

Reply Reply::unpack(const std::vector<char>& from) {
    Unpacker unpacker(from);
    return unpacked<Reply>(unpacker);
}

}  // namespace bscope
