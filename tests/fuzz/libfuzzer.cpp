// A target under libFuzzer (preset `fuzz`). An exception that leaves run() ends the program: a finding. So
// does an input that takes more than 2 s of the processor; libFuzzer's own limit is of the clock, and a busy
// machine would break it.
#include <google/protobuf/stubs/logging.h>

#include <cstring>
#include <ctime>

#include "support/target.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

using bscope::fuzz::target;

namespace {

double processorSeconds() {
    std::timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    google::protobuf::SetLogHandler(nullptr);  // it says on standard error what is no UTF-8
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const double before_s = processorSeconds();
    target().run({reinterpret_cast<const char*>(data), size});
    bscope::fuzz::require(processorSeconds() - before_s < 2, "an input takes more than 2 s");
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
    bscope::fuzz::Random random(seed);
    // Bytes too, as libFuzzer does it, which knows the dictionary and what was compared.
    if (!target().mutate || random() % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
    std::string input(reinterpret_cast<const char*>(data), size);
    target().mutate(input, random);
    if (input.size() > max_size) return size;
    std::memcpy(data, input.data(), input.size());
    return input.size();
}
