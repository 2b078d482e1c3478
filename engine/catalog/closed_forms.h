// Closed forms of bubble / total for equal stages and a free link; f, i, w are the durations of one operation
// of one chunk, B = i + w. nullopt where the form does not hold for the parameters.
#pragma once

#include <optional>

#include "schedule/schedule.h"

namespace bscope::closed_forms {

// (p-1)/p: one micro-batch at a time.
std::optional<double> oneAtATime(const ScheduleParams& params, double f, double i, double w);
// (p-1)/(v*m+p-1): GPipe, arXiv:1811.06965; interleaved 1F1B, arXiv:2104.04473.
std::optional<double> fillAndDrain(const ScheduleParams& params, double f, double i, double w);
// (p-1)/(q*m+p-1): the same of q segments of every micro-batch, arXiv:2406.03488; f, i, w of one segment.
std::optional<double> segments(const ScheduleParams& params, double f, double i, double w);
// The same for the batches of a stream that is filled and drained once.
std::optional<double> stream(const ScheduleParams& params, double f, double i, double w);
// The same where the groups fill the pipe: v = 1 or m >= p (PyTorch's interleaved, looped BFS).
std::optional<double> fullPipe(const ScheduleParams& params, double f, double i, double w);
// The same without backward; with v > 1 only when p divides m.
std::optional<double> forwardFillAndDrain(const ScheduleParams& params, double f, double i, double w);
// The zero-bubble family: x / (v*m(f+i+w) + x). The papers give x for f = i = w; its general form was found
// by playing the schedules and holds over a grid of p, v, m and durations. x = (p-1)(f + i - min(f,i,w)) for
// m >= p: ZB-H1 and its chunks, arXiv:2401.10241.
std::optional<double> zeroBubbleH1(const ScheduleParams& params, double f, double i, double w);
// x = (p-1) max(f, i-f, f+i-2w) for m >= 2p-1: ZB-H2. The span of every rank has a bubble of (p-1) max(0,
// f+i-2w) only.
std::optional<double> zeroBubbleH2(const ScheduleParams& params, double f, double i, double w);
// x = (p-1) max(f, i, 2(i-w)) + (p-2) max(0, f-i, w-max(f,i)) for m >= 2p-1 and p > 1, where i >= f, or both
// w >= f-i and w >= i/2: ZB-V.
std::optional<double> zeroBubbleV(const ScheduleParams& params, double f, double i, double w);
// 2b(p-1) / (v*m(f+b) + 2b(p-1)) for m = p and b >= f: waves.
std::optional<double> wave(const ScheduleParams& params, double f, double i, double w);
// (p-2)b / (m(f+b) + (p-2)b) for m = p and b >= f: one unit of Chimera, arXiv:2107.06925.
std::optional<double> oneUnit(const ScheduleParams& params, double f, double i, double w);
// x / (m(f+b) + x), x = (p/2-1)(f + 2b - 3w) for w <= i = f: DualPipe when its pairs run as one,
// arXiv:2412.19437. The engine runs the halves of a pair one after the other.
std::optional<double> dualPipeFused(const ScheduleParams& params, double f, double i, double w);
// nullopt.
std::optional<double> unknown(const ScheduleParams& params, double f, double i, double w);

}  // namespace bscope::closed_forms
