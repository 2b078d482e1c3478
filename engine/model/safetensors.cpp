// Every length and offset of a file is checked before it is used: a broken or hostile file ends in a
// sentence.
#include "model/safetensors.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

namespace bscope {

namespace {

static_assert(std::endian::native == std::endian::little,
              "safetensors are little-endian, and so is this code");

using Json = nlohmann::json;
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // the format's own limit

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& cause) {
    throw TensorFileError(file.string() + ": " + cause);
}

std::string systemMessage() {
    return std::generic_category().message(errno);
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
            fail(file, "tensor " + name + " has an impossible shape");
    return count;
}

std::vector<std::size_t> sizes(const std::filesystem::path& file, const std::string& name, const Json& entry,
                               const char* key) {
    const auto found = entry.find(key);
    const auto isSize = [](const Json& number) { return number.is_number_unsigned(); };
    if (found == entry.end() || !found->is_array() || !std::all_of(found->begin(), found->end(), isSize))
        fail(file, "tensor " + name + " has no valid " + key);
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
        fail(file, "tensor " + name + " has no dtype");
    const std::string dtype = entry["dtype"].get<std::string>();
    if (dtype != "F32" && dtype != "I64")
        fail(file, "tensor " + name + " is " + dtype + "; only F32 and I64 are read");
    Tensor tensor{.shape = sizes(file, name, entry, "shape"), .values = {}};
    const std::vector<std::size_t> offsets = sizes(file, name, entry, "data_offsets");
    const std::size_t count = elements(file, name, tensor.shape);
    const std::size_t width = dtype == "F32" ? sizeof(float) : sizeof(std::int64_t);
    if (offsets.size() != 2 || offsets[0] > offsets[1] || (offsets[1] - offsets[0]) % width != 0 ||
        (offsets[1] - offsets[0]) / width != count)
        fail(file, "tensor " + name + " has data_offsets that do not fit its shape");
    if (offsets[1] > data.size())
        fail(file, "truncated: tensor " + name + " ends at byte " + std::to_string(offsets[1]) +
                       " of the data, of which there are " + std::to_string(data.size()));
    if (dtype == "F32")
        tensor.values = valuesAt<float>(data.data() + offsets[0], count);
    else
        tensor.values = valuesAt<std::int64_t>(data.data() + offsets[0], count);
    return tensor;
}

std::string readAll(const std::filesystem::path& file) {
    if (std::filesystem::is_directory(file)) fail(file, "is a folder");
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    if (!in) fail(file, "cannot be opened: " + systemMessage());
    const std::streamoff size = in.tellg();
    if (size < 0) fail(file, "cannot be read: " + systemMessage());
    std::string content(static_cast<std::size_t>(size), '\0');
    in.seekg(0);
    if (!in.read(content.data(), size)) fail(file, "cannot be read: " + systemMessage());
    return content;
}

}  // namespace

void writeTensors(const std::filesystem::path& file, const TensorFile& content) {
    Json header = Json::object();
    if (!content.metadata.empty()) header["__metadata__"] = content.metadata;
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

    std::error_code error;
    const bool is_special = std::filesystem::exists(file, error) &&
                            !std::filesystem::is_regular_file(file, error);  // a device or pipe stays one
    std::filesystem::path part = file;
    if (!is_special) part += ".part";
    std::ofstream out(part, std::ios::binary);
    out.write(reinterpret_cast<const char*>(&size), sizeof(size));
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    for (const auto& [name, tensor] : content.tensors)
        std::visit(
            [&](const auto& values) {
                out.write(reinterpret_cast<const char*>(values.data()),
                          static_cast<std::streamsize>(values.size() * sizeof(values[0])));
            },
            tensor.values);
    out.close();
    if (!out) {
        const std::string cause = systemMessage();
        if (!is_special) std::filesystem::remove(part, error);
        fail(file, "cannot be written: " + cause);
    }
    if (!is_special) std::filesystem::rename(part, file, error);
    if (error) fail(file, "cannot be written: " + error.message());
}

TensorFile readTensors(const std::filesystem::path& file) {
    const std::string bytes = readAll(file);
    std::uint64_t header_size = 0;
    if (bytes.size() < sizeof(header_size)) fail(file, "truncated: shorter than a safetensors header");
    std::memcpy(&header_size, bytes.data(), sizeof(header_size));
    if (header_size > kMaxHeaderBytes) fail(file, "is not a safetensors file");
    if (header_size > bytes.size() - sizeof(header_size)) fail(file, "truncated within its header");
    const std::string_view all(bytes);
    const Json header = Json::parse(all.substr(sizeof(header_size), header_size), nullptr, false);
    if (!header.is_object()) fail(file, "is not a safetensors file: its header is not JSON");
    const std::string_view data = all.substr(sizeof(header_size) + header_size);

    TensorFile content;
    for (const auto& [name, entry] : header.items()) {
        if (name != "__metadata__") {
            content.tensors.emplace(name, parseTensor(file, name, entry, data));
            continue;
        }
        if (!entry.is_object()) fail(file, "__metadata__ is not a table of texts");
        for (const auto& [key, value] : entry.items()) {
            if (!value.is_string()) fail(file, "__metadata__ of " + key + " is not a text");
            content.metadata[key] = value.get<std::string>();
        }
    }
    return content;
}

}  // namespace bscope
