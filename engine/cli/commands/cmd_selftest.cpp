// bscope selftest: every operation of a device against the double-precision reference, twice, and a small
// network against the CPU; on a GPU also that the tracer sees every action's kernels, that the driver's
// memory agrees, and the links between GPUs. Instead of these, how far reconstructed times are from measured
// ones. One page. Needs neither Qt nor a test framework, so it runs on any GPU server.
#include <cmath>
#include <iostream>
#include <sstream>

#include "cli/input/command.h"
#include "cli/input/command_line.h"
#include "cli/print/json_text.h"
#include "cli/print/text_table.h"
#include "cli/report/clock_text.h"
#include "kernels/cpu/cpu_device.h"
#include "kernels/plugin/cuda_device.h"
#include "run/clock_check.h"
#include "selftest/gpu_checks.h"
#include "selftest/link_checks.h"
#include "selftest/op_checks.h"
#include "selftest/stage_check.h"

namespace bscope::cli {
namespace {

std::string scientific(double value) {
    std::ostringstream text;
    text.precision(1);
    text << std::scientific << value;
    return text.str();
}

// Prints the checks; how many did not pass.
int print(const std::string& title, const std::vector<Check>& checks) {
    int failed = 0;
    TextTable table("lrrll");
    table.row({"  check", "error", "allowed", "same bits", "result"});
    for (const Check& check : checks) {
        if (!check.passed()) ++failed;
        std::string result = check.passed() ? "ok" : "FAILED";
        for (const std::string* more : {&check.failure, &check.note})
            if (!more->empty()) result += ": " + *more;
        table.row({"  " + check.name, scientific(check.error), scientific(check.tolerance),
                   check.same_bits ? "yes" : "NO", result});
    }
    std::cout << title << '\n';
    table.print(std::cout);
    std::cout << "  " << checks.size() << " checks, " << failed << " failed\n";
    return failed;
}

// Which forms of a product cuBLASLt did in one kernel here, and which became a product and a kernel of our
// own.
void printForms(const FusedForms& forms) {
    constexpr std::pair<std::uint32_t, const char*> kForms[] = {
        {BSCOPE_FUSED_BIAS, "bias"},
        {BSCOPE_FUSED_BIAS_GELU, "bias and GELU"},
        {BSCOPE_FUSED_GELU_BACKWARD, "GELU backward"},
        {BSCOPE_FUSED_BIAS_BACKWARD, "bias gradient"}};
    std::cout << "  products in one kernel with:";
    for (const auto& [form, name] : kForms) {
        const bool one = (forms.fused & form) != 0, several = (forms.apart & form) != 0;
        const char* const how = one && several ? "for some shapes"
                                : one          ? "yes"
                                : several      ? "no"
                                               : "not tried";
        std::cout << (form == BSCOPE_FUSED_BIAS ? " " : ", ") << name << ' ' << how;
    }
    std::cout << '\n';
}

int testDevice(Device& device, const std::string& title, std::vector<Check> more, bool gpu) {
    const bool bf16 = device.operandPrecision() == Precision::Bf16;
    device.prepareThread();
    const auto stream = device.makeStream();
    const auto ops = device.makeOps(*stream);
    std::vector<Check> checks = checkOps(device, *stream, *ops, {.bf16 = bf16});
    for (Check& check : checkStage(device, bf16 ? 5e-2 : 1e-4)) checks.push_back(std::move(check));
    for (Check& check : more) checks.push_back(std::move(check));
    const int failed = print(title, checks);
    if (gpu) printForms(fusedForms(*ops));
    return failed;
}

int testGpu(int index, const std::string& dtype) {
    const auto plugin = CudaPlugin::load();
    const auto tracing = keepTracing(*plugin);
    int failed = 0;
    for (const Precision precision : {Precision::Fp32, Precision::Bf16}) {
        const std::string name = precision == Precision::Bf16 ? "bf16" : "fp32";
        if (dtype != name && dtype != "both") continue;
        const auto device = makeCudaDevice(plugin, index, precision);
        failed += testDevice(*device, device->name() + ", " + name, checkGpu(*plugin, *device), true);
    }
    const std::string title = "Links between GPUs";
    if (const auto why = whyNoLinks(*plugin)) {
        std::cout << title << "\n  not checked, and one GPU needs none: " << *why << '\n';
        return failed;
    }
    return failed + print(title, checkLinks(plugin));
}

int testClocks(Language language, bool json) {
    constexpr int kRounds = 10;
    const ClockCheck check = checkClocks(clockCheckConfig(), kRounds);
    if (json)
        std::cout << jsonText(clockCheckJson(check)) << '\n';
    else
        printClockCheck(LinePrinter(std::cout, language), check);
    return check.outcome() == ClockOutcome::Agree ? 0 : 1;
}

}  // namespace

int selftestCommand(const Arguments& arguments) {
    CommandLine line("selftest", "Checks every operation of a device against a double-precision reference.",
                     "bscope selftest --device cuda\nbscope selftest --clocks");
    bool clocks = false, json = false;
    std::string device = "cpu", dtype = "both";
    int index = 0;
    const auto word = [](std::string& target, std::vector<std::string> legal) {
        return [&target, legal = std::move(legal)](const std::string& text) -> std::optional<std::string> {
            std::string all;
            for (const std::string& one : legal) {
                if (text == one) {
                    target = text;
                    return std::nullopt;
                }
                all += (all.empty() ? "one of " : ", ") + one;
            }
            return all;
        };
    };
    line.option("--device", "DEVICE", "cpu or cuda", word(device, {"cpu", "cuda"}));
    line.option("--dtype", "TYPE", "on a GPU: fp32, bf16 or both", word(dtype, {"fp32", "bf16", "both"}));
    line.integer("--gpu", "which GPU, from 0", index);
    line.flag("--clocks",
              "instead: train one scenario with both clocks on two cores, and report how far RECONSTRUCTED "
              "times are from MEASURED ones",
              clocks);
    line.flag("--json", "--clocks: one JSON object", json);
    if (!line.parse(arguments)) return 0;
    if (clocks && device == "cuda")
        line.refuse(sentence("--clocks compares the clocks of CPU cores; leave out --device cuda"));
    if (json && !clocks) line.refuse(sentence("--json belongs to --clocks"));
    line.check();
    if (clocks) return testClocks(line.language(), json);
    const auto cpu = makeCpuDevice();
    const int failed = device == "cuda" ? testGpu(index, dtype) : testDevice(*cpu, "CPU, fp32", {}, false);
    return failed == 0 ? 0 : 1;
}

}  // namespace bscope::cli
