#include "support/message_mutator.h"

#include <algorithm>

#include "support/byte_mutator.h"
#include "wire/error.h"

namespace bscope::fuzz {

namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr int kMostElements = 64;

const char* const kWords[] = {"",        "1f1b",      "gpipe",    "zb-v",        "dualpipe",
                              "chimera", "pipedream", "naive",    "file:/x",     "none",
                              "full",    "selective", "auto",     "measured",    "cpu",
                              "cuda",    "bf16",      "CUPTI",    "interleaved", "hanayo",
                              "气泡",    "\"\\",      "a\nb\x01", "<&>;,{0}",    "forward"};

// Numbers as an engine sends them, mostly: ranks, stages, iterations, times.
std::int64_t integer(Random& random) {
    return oneIn(random, 4) ? edgeInteger(random) : static_cast<std::int64_t>(below(random, 9));
}

// Sets the field, or element `index` of a repeated one (-1: adds an element).
class Setter {
public:
    Setter(Message& message, const FieldDescriptor* field, int index, Random& random)
        : message_(message),
          reflection_(*message.GetReflection()),
          field_(field),
          index_(index),
          random_(random) {}

    void set() {
        switch (field_->cpp_type()) {
            case FieldDescriptor::CPPTYPE_INT32:
                return put(static_cast<std::int32_t>(integer(random_)), &Reflection::SetInt32,
                           &Reflection::SetRepeatedInt32, &Reflection::AddInt32);
            case FieldDescriptor::CPPTYPE_INT64:
                return put(integer(random_), &Reflection::SetInt64, &Reflection::SetRepeatedInt64,
                           &Reflection::AddInt64);
            case FieldDescriptor::CPPTYPE_UINT32:
                return put(static_cast<std::uint32_t>(integer(random_)), &Reflection::SetUInt32,
                           &Reflection::SetRepeatedUInt32, &Reflection::AddUInt32);
            case FieldDescriptor::CPPTYPE_UINT64:
                return put(static_cast<std::uint64_t>(integer(random_)), &Reflection::SetUInt64,
                           &Reflection::SetRepeatedUInt64, &Reflection::AddUInt64);
            case FieldDescriptor::CPPTYPE_DOUBLE:
                return put(edgeNumber(random_), &Reflection::SetDouble, &Reflection::SetRepeatedDouble,
                           &Reflection::AddDouble);
            case FieldDescriptor::CPPTYPE_FLOAT:
                return put(static_cast<float>(edgeNumber(random_)), &Reflection::SetFloat,
                           &Reflection::SetRepeatedFloat, &Reflection::AddFloat);
            case FieldDescriptor::CPPTYPE_BOOL:
                return put(oneIn(random_, 2), &Reflection::SetBool, &Reflection::SetRepeatedBool,
                           &Reflection::AddBool);
            case FieldDescriptor::CPPTYPE_ENUM:
                return put(static_cast<int>(integer(random_)), &Reflection::SetEnumValue,
                           &Reflection::SetRepeatedEnumValue, &Reflection::AddEnumValue);
            case FieldDescriptor::CPPTYPE_STRING:
                return put(std::string(kWords[below(random_, std::size(kWords))]), &Reflection::SetString,
                           &Reflection::SetRepeatedString, &Reflection::AddString);
            case FieldDescriptor::CPPTYPE_MESSAGE:
                return mutateMessage(inner(), random_);
        }
    }

private:
    template <class T>
    void put(T value, void (Reflection::*one)(Message*, const FieldDescriptor*, T) const,
             void (Reflection::*element)(Message*, const FieldDescriptor*, int, T) const,
             void (Reflection::*add)(Message*, const FieldDescriptor*, T) const) {
        if (!field_->is_repeated())
            (reflection_.*one)(&message_, field_, std::move(value));
        else if (index_ >= 0)
            (reflection_.*element)(&message_, field_, index_, std::move(value));
        else
            (reflection_.*add)(&message_, field_, std::move(value));
    }

    Message& inner() {
        if (!field_->is_repeated()) return *reflection_.MutableMessage(&message_, field_);
        if (index_ >= 0) return *reflection_.MutableRepeatedMessage(&message_, field_, index_);
        return *reflection_.AddMessage(&message_, field_);
    }

    Message& message_;
    const Reflection& reflection_;
    const FieldDescriptor* field_;
    int index_;
    Random& random_;
};

void mutateRepeated(Message& message, const FieldDescriptor* field, Random& random) {
    const Reflection& reflection = *message.GetReflection();
    const int size = reflection.FieldSize(message, field);
    const int at = static_cast<int>(below(random, static_cast<std::uint64_t>(size)));
    switch (below(random, 4)) {
        case 0:
            if (size < kMostElements) Setter(message, field, -1, random).set();
            return;
        case 1:
            if (size > 0) reflection.RemoveLast(&message, field);
            return;
        case 2:
            if (size > 1)
                reflection.SwapElements(&message, field, at,
                                        static_cast<int>(below(random, static_cast<std::uint64_t>(size))));
            return;
        default:
            if (size > 0) Setter(message, field, at, random).set();
    }
}

bool isColumn(const FieldDescriptor* field) {
    return field->is_repeated() && field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE &&
           field->cpp_type() != FieldDescriptor::CPPTYPE_STRING;
}

// Batches: every column that is there one longer or one shorter, so that the lengths still agree.
void resizeColumns(Message& message, bool longer, Random& random) {
    const Descriptor& type = *message.GetDescriptor();
    const Reflection& reflection = *message.GetReflection();
    int longest = 0;
    for (int i = 0; i < type.field_count(); ++i)
        if (isColumn(type.field(i)))
            longest = std::max(longest, reflection.FieldSize(message, type.field(i)));
    for (int i = 0; i < type.field_count(); ++i) {
        const FieldDescriptor* field = type.field(i);
        if (!isColumn(field)) continue;
        const int size = reflection.FieldSize(message, field);
        if (longer && size < kMostElements && (size > 0 || longest == 0))
            Setter(message, field, -1, random).set();
        if (!longer && size > 0) reflection.RemoveLast(&message, field);
    }
}

}  // namespace

void mutateMessage(Message& message, Random& random) {
    const Descriptor& type = *message.GetDescriptor();
    const Reflection& reflection = *message.GetReflection();
    if (type.field_count() == 0) return;
    int columns = 0;
    for (int i = 0; i < type.field_count(); ++i) columns += isColumn(type.field(i));
    if (columns > 2 && oneIn(random, 4)) return resizeColumns(message, !oneIn(random, 3), random);

    // What is there changes more often than what is not.
    std::vector<const FieldDescriptor*> present;
    reflection.ListFields(message, &present);
    const FieldDescriptor* field =
        !present.empty() && !oneIn(random, 4)
            ? present[below(random, present.size())]
            : type.field(static_cast<int>(below(random, static_cast<std::uint64_t>(type.field_count()))));
    if (field->is_repeated()) return mutateRepeated(message, field, random);
    if (oneIn(random, 8)) return reflection.ClearField(&message, field);
    Setter(message, field, -1, random).set();
}

std::vector<wire::Message> messagesOf(std::string_view stream, Framing framing) {
    std::vector<wire::Message> messages;
    FrameReader frames(kMaxMessageBytes, framing);
    frames.feed(stream);
    try {
        while (auto message = frames.next()) messages.push_back(std::move(*message));
    } catch (const WireError&) {  // the rest is damaged
    }
    return messages;
}

std::string streamOf(const std::vector<wire::Message>& messages, Framing framing) {
    std::string stream;
    for (const wire::Message& message : messages)
        if (message.ByteSizeLong() > 0) stream += encode(message, framing);
    return stream;
}

void mutateMessages(std::vector<wire::Message>& messages, Random& random) {
    if (messages.empty()) messages.emplace_back();
    const std::size_t at = below(random, messages.size()), other = below(random, messages.size());
    const auto place = [&](std::size_t index) {
        return messages.begin() + static_cast<std::ptrdiff_t>(index);
    };
    switch (below(random, 12)) {
        case 0: {
            const wire::Message copy = messages[at];
            messages.insert(place(other), copy);
            return;
        }
        case 1:
            messages.erase(place(at));
            return;
        case 2:
            std::swap(messages[at], messages[other]);
            return;
        case 3:
            mutateMessage(*messages.insert(place(at), wire::Message()), random);
            return;
        default:
            for (std::uint64_t i = 1 + below(random, 3); i > 0; --i) mutateMessage(messages[at], random);
    }
}

void mutateStream(std::string& input, Random& random) {
    if (oneIn(random, 8)) return mutateBytes(input, random);
    std::vector<wire::Message> messages = messagesOf(input);
    for (std::uint64_t i = 1 + below(random, 3); i > 0; --i) mutateMessages(messages, random);
    input = streamOf(messages);
}

void mutateRecording(std::string& input, Random& random) {
    if (input.size() < kRecordingHeaderBytes || oneIn(random, 64)) return mutateBytes(input, random);
    const Framing before =
        input.starts_with(recordingHeader(Framing::Checked)) ? Framing::Checked : Framing::Unchecked;
    std::vector<wire::Message> messages =
        messagesOf(std::string_view(input).substr(kRecordingHeaderBytes), before);
    for (std::uint64_t i = 1 + below(random, 3); i > 0; --i) mutateMessages(messages, random);
    const Framing after = oneIn(random, 4) ? Framing::Checked : Framing::Unchecked;
    input = recordingHeader(after) + streamOf(messages, after);
    if (oneIn(random, 8)) mutateBytes(input, random);
}

}  // namespace bscope::fuzz
