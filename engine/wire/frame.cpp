// Frames and the recording's header; see frame.h for the layout.
#include "wire/frame.h"

namespace bscope {
namespace {

void appendU32(std::string& out, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>((value >> shift) & 0xffu));
}

std::uint32_t readU32(std::string_view bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return value;
}

}  // namespace

std::string encode(const wire::Message& message) {
    const std::size_t size = message.ByteSizeLong();
    if (size == 0) throw WireError(sentence("a message without a body cannot be sent"));
    if (size > kMaxMessageBytes)
        throw WireError(sentence("a message of {0} bytes is above the limit of {1}", size, kMaxMessageBytes));
    std::string frame;
    frame.reserve(kFrameHeaderBytes + size);
    appendU32(frame, static_cast<std::uint32_t>(size));
    message.AppendToString(&frame);
    return frame;
}

std::string recordingHeader() {
    std::string header(kRecordingMagic);
    appendU32(header, kProtocolVersion);
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

void checkRecordingHeader(std::string_view bytes) {
    if (bytes.size() < kRecordingHeaderBytes || bytes.substr(0, kRecordingMagic.size()) != kRecordingMagic)
        throw WireError(
            sentence("this is not a Bubblescope recording: its first bytes are not those of one"));
    if (const Sentence mismatch = versionMismatch(readU32(bytes.substr(kRecordingMagic.size())));
        !mismatch.empty())
        throw WireError(sentence("this recording cannot be read: {0}", mismatch));
}

void FrameReader::feed(std::string_view bytes) {
    buffer_.erase(0, begin_);
    begin_ = last_begin_ = 0;
    buffer_.append(bytes);
}

std::optional<wire::Message> FrameReader::next() {
    const std::string_view rest = std::string_view(buffer_).substr(begin_);
    if (rest.size() < kFrameHeaderBytes) return std::nullopt;
    const std::size_t size = readU32(rest);
    if (size == 0 || size > max_message_bytes_)
        throw WireError(
            sentence("these bytes are not a Bubblescope stream: a message of {0} bytes is impossible", size));
    if (rest.size() < kFrameHeaderBytes + size) return std::nullopt;
    wire::Message message;
    if (!message.ParseFromArray(rest.data() + kFrameHeaderBytes, static_cast<int>(size)))
        throw WireError(sentence("these bytes are not a Bubblescope stream: a message cannot be decoded"));
    last_begin_ = begin_;
    begin_ += kFrameHeaderBytes + size;
    return message;
}

}  // namespace bscope
