// bscope doctor: what this machine has, and for what is missing how to get it. Looks only; changes nothing.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <oneapi/dnnl/dnnl.hpp>
#include <thread>

#include "cli/commands/doctor_gpu.h"
#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/input/program.h"
#include "cli/print/number_text.h"
#include "host/cores.h"
#include "kernels/cpu/cpu_device.h"
#include "kernels/cpu/simd_level.h"
#include "words/catalog.h"

namespace bscope::cli {
namespace {

std::optional<std::filesystem::path> findProgram(const std::string& name,
                                                 const std::string& more_folders = {}) {
    const char* path = std::getenv("PATH");
    for (const auto& folder : splitAt(std::string(path ? path : "") + ":" + more_folders, ':')) {
        const auto file = std::filesystem::path(folder) / name;
        if (!folder.empty() && access(file.c_str(), X_OK) == 0) return file;
    }
    return std::nullopt;
}

// Value of the first line "name: value" of a file of /proc; empty when there is none.
std::string procValue(const std::filesystem::path& file, const std::string& name) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (line.rfind(name, 0) != 0) continue;
        const auto begin = line.find_first_not_of(" \t", line.find(':') + 1);
        return begin == std::string::npos ? std::string() : line.substr(begin);
    }
    return {};
}

std::string gigabytes(const std::string& kilobytes) {
    return fixed(std::strtod(kilobytes.c_str(), nullptr) * 1024 / 1e9, 1) + " GB";
}

// A name, the same in every language.
Sentence name(std::string text) {
    return {std::move(text), {}};
}

Finding cores() {
    const std::size_t usable = usableCores().size();
    return {sentence("cores"), true,
            sentence("{0}; {1} logical, {2} physical that may be used: MEASURED up to p = {2}, "
                     "RECONSTRUCTED beyond",
                     procValue("/proc/cpuinfo", "model name"), std::thread::hardware_concurrency(), usable)};
}

Finding memory() {
    return {sentence("memory"), true,
            sentence("{0}, {1} of it free", gigabytes(procValue("/proc/meminfo", "MemTotal")),
                     gigabytes(procValue("/proc/meminfo", "MemAvailable")))};
}

// Empty: one that has no name here.
std::string isaName(dnnl::cpu_isa isa) {
    switch (isa) {
        case dnnl::cpu_isa::sse41:
            return "SSE4.1";
        case dnnl::cpu_isa::avx:
            return "AVX";
        case dnnl::cpu_isa::avx2:
            return "AVX2";
        case dnnl::cpu_isa::avx2_vnni:
            return "AVX2 with VNNI";
        case dnnl::cpu_isa::avx512_core:
            return "AVX-512";
        case dnnl::cpu_isa::avx512_core_vnni:
            return "AVX-512 with VNNI";
        case dnnl::cpu_isa::avx512_core_bf16:
            return "AVX-512 with bf16";
        case dnnl::cpu_isa::avx512_core_amx:
            return "AVX-512 with AMX";
        default:
            return {};
    }
}

Finding products() {
    Sentence library = name(productsName(Products::OneDnn));
    if (const std::string isa = isaName(dnnl::get_effective_cpu_isa()); !isa.empty())
        library = sentence("{0}, instruction set {1}", library, isa);
    if (simd::bestLevel().loopsFor(Products::Usual) != nullptr)
        library = sentence("own loops for AVX2; also there: {0}", library);
    return {sentence("matrix products"), true, library};
}

Finding mpi() {
    const auto program = findProgram("mpirun");
    if (program) return {name("MPI"), true, name(program->string())};
    return {name("MPI"), false,
            sentence("not needed on one machine; apt install libopenmpi-dev openmpi-bin")};
}

Finding cudaCompiler() {
    const auto program = findProgram("nvcc", "/usr/local/cuda/bin");
    if (program) return {sentence("CUDA compiler"), true, name(program->string())};
    return {sentence("CUDA compiler"), false,
            sentence("needed only to build for GPUs; from NVIDIA's CUDA toolkit")};
}

Finding display() {
    for (const char* variable : {"WAYLAND_DISPLAY", "DISPLAY"})
        if (const char* value = std::getenv(variable); value && *value)
            return {sentence("display"), true, name(std::string(variable) + "=" + value)};
    return {sentence("display"), false,
            sentence("log in with a desktop or ssh -X; without one bscope run draws in the terminal and "
                     "bubblescope --export writes pictures")};
}

Finding window() {
    const auto file = programFolder() / "bubblescope";
    if (access(file.c_str(), X_OK) == 0) return {sentence("window"), true, name(file.string())};
    return {sentence("window"), false,
            sentence("not beside this program; apt install qt6-base-dev libqt6svg6-dev "
                     "libqcustomplot-dev libcairo2-dev, then build again")};
}

}  // namespace

int doctorCommand(const Arguments& arguments) {
    CommandLine line("doctor", "Says what this machine has and how to get what it lacks.", "bscope doctor");
    if (!line.parse(arguments)) return 0;
    line.check();
    std::vector<Finding> findings = {cores(), memory(), products(), mpi(), cudaCompiler()};
    for (Finding& finding : gpuFindings()) findings.push_back(std::move(finding));
    findings.push_back(display());
    findings.push_back(window());
    const Language language = line.language();
    for (const Finding& finding : findings)
        std::cout << padded(say(finding.what, language), 17)
                  << padded(say(finding.found ? sentence("found") : sentence("missing"), language), 9)
                  << say(finding.text, language) << '\n';
    return 0;
}

}  // namespace bscope::cli
