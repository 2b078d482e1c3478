// Frames and the recording's header; see frame.h for the layout.
#include "wire/frame.h"

#include <google/protobuf/io/coded_stream.h>
#include <isa-l/crc.h>

namespace bscope {
namespace {

constexpr std::size_t kLengthBytes = 4;
constexpr std::uint32_t kUncheckedVersion = 1;

std::size_t headerBytesOf(Framing framing) {
    return framing == Framing::Checked ? kFrameHeaderBytes : kLengthBytes;
}

void appendU32(std::string& out, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>((value >> shift) & 0xffu));
}

std::uint32_t readU32(std::string_view bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return value;
}

// ISA-L neither inverts at the start nor at the end, as CRC-32C does; it does not write to what it reads.
std::uint32_t continuedCrc(std::uint32_t crc, std::string_view bytes) {
    auto* data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    return crc32_iscsi(data, static_cast<int>(bytes.size()), crc);
}

std::uint32_t checksum(std::string_view length, std::string_view message) {
    return ~continuedCrc(continuedCrc(0xffffffffu, length), message);
}

}  // namespace

std::string encode(const wire::Message& message, Framing framing) {
    const std::size_t size = message.ByteSizeLong();
    if (size == 0) throw WireError(sentence("a message without a body cannot be sent"));
    if (size > kMaxMessageBytes)
        throw WireError(sentence("a message of {0} bytes is above the limit of {1}", size, kMaxMessageBytes));
    return framed(message.SerializeAsString(), framing);
}

std::string framed(std::string_view message, Framing framing) {
    std::string frame;
    frame.reserve(headerBytesOf(framing) + message.size());
    appendU32(frame, static_cast<std::uint32_t>(message.size()));
    if (framing == Framing::Checked) appendU32(frame, checksum(frame, message));
    return frame.append(message);
}

std::string recordingHeader(Framing framing) {
    std::string header(kRecordingMagic);
    appendU32(header, framing == Framing::Checked ? kProtocolVersion : kUncheckedVersion);
    return header;
}

Sentence versionMismatch(std::uint32_t theirs) {
    if (theirs == kProtocolVersion) return {};
    return theirs > kProtocolVersion
               ? sentence(
                     "it speaks version {0} of the stream, this program speaks version {1}: use a newer "
                     "Bubblescope",
                     theirs, kProtocolVersion)
               : sentence(
                     "it speaks version {0} of the stream, this program speaks version {1}: use a matching "
                     "Bubblescope",
                     theirs, kProtocolVersion);
}

Framing framingOfRecording(std::string_view header) {
    if (header.size() < kRecordingHeaderBytes || header.substr(0, kRecordingMagic.size()) != kRecordingMagic)
        throw WireError(
            sentence("this is not a Bubblescope recording: its first bytes are not those of one"));
    const std::uint32_t version = readU32(header.substr(kRecordingMagic.size()));
    if (version == kUncheckedVersion) return Framing::Unchecked;
    if (const Sentence mismatch = versionMismatch(version); !mismatch.empty())
        throw WireError(sentence("this recording cannot be read: {0}", mismatch));
    return Framing::Checked;
}

void FrameReader::feed(std::string_view bytes) {
    buffer_.erase(0, begin_);
    begin_ = last_begin_ = 0;
    buffer_.append(bytes);
}

namespace {

// Whether a message is one field, a greeting, to its end; of bytes that are no message decoding would
// complain.
bool isGreeting(std::string_view body) {
    google::protobuf::io::CodedInputStream in(reinterpret_cast<const std::uint8_t*>(body.data()),
                                              static_cast<int>(body.size()));
    const std::uint32_t field = in.ReadTag() >> 3U;
    std::uint32_t length = 0;
    return (field == wire::Message::kHelloFieldNumber || field == wire::Message::kAttachFieldNumber) &&
           in.ReadVarint32(&length) && static_cast<std::size_t>(in.CurrentPosition()) + length == body.size();
}

}  // namespace

bool FrameReader::greetedUnchecked(std::string_view rest, std::size_t size) const {
    wire::Message message;
    return framing_ == Framing::Checked && !greeted_ && rest.size() >= kLengthBytes + size &&
           isGreeting(rest.substr(kLengthBytes, size)) &&
           message.ParseFromArray(rest.data() + kLengthBytes, static_cast<int>(size)) &&
           (message.hello().protocol_version() == kUncheckedVersion ||
            message.attach().protocol_version() == kUncheckedVersion);
}

std::optional<wire::Message> FrameReader::next() {
    const std::string_view rest = std::string_view(buffer_).substr(begin_);
    if (rest.size() < kLengthBytes) return std::nullopt;
    const std::size_t size = readU32(rest);
    if (size == 0 || size > max_message_bytes_)
        throw WireError(
            sentence("these bytes are not a Bubblescope stream: a message of {0} bytes is impossible", size));
    if (greetedUnchecked(rest, size)) framing_ = Framing::Unchecked;
    const std::size_t header_bytes = headerBytesOf(framing_);
    if (rest.size() < header_bytes + size) return std::nullopt;
    const std::string_view body = rest.substr(header_bytes, size);
    if (framing_ == Framing::Checked &&
        readU32(rest.substr(kLengthBytes)) != checksum(rest.substr(0, kLengthBytes), body))
        throw WireError(
            sentence("a message of {0} bytes is not what was written: its checksum does not fit", size));
    wire::Message message;
    if (!message.ParseFromArray(body.data(), static_cast<int>(size)))
        throw WireError(sentence("these bytes are not a Bubblescope stream: a message cannot be decoded"));
    greeted_ = true;
    last_begin_ = begin_;
    begin_ += header_bytes + size;
    return message;
}

}  // namespace bscope
