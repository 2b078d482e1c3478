// Sentences that the engine says in English and the window translates: problems of the run, refusals and
// failures. (Problems of a configuration are listed in widgets/panels/problem_text.cpp.) A table for the
// translator alone.
#include <QCoreApplication>

namespace bscope::ui {
namespace {

[[maybe_unused]] constexpr const char* kEngineWords[] = {
    QT_TRANSLATE_NOOP("Problem", "bf16 needs a GPU: the CPU computes in fp32"),
    QT_TRANSLATE_NOOP("Problem", "CUDA graphs need a GPU"),
    QT_TRANSLATE_NOOP("Problem",
                      "{0} = {1}: one iteration in that many runs untraced, so it must be 0 (none) or at "
                      "least {2}"),
    QT_TRANSLATE_NOOP("Problem", "there is no GPU to run on: {0}"),
    QT_TRANSLATE_NOOP("Problem",
                      "the measured clock needs a GPU for every rank: {0} ranks, but there are {1} GPUs"),
    QT_TRANSLATE_NOOP("Problem",
                      "on GPUs, slow ranks, a modelled link and calibrated durations need the "
                      "reconstructed clock"),
    QT_TRANSLATE_NOOP("Problem",
                      "the measured clock runs all ranks at the same time: p = {0}, but there are {1} cores"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "the measured clock runs all ranks at the same time: p * d = {0}, but there are {1} cores"),
    QT_TRANSLATE_NOOP("Problem", "{0} samples cannot be divided over d = {1} equal replicas"),
    QT_TRANSLATE_NOOP("Problem",
                      "calibrated durations need the reconstructed clock: what is measured stays raw"),
    QT_TRANSLATE_NOOP("Problem",
                      "under mpirun every rank needs a GPU of its own, and rank {0} has none: {1}"),
    QT_TRANSLATE_NOOP("Problem",
                      "GPUs under mpirun are measured: the reconstructed clock, slow ranks, a modelled "
                      "link and calibrated durations need one process"),
    QT_TRANSLATE_NOOP("Problem", "p * d = {0}, but mpirun started {1} processes; each is one rank"),
    QT_TRANSLATE_NOOP("Problem", "p = {0}, but mpirun started {1} processes; each is one rank"),
    QT_TRANSLATE_NOOP("Problem", "{0} samples cannot be divided into m = {1} equal micro-batches"),
    QT_TRANSLATE_NOOP("Problem",
                      "rank {0} would hold {1} MB of activations, more than the cap of {2} MB; "
                      "fewer micro-batches fit, or checkpointing {3}"),
    QT_TRANSLATE_NOOP("Problem",
                      "rank {0} would hold {1} MB of activations, more than the cap of {2} MB; "
                      "fewer micro-batches fit"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "rank {0} would hold {1} MB of activations, more than the cap of {2} MB; checkpointing {3} fits"),
    QT_TRANSLATE_NOOP("Problem",
                      "rank {0} would hold {1} MB of activations, more than the cap of {2} MB; neither fewer "
                      "micro-batches nor checkpointing fit"),
    QT_TRANSLATE_NOOP("Problem", "the text has {0} bytes, a sample of sequence {1} needs {2}"),
    QT_TRANSLATE_NOOP("Problem", "m = {0} must be a multiple of p = {1}: whole units of p micro-batches"),
    QT_TRANSLATE_NOOP("Problem", "m = {0} must be at least 2p = {1}"),
    QT_TRANSLATE_NOOP("Problem", "v = {0} must be even: a wave goes there and back"),
    QT_TRANSLATE_NOOP("Problem", "group size {0} must lie between p = {1} and m = {2}"),
    QT_TRANSLATE_NOOP("Problem",
                      "m = {0} leaves a last group smaller than p = {1} micro-batches with group size {2}"),
    QT_TRANSLATE_NOOP("Problem", "m = {0} must be a multiple of p = {1} for the interleaved schedule"),
    QT_TRANSLATE_NOOP("Problem", "m = {0} does not divide into {1} equal rounds (m div p, p = {2})"),
    QT_TRANSLATE_NOOP("Problem", "{0} = {1} is unknown; legal: {2}"),
    QT_TRANSLATE_NOOP("Problem", "{0} has no backward, so there are no gradients to compare"),
    QT_TRANSLATE_NOOP("Problem", "p = {0} must be even: two directions meet in the middle"),
    QT_TRANSLATE_NOOP("Problem", "m = {0} must be even: half of the micro-batches run in each direction"),
    QT_TRANSLATE_NOOP("Problem",
                      "all ranks together need {0} MB of memory, this machine has {1} MB: use a smaller "
                      "model, fewer or smaller micro-batches, or checkpointing"),
    QT_TRANSLATE_NOOP("Problem",
                      "all ranks together need {0} MB of memory, the GPU has {1} MB: use a smaller model, "
                      "fewer or smaller micro-batches, or checkpointing"),
    QT_TRANSLATE_NOOP("Problem",
                      "rank {0} needs {1} MB of memory, its GPU has {2} MB: use a smaller model, more ranks, "
                      "fewer or smaller micro-batches, or checkpointing"),
    QT_TRANSLATE_NOOP(
        "Problem", "m = {0} must be a multiple of p / 2 = {1} and at least p: half units of one direction"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "m = {0} must be at least p = {1}: with fewer a third version of the weights would be needed"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "memory cap = {0} must be at least 1, the activations of one micro-batch on a rank, or 0 for no cap"),
    QT_TRANSLATE_NOOP("Problem", "vertical sync is a rule of PipeDream, {0} does not know it"),
    QT_TRANSLATE_NOOP("Problem", "{0} cannot be read: {1}"),
    QT_TRANSLATE_NOOP("Problem", "the text {0} has {1} bytes, at most {2} are read"),
    QT_TRANSLATE_NOOP("Problem", "The engine refuses this viewer: its token is wrong."),
    QT_TRANSLATE_NOOP("Problem",
                      "Give the token of the file that the engine names when it starts (--token-file)."),
    QT_TRANSLATE_NOOP("Problem", "Close another viewer, then connect again."),
    QT_TRANSLATE_NOOP("Problem", "Install the same version of Bubblescope on both machines."),
    QT_TRANSLATE_NOOP("Problem",
                      "The last optimizer step was not finished, so the weights belong to no iteration."),
    QT_TRANSLATE_NOOP("Problem", "Load a saved state, or start a new run."),
    QT_TRANSLATE_NOOP("Problem", "The schedule's program contradicts itself: choose another one."),
    QT_TRANSLATE_NOOP("Problem", "Use fewer or smaller micro-batches, or checkpointing, or a smaller model."),
    QT_TRANSLATE_NOOP("Problem", "Change the configuration and run again."),
    QT_TRANSLATE_NOOP("Problem",
                      "Restart the engine; with BSCOPE_CUDA_SYNCHRONOUS=1 in its environment it names the "
                      "operation at fault."),
    QT_TRANSLATE_NOOP("Problem", "Run again to go on with the same iteration."),
    QT_TRANSLATE_NOOP("Problem", "Choose another place, or make room on the disk."),
    QT_TRANSLATE_NOOP("Problem", "Choose another folder, or make room on the disk."),
    QT_TRANSLATE_NOOP("Problem", "Choose a file saved by a run with the same model shape."),
    QT_TRANSLATE_NOOP("Problem", "Press Run to go on from the last state."),
    QT_TRANSLATE_NOOP("Problem", "Change it, then press Run."),
    QT_TRANSLATE_NOOP("Problem", "All processes end now; start them again with mpirun."),
    QT_TRANSLATE_NOOP("Problem", "Start the processes again with mpirun."),
};

}  // namespace
}  // namespace bscope::ui
