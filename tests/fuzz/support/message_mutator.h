// Mutates streams of frames by what they hold: fields of messages take values at their limits, columns of a
// batch grow and shrink together, messages are doubled, dropped, moved and invented. Works on every message
// of bubblescope.proto by reflection.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <vector>

#include "support/target.h"
#include "wire/frame.h"

namespace bscope::fuzz {

// The whole messages of a stream without a recording's header; what follows the last one is lost. Streams of
// targets have no checksums, which no change of bytes would get past.
std::vector<wire::Message> messagesOf(std::string_view stream, Framing framing = Framing::Unchecked);
std::string streamOf(const std::vector<wire::Message>& messages, Framing framing = Framing::Unchecked);

void mutateMessage(google::protobuf::Message& message, Random& random);
// (messages,) of one stream.
void mutateMessages(std::vector<wire::Message>& messages, Random& random);

// mutate() of targets that read a stream, and of those that read a recording. One in eight changes bytes.
void mutateStream(std::string& input, Random& random);
void mutateRecording(std::string& input, Random& random);

}  // namespace bscope::fuzz
