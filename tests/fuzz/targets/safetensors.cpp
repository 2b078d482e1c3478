// Safetensors files: refusals are TensorFileError; what is read is the same when it is written and read
// again; a model is loaded whole or stays as it was.
#include "model/safetensors.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "support/byte_mutator.h"
#include "support/memory_file.h"
#include "support/scratch_folder.h"
#include "support/text_mutator.h"

namespace bscope::fuzz {

namespace {

// Bytes, since a NaN is not equal to itself.
std::string bytesOf(const TensorFile& file) {
    std::string bytes;
    for (const auto& [name, tensor] : file.tensors) {
        bytes += name + '\0';
        for (const std::size_t n : tensor.shape) bytes += std::to_string(n) + ' ';
        bytes += std::to_string(tensor.values.index());
        std::visit(
            [&bytes](const auto& values) {
                bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
            },
            tensor.values);
    }
    for (const auto& [key, value] : file.metadata) bytes += key + '\0' + value + '\0';
    return bytes;
}

void run(std::string_view input) {
    static MemoryFile file;
    file.set(input);
    TensorFile read;
    try {
        read = readTensors(file.path());
    } catch (const TensorFileError& error) {
        require(*error.what() != '\0', "a refusal says nothing");
        return;
    }
    static const ScratchFolder folder;
    const auto again = folder.path() / "again.safetensors";
    writeTensors(again, read);
    require(bytesOf(readTensors(again)) == bytesOf(read), "tensors change in a file");
}

// The header is JSON; its length stands before it.
void mutate(std::string& input, Random& random) {
    std::uint64_t size = 0;
    if (input.size() < sizeof(size)) return mutateBytes(input, random);
    std::memcpy(&size, input.data(), sizeof(size));
    if (size > input.size() - sizeof(size) || oneIn(random, 4)) return mutateBytes(input, random);
    std::string header = input.substr(sizeof(size), size);
    const std::string data = input.substr(sizeof(size) + size);
    mutateJson(header, random);
    size = header.size();
    input.assign(reinterpret_cast<const char*>(&size), sizeof(size));
    input += header + data;
}

}  // namespace

const Target& target() {
    static const Target safetensors{"safetensors", run, mutate};
    return safetensors;
}

}  // namespace bscope::fuzz
