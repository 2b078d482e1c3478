// The frame: how one wire::Message stands in the stream and in a recording.
//
//   offset  size  content
//   0       4     n, unsigned little-endian: bytes of the message, 1 .. kMaxMessageBytes
//   4       4     CRC-32C (RFC 3720, section 12.1) of the four bytes before and of the message, little-endian
//   8       n     wire::Message, protobuf encoding
//
// A recording is the 12 bytes below, then the stream's frames byte for byte:
//
//   0       8     "BSCOPE", 0x1a, '\n'
//   8       4     kProtocolVersion, unsigned little-endian
//
// Version 1 had no checksums: its recordings stay readable, its streams are refused by version.
//
// Values without threads: one thread at a time per FrameReader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "wire/bubblescope.pb.h"
#include "wire/error.h"

namespace bscope {

// Both ends must have the same; changes when a reader of the old version would misread.
inline constexpr std::uint32_t kProtocolVersion = 2;
inline constexpr std::size_t kFrameHeaderBytes = 8;
inline constexpr std::size_t kMaxMessageBytes = 16u << 20;
inline constexpr std::string_view kRecordingMagic{"BSCOPE\x1a\n", 8};
inline constexpr std::size_t kRecordingHeaderBytes = 12;

// How frames are written: with a checksum, or as version 1 did, without.
enum class Framing : std::uint8_t { Checked, Unchecked };

// The whole frame of a message. Throws WireError when the message is empty or above kMaxMessageBytes.
std::string encode(const wire::Message& message, Framing framing = Framing::Checked);
// The frame of an encoded message, whatever its bytes are.
std::string framed(std::string_view message, Framing framing = Framing::Checked);

std::string recordingHeader(Framing framing = Framing::Checked);
// How the frames after these first bytes are written. Throws WireError when they are not those of a recording
// that this version reads.
Framing framingOfRecording(std::string_view header);

// Empty when both sides speak the same version, else the sentence that refuses the other side.
Sentence versionMismatch(std::uint32_t theirs);

// Takes bytes as they come and gives whole messages.
class FrameReader {
public:
    explicit FrameReader(std::size_t max_message_bytes = kMaxMessageBytes,
                         Framing framing = Framing::Checked)
        : max_message_bytes_(max_message_bytes), framing_(framing) {}

    void feed(std::string_view bytes);
    // The next whole message; nullopt until more bytes are fed. Throws WireError on an impossible length, a
    // checksum that does not fit, or bytes that are no message; the reader is of no use after that. The
    // greeting of a peer of version 1 is given as it is, so that its version is what it is refused for.
    std::optional<wire::Message> next();
    // The bytes of the frame next() gave last, header included; valid until the next feed() or next().
    std::string_view lastFrame() const {
        return std::string_view(buffer_).substr(last_begin_, begin_ - last_begin_);
    }
    // Bytes fed that belong to a message not yet whole.
    std::size_t pendingBytes() const { return buffer_.size() - begin_; }

private:
    bool greetedUnchecked(std::string_view rest, std::size_t size) const;

    std::size_t max_message_bytes_;
    Framing framing_;
    bool greeted_ = false;  // a message was given
    std::string buffer_;
    std::size_t begin_ = 0;       // first byte not yet given out
    std::size_t last_begin_ = 0;  // first byte of the last frame given out
};

}  // namespace bscope
