// bscope doctor: what this machine has, and for what is missing how to get it. Looks only; changes nothing.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <oneapi/dnnl/dnnl.hpp>
#include <sstream>
#include <thread>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/doctor_gpu.h"
#include "cli/number_text.h"
#include "cli/program.h"
#include "clock/cores.h"
#include "kernels/cpu/simd_level.h"

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

Finding cores() {
    const auto usable = usableCores();
    return {"cores", true,
            procValue("/proc/cpuinfo", "model name") + "; " +
                std::to_string(std::thread::hardware_concurrency()) + " logical, " +
                std::to_string(usable.size()) + " physical that may be used: MEASURED up to p = " +
                std::to_string(usable.size()) + ", RECONSTRUCTED beyond"};
}

Finding memory() {
    return {"memory", true,
            gigabytes(procValue("/proc/meminfo", "MemTotal")) + ", " +
                gigabytes(procValue("/proc/meminfo", "MemAvailable")) + " of it free"};
}

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
            return "the processor's best";
    }
}

Finding blas() {
    const dnnl_version_t* version = dnnl_version();
    std::ostringstream text;
    if (simd::bestLevel().products != nullptr) text << "own loops for AVX2; also there: ";
    text << "oneDNN " << version->major << '.' << version->minor << '.' << version->patch
         << ", instruction set " << isaName(dnnl::get_effective_cpu_isa());
    return {"matrix products", true, text.str()};
}

Finding mpi() {
    const auto program = findProgram("mpirun");
    if (program) return {"MPI", true, program->string()};
    return {"MPI", false, "not needed on one machine; apt install libopenmpi-dev openmpi-bin"};
}

Finding cudaCompiler() {
    const auto program = findProgram("nvcc", "/usr/local/cuda/bin");
    if (program) return {"CUDA compiler", true, program->string()};
    return {"CUDA compiler", false, "needed only to build for GPUs; from NVIDIA's CUDA toolkit"};
}

Finding display() {
    for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"})
        if (const char* value = std::getenv(name); value && *value)
            return {"display", true, std::string(name) + "=" + value};
    return {"display", false,
            "log in with a desktop or ssh -X; without one bscope run draws in the terminal and "
            "bubblescope --export writes pictures"};
}

Finding window() {
    const auto file = programFolder() / "bubblescope";
    if (access(file.c_str(), X_OK) == 0) return {"window", true, file.string()};
    return {"window", false,
            "not beside this program; apt install qt6-base-dev libqt6svg6-dev libqcustomplot-dev, then build "
            "again"};
}

}  // namespace

int doctorCommand(const Arguments& arguments) {
    CommandLine line("doctor", "Says what this machine has and how to get what it lacks.", "bscope doctor");
    if (!line.parse(arguments)) return 0;
    line.check();
    std::vector<Finding> findings = {cores(), memory(), blas(), mpi(), cudaCompiler()};
    for (Finding& finding : gpuFindings()) findings.push_back(std::move(finding));
    findings.push_back(display());
    findings.push_back(window());
    for (const Finding& finding : findings)
        std::cout << padded(finding.what, 17) << padded(finding.found ? "found" : "missing", 9)
                  << finding.text << '\n';
    return 0;
}

}  // namespace bscope::cli
