// A recording as a run on GPUs writes it, made by hand: the plan of a configuration played as if it had run,
// a few kernels with gaps between them for every box, CUPTI as the clock, the driver's memory. Deterministic.
#pragma once

#include "fake_engine.h"
#include "wire/recording.h"

namespace bscope::ui {

struct GpuRecording {
    RunConfig config;
    std::string timing = "CUPTI";
    int iterations = 2;
    int kernels_per_box = 5;  // 0: none are recorded
    // Parts of what a rank recorded that do not arrive: the first batch of rank 1.
    bool loses_a_batch = false;

    static constexpr const char* kLongName =
        "void bscope_attention_forward<__nv_bfloat16, 128>(__nv_bfloat16 const*, float*, int, int)";

    // Of every box: equal kernels over nine tenths of it, so that a tenth is gaps.
    std::vector<KernelEvent> kernelsOf(const Event& box) const {
        std::vector<KernelEvent> kernels;
        const std::int64_t slot_ns = box.duration_ns() / std::max(1, kernels_per_box);
        for (int i = 0; i < kernels_per_box; ++i) {
            KernelEvent& kernel = kernels.emplace_back();
            kernel.start_ns = box.start_ns + i * slot_ns;
            kernel.end_ns = kernel.start_ns + slot_ns * 9 / 10;
            kernel.iteration = box.iteration;
            kernel.stage = box.stage;
            kernel.microbatch = box.microbatch;
            kernel.rank = box.rank;
            kernel.op = box.op;
            kernel.name = i % 2 == 0 ? "bscope_layernorm_forward" : kLongName;
            if (i == kernels_per_box - 1) {
                kernel.kind = KernelEvent::Kind::Copy;
                kernel.bytes = 2'097'152;
                kernel.name.clear();
            }
        }
        return kernels;
    }

    std::vector<wire::Message> iteration(int number, std::int64_t start_ns, std::int64_t* end_ns) const {
        std::vector<wire::Message> messages =
            playedMessages(config, number, start_ns, true, end_ns);
        wire::Message report = std::move(messages.back());
        messages.pop_back();
        std::vector<std::vector<KernelEvent>> reported(static_cast<std::size_t>(config.params.p));
        for (const wire::Message& message : messages) {
            if (!message.has_events()) continue;
            for (const Event& event : fromWire(message.events())) {
                if (isCommunication(event.op)) continue;
                const auto kernels = kernelsOf(event);
                auto& of_rank = reported[static_cast<std::size_t>(event.rank)];
                of_rank.insert(of_rank.end(), kernels.begin(), kernels.end());
            }
        }
        for (std::size_t rank = 0; rank < reported.size(); ++rank)
            for (std::size_t first = 0; first < reported[rank].size(); first += kEventsPerBatch)
                if (!loses_a_batch || rank != 1 || first > 0)
                    *messages.emplace_back().mutable_kernels() =
                        toWire(static_cast<int>(rank), reported[rank], first);
        wire::IterationReport& of = *report.mutable_iteration_report();
        of.set_timing(timing);
        of.set_tracing_cost(0.008);
        for (auto& rank : *of.mutable_ranks()) {
            rank.set_launch_gap_ms(0.1 * rank.busy_ms());
            rank.set_driver_bytes(12'300'000'000 + rank.rank() * 100'000'000);
        }
        messages.push_back(std::move(report));
        return messages;
    }

    void write(const QString& path) const {
        RecordingWriter writer(path.toStdString(), [](const Sentence& why) { QFAIL(why.id.c_str()); });
        wire::Message message;
        IterationStart start = playedStart(config, 0, 0);
        start.device = "4 x NVIDIA H200";
        *message.mutable_iteration_start() = toWire(start);
        writer.write(encode(message));
        std::int64_t end_ns = 0;
        for (int number = 0; number < iterations; ++number)
            for (const wire::Message& each : iteration(number, end_ns, &end_ns)) writer.write(encode(each));
    }
};

}  // namespace bscope::ui
