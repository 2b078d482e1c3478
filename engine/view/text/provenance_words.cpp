#include "view/text/provenance_words.h"

namespace bscope {

Sentence provenanceName(Provenance provenance) {
    switch (provenance) {
        case Provenance::Measured:
            return sentence("MEASURED");
        case Provenance::Reconstructed:
            return sentence("RECONSTRUCTED");
        case Provenance::Predicted:
            return sentence("PREDICTED");
        case Provenance::Imported:
            break;
    }
    return sentence("IMPORTED");
}

Sentence provenanceWords(Provenance provenance) {
    switch (provenance) {
        case Provenance::Measured:
            return sentence(
                "MEASURED: all ranks ran at the same time, each on its own device, and their times share one "
                "time base.");
        case Provenance::Reconstructed:
            return sentence(
                "RECONSTRUCTED: every operation ran and was timed alone; its position is computed as if "
                "every rank had its own device.");
        case Provenance::Predicted:
            return sentence(
                "PREDICTED: nothing ran; the times are computed from the schedule and from durations that "
                "were given or taken from a run.");
        case Provenance::Imported:
            break;
    }
    return sentence("IMPORTED: another program ran and timed it; the times come from its files.");
}

}  // namespace bscope
