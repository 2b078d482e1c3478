// Every length and offset of a file is checked before it is used: a broken or hostile file ends in a
// sentence.
#include "model/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <ostream>

#include "files/shallow_json.h"
#include "files/user_file.h"
#include "files/whole_file.h"

namespace bscope {

namespace {

static_assert(std::endian::native == std::endian::little,
              "safetensors are little-endian, and so is this code");

using Json = nlohmann::json;
constexpr const char* kMetadata = "__metadata__";
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // the format's own limit

[[noreturn]] void fail(const std::filesystem::path& file, const Sentence& cause) {
    throw TensorFileError(sentence("{0}: {1}", file.string(), cause));
}

std::size_t bytesOf(const Tensor& tensor) {
    return std::visit([](const auto& values) { return values.size() * sizeof(values[0]); }, tensor.values);
}

// Product of the sizes; refuses one that does not fit into memory.
std::size_t elements(const std::filesystem::path& file, const std::string& name,
                     const std::vector<std::size_t>& shape) {
    std::size_t count = 1;
    for (const std::size_t n : shape)
        if (__builtin_mul_overflow(count, n, &count))
            fail(file, sentence("tensor {0} has an impossible shape", name));
    return count;
}

std::vector<std::size_t> sizes(const std::filesystem::path& file, const std::string& name, const Json& entry,
                               const char* key) {
    const auto found = entry.find(key);
    const auto isSize = [](const Json& number) { return number.is_number_unsigned(); };
    if (found == entry.end() || !found->is_array() || !std::all_of(found->begin(), found->end(), isSize))
        fail(file, sentence("tensor {0} has no valid {1}", name, key));
    return found->get<std::vector<std::size_t>>();
}

template <typename T>
std::vector<T> valuesAt(const char* data, std::size_t count) {
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), data, count * sizeof(T));
    return values;
}

Tensor parseTensor(const std::filesystem::path& file, const std::string& name, const Json& entry,
                   std::string_view data) {
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string())
        fail(file, sentence("tensor {0} has no dtype", name));
    const std::string dtype = entry["dtype"].get<std::string>();
    if (dtype != "F32" && dtype != "I64")
        fail(file, sentence("tensor {0} is {1}; only F32 and I64 are read", name, dtype));
    Tensor tensor{.shape = sizes(file, name, entry, "shape"), .values = {}};
    const std::vector<std::size_t> offsets = sizes(file, name, entry, "data_offsets");
    const std::size_t count = elements(file, name, tensor.shape);
    const std::size_t width = dtype == "F32" ? sizeof(float) : sizeof(std::int64_t);
    if (offsets.size() != 2 || offsets[0] > offsets[1] || (offsets[1] - offsets[0]) % width != 0 ||
        (offsets[1] - offsets[0]) / width != count)
        fail(file, sentence("tensor {0} has data_offsets that do not fit its shape", name));
    if (offsets[1] > data.size())
        fail(file, sentence("truncated: tensor {0} ends at byte {1} of the data, of which there are {2}",
                            name, offsets[1], data.size()));
    if (dtype == "F32")
        tensor.values = valuesAt<float>(data.data() + offsets[0], count);
    else
        tensor.values = valuesAt<std::int64_t>(data.data() + offsets[0], count);
    return tensor;
}

struct Head {
    Json table;
    std::size_t bytes = 0;  // before the data
};

std::string take(UserFile& in, const std::filesystem::path& file, std::size_t size,
                 const Sentence& when_short) {
    std::string bytes(size, '\0');
    if (in.read(bytes.data(), size) < size) fail(file, when_short);
    return bytes;
}

Head readHead(UserFile& in, const std::filesystem::path& file) {
    std::uint64_t size = 0;
    const std::string length =
        take(in, file, sizeof(size), sentence("truncated: shorter than a safetensors header"));
    std::memcpy(&size, length.data(), sizeof(size));
    if (size > kMaxHeaderBytes) fail(file, sentence("is not a safetensors file"));
    if (sizeof(size) + size > in.sizeBytes()) fail(file, sentence("truncated within its header"));
    const std::string text = take(in, file, size, sentence("truncated within its header"));
    if (isTooDeepJson(text)) fail(file, JsonTooDeep().said);
    Head head{parsedJson<Json>(text), sizeof(size) + size};
    if (!head.table.is_object()) fail(file, sentence("is not a safetensors file: its header is not JSON"));
    return head;
}

std::map<std::string, std::string> metadataOf(const Head& head, const std::filesystem::path& file) {
    std::map<std::string, std::string> metadata;
    const auto entry = head.table.find(kMetadata);
    if (entry == head.table.end()) return metadata;
    if (!entry->is_object()) fail(file, sentence("__metadata__ is not a table of texts"));
    for (const auto& [key, value] : entry->items()) {
        if (!value.is_string()) fail(file, sentence("__metadata__ of {0} is not a text", key));
        metadata[key] = value.get<std::string>();
    }
    return metadata;
}

// Errors of the file itself with its name.
template <typename Read>
auto reading(const std::filesystem::path& file, const Read& read) {
    try {
        UserFile in(file);
        return read(in);
    } catch (const FileError& error) {
        fail(file, sentence("cannot be read: {0}", sentenceOf(error)));
    }
}

}  // namespace

void writeTensors(const std::filesystem::path& file, const TensorFile& content) {
    Json header = Json::object();
    if (!content.metadata.empty()) header[kMetadata] = content.metadata;
    std::size_t offset = 0;
    for (const auto& [name, tensor] : content.tensors) {
        const std::size_t end = offset + bytesOf(tensor);
        header[name] = {{"dtype", tensor.values.index() == 0 ? "F32" : "I64"},
                        {"shape", tensor.shape},
                        {"data_offsets", {offset, end}}};
        offset = end;
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');  // data begins on an 8-byte boundary
    const std::uint64_t size = text.size();

    try {
        writeWholeFile(file, [&](std::ostream& out) {
            out.write(reinterpret_cast<const char*>(&size), sizeof(size));
            out.write(text.data(), static_cast<std::streamsize>(text.size()));
            for (const auto& [name, tensor] : content.tensors)
                std::visit(
                    [&](const auto& values) {
                        out.write(reinterpret_cast<const char*>(values.data()),
                                  static_cast<std::streamsize>(values.size() * sizeof(values[0])));
                    },
                    tensor.values);
        });
    } catch (const std::runtime_error& error) {
        fail(file, sentence("cannot be written: {0}", sentenceOf(error)));
    }
}

TensorFile readTensors(const std::filesystem::path& file, std::uint64_t max_data_bytes) {
    return reading(file, [&](UserFile& in) {
        const Head head = readHead(in, file);
        const std::uint64_t size = in.sizeBytes() - head.bytes;
        if (size > max_data_bytes)
            fail(file, sentence("holds {0} bytes of numbers, at most {1} belong to the model", size,
                                max_data_bytes));
        const std::string data = take(in, file, size, sentence("was cut while it was read"));
        TensorFile content{.tensors = {}, .metadata = metadataOf(head, file)};
        for (const auto& [name, entry] : head.table.items())
            if (name != kMetadata) content.tensors.emplace(name, parseTensor(file, name, entry, data));
        return content;
    });
}

std::map<std::string, std::string> readTensorMetadata(const std::filesystem::path& file) {
    return reading(file, [&](UserFile& in) { return metadataOf(readHead(in, file), file); });
}

}  // namespace bscope
