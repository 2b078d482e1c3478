// Between the stream's messages and the plain types of schedule/ and timeline/, both ways and without loss.
// Whatever comes out of a fromWire() of the stream is in range (ranges.h): sums, differences and successors
// of its numbers do not overflow, and what it stands for needs memory in proportion to the message.
// In a config, what is absent is the default of RunConfig. Functions without state; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/run_config.h"
#include "timeline/event.h"
#include "timeline/kernel_log.h"
#include "report/promises.h"
#include "report/report.h"
#include "report/run_notes.h"
#include "wire/bubblescope.pb.h"
#include "wire/error.h"

namespace bscope {

inline constexpr std::size_t kEventsPerBatch = 256;

// Every field is written, defaults too: a file says what was used whatever later defaults are.
wire::RunConfig toWire(const RunConfig& config);
// Puts what is present over `config`; words that are none (recompute "ful") leave it and are returned as
// problems.
std::vector<Problem> overlay(const wire::RunConfig& from, RunConfig& config);
// overlay() on the defaults. Throws WireError with the first unknown word.
RunConfig fromWire(const wire::RunConfig& config);

wire::Provenance toWire(Provenance provenance);
Provenance fromWire(wire::Provenance provenance);
wire::Sentence toWire(const Sentence& sentence);
Sentence fromWire(const wire::Sentence& sentence);
wire::Problem toWire(const Problem& problem);
Problem fromWire(const wire::Problem& problem);
wire::Costs toWire(const Costs& costs);
Costs fromWire(const wire::Costs& costs);
// The order travels when it is not too large for a message.
wire::IterationStart toWire(const IterationStart& start);
// Throws WireError when a value is outside what any engine says, or the order cannot be run. The order of a
// schedule that is only named is looked up by the caller.
IterationStart fromWire(const wire::IterationStart& start);
wire::ImportOrigin toWire(const ImportOrigin& origin);
ImportOrigin fromWire(const wire::ImportOrigin& origin);
wire::ReplicaGrid toWire(const ReplicaGrid& grid);
// Throws WireError when its columns do not fit together.
ReplicaGrid fromWire(const wire::ReplicaGrid& grid);
wire::Schedule toWire(const Schedule& schedule);
// params: those it was made for. Throws WireError when the columns do not fit together.
Schedule fromWire(const wire::Schedule& schedule, const ScheduleParams& params);
wire::IterationReport toWire(const IterationReport& report);
IterationReport fromWire(const wire::IterationReport& report);
wire::Promise toWire(const Promise& promise);
// Throws WireError when a value cannot be.
Promise fromWire(const wire::Promise& promise);
wire::Note toWire(const RunNote& note);
// Throws WireError when a value cannot be.
RunNote fromWire(const wire::Note& note);
// As it stands in a recording.
wire::Message messageOf(const RunNote& note);
wire::SweepAxis toWire(SweepAxis axis);
SweepAxis fromWire(wire::SweepAxis axis);
wire::SweepState toWire(const SweepState& state);
SweepState fromWire(const wire::SweepState& state);

// All events of one rank; the caller keeps to kEventsPerBatch a batch. transfer_ns travels for receives only.
wire::EventBatch toWire(int rank, std::span<const Event> events);
wire::MemoryBatch toWire(int rank, std::span<const MemoryPoint> points);
// The part [first, first + at most kEventsPerBatch) of what the rank reported at once.
wire::KernelBatch toWire(int rank, std::span<const KernelEvent> of_rank, std::size_t first);
// Throw WireError when the columns differ in length or hold what no engine sends.
std::vector<Event> fromWire(const wire::EventBatch& batch);
std::vector<MemoryPoint> fromWire(const wire::MemoryBatch& batch);
KernelPart fromWire(const wire::KernelBatch& batch);

}  // namespace bscope
