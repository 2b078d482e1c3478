// Notation: how the canvas prints times, bubbles and micro-batches, and the names of what is drawn. Words are
// translated.
#pragma once

#include <QString>

#include "analysis/causes.h"
#include "schedule/action.h"
#include "view/view_data.h"
#include "widgets/data/view_state.h"
#include "widgets/theme/theme.h"

namespace bscope::ui {

struct Notation {
    TimeUnit unit = TimeUnit::Milliseconds;
    double median_forward_ns = 0;  // of the shown iteration; 0 = unknown, then ms are printed
    BubbleDefinition definition = BubbleDefinition::OfTotal;
    bool count_from_zero = false;
    // Endless streams, whose micro-batches count on: those of an iteration, and its first one; m = 0: others.
    int stream_m = 0, stream_first = 0;
    int decimals = -1;  // of number() and length(); -1: what is usual
    bool operator==(const Notation&) const = default;

    void countAsIn(const IterationView& view);  // sets stream_m and stream_first
    // For numbers of which the shortest length is this one: with as many decimals as that needs.
    Notation fineFor(double shortest_ns) const;

    bool inForwards() const { return unit == TimeUnit::MedianForward && median_forward_ns > 0; }
    double unitNs() const { return inForwards() ? median_forward_ns : 1e6; }
    QString unitName() const;           // "ms" or "F"
    QString number(double ns) const;    // "52.1", without the unit
    QString duration(double ns) const;  // "52.1 ms", "840 ns", "3.20 F"
    // Between two printed times, as a reader would subtract them: without the unit.
    QString length(double from_ns, double to_ns) const;
    QString bubble(double of_total) const;  // "31.0 %" in the chosen definition
    QString microbatch(int index, int segment = -1) const;  // as pictures count; "3", of a segment "3.1"
    // "B3" or "B3b": operation, micro-batch, chunk letter when chunk >= 0.
    QString action(Op op, int microbatch_index, int chunk, int segment = -1) const;
};

// What disturbed an iteration's durations, "" = nothing did: "disturbed: wall/CPU 13.77".
QString disturbedText(const IterationReport& report);
// One sentence on what that means for its numbers.
QString disturbedMeaning(const IterationReport& report);

// In the unit that the user chose; F is that of this iteration.
Notation notationOf(const ViewState& state, const IterationView& view);

QString opName(Op op);  // "forward"
// Of a function as a compiler writes it, without result, parameters and namespaces: "attention_kernel<128u>".
QString functionName(const QString& whole);
QString causeName(BubbleCause cause);  // "fill"
QString meaningOf(BubbleCause cause);  // in a sentence
// "weight version 5, 2 newer ones were there": asynchronous schedules; "" for all others.
QString versionText(const Event& event);
const char* schemeSource(ColourScheme scheme);  // source text of its name, context Canvas
QString schemeName(ColourScheme scheme);        // "as Megatron-LM"
QString meaningOf(Provenance value);            // in a sentence
QString provenanceName(Provenance value);       // "RECONSTRUCTED", keeps the English word in every language

}  // namespace bscope::ui
