// Whole sentences of the engine in the window's language. They come filled in, so the template is found again
// by its words; what stood for {0} may be a sentence itself. tst_translations makes some of them.
#include <QCoreApplication>
#include <QRegularExpression>
#include <vector>

#include "widgets/panels/config_text.h"

namespace bscope::ui {
namespace {

constexpr const char* kSentences[] = {
    QT_TRANSLATE_NOOP("Problem", "Rank {0} stopped in {1}: {2}."),
    QT_TRANSLATE_NOOP("Problem", "Rank {0} stopped before its first operation: {1}."),
    QT_TRANSLATE_NOOP("Problem", "Rank 0 stopped between iterations, in {0}: {1}."),
    QT_TRANSLATE_NOOP("Problem", "The iteration could not be run: {0}."),
    QT_TRANSLATE_NOOP("Problem", "The links between GPUs do not come up: {0}."),
    QT_TRANSLATE_NOOP("Problem", "Between iterations {0} fell silent."),
    QT_TRANSLATE_NOOP("Problem", "Between iterations {0} went away."),
    QT_TRANSLATE_NOOP("Problem", "The engine refuses this viewer: {0}."),
    QT_TRANSLATE_NOOP("Problem", "it has {0} viewers already"),
    QT_TRANSLATE_NOOP("Problem", "The training has diverged: the loss of iteration {0} is {1}."),
    QT_TRANSLATE_NOOP("Problem",
                      "The training has diverged: the norm of the gradients of iteration {0} is {1}."),
    QT_TRANSLATE_NOOP("Problem",
                      "the system gives no thread for {0}: {1} (ulimit -u limits processes and threads, "
                      "ulimit -v memory)"),
    QT_TRANSLATE_NOOP("Problem",
                      "{0} is not a file that viewers of this engine may name; they may name files in {1} "
                      "(--allow FOLDER of bscope serve adds one)"),
    QT_TRANSLATE_NOOP("Problem", "The state could not be saved: {0}"),
    QT_TRANSLATE_NOOP("Problem", "The state could not be loaded: {0}"),
    QT_TRANSLATE_NOOP("Problem", "The state was saved to {0}."),
    QT_TRANSLATE_NOOP("Problem", "The state of {0} was loaded."),
    QT_TRANSLATE_NOOP("Problem", "The sweep ended early: {0}"),
    QT_TRANSLATE_NOOP("Problem", "without CUPTI: {0}"),
    QT_TRANSLATE_NOOP("Problem",
                      "The recording cannot be used after byte {0}: {1}. What follows is left out."),
    QT_TRANSLATE_NOOP("Problem",
                      "The recording was cut in the middle of a message: its last {0} bytes are left out."),
    QT_TRANSLATE_NOOP("Problem", "the stream names a configuration that cannot run: {0}"),
    QT_TRANSLATE_NOOP("Problem", "a report of the stream names sizes that cannot be: {0}"),
    QT_TRANSLATE_NOOP("Problem", "the order of {0} is too large to be made again here"),
    QT_TRANSLATE_NOOP("Problem", "the stream of {0} is too large to be planned here"),
    QT_TRANSLATE_NOOP("Problem", "the stream names {0}, which cannot be"),
    QT_TRANSLATE_NOOP("Problem", "the order of {0} iterations differ from that of iteration {1}"),
    QT_TRANSLATE_NOOP("Problem", "the order of 1 iteration differs from that of iteration {0}"),
    QT_TRANSLATE_NOOP("Problem", "{0} iterations are not whole on every rank and left out"),
    QT_TRANSLATE_NOOP("Problem", "the files say m = {0}; the ranks ran m = {1}"),
    QT_TRANSLATE_NOOP("Problem", "the order as recorded cannot be played, so there is no prediction: {0}"),
    QT_TRANSLATE_NOOP("Problem", "iteration {0}: no shift of the clocks puts these in order: {1}"),
    QT_TRANSLATE_NOOP("Problem", "{0} is cut off: what comes before its end is shown"),
    QT_TRANSLATE_NOOP("Problem", "{0} does not exist"),
    QT_TRANSLATE_NOOP("Problem", "{0} is of {1} and {2} of {3}: name the files of one run"),
    QT_TRANSLATE_NOOP("Problem",
                      "{0} names no operation of a pipeline, only messages, and holds no calls of PyTorch's "
                      "autograd to tell forwards from backwards. Record with ProfilerActivity.CPU, too, or "
                      "name operations with torch.profiler.record_function(\"PP:0F0\")"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "the files name no operation, and what follows from their messages is the order of no schedule of "
        "the catalog{0}. Name operations with torch.profiler.record_function(\"PP:0F0\")"),
    QT_TRANSLATE_NOOP("Problem", "{0} needs the pp_rank_R.json of every rank beside it"),
    QT_TRANSLATE_NOOP("Problem", "{0} file is of other replicas of the pipeline and left out"),
    QT_TRANSLATE_NOOP("Problem", "{0} files are of other replicas of the pipeline and left out"),
    QT_TRANSLATE_NOOP("Problem", "{0} does not say its rank, neither inside nor in its name (rank0...)"),
    QT_TRANSLATE_NOOP("Problem", "{0} is empty"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "{0} is a database of nsys; this program was built without SQLite (Debian: libsqlite3-dev)"),
    QT_TRANSLATE_NOOP("Problem", "{0} needs its config.json beside it"),
    QT_TRANSLATE_NOOP("Problem", "{0} and {1} are of two runs: name the folder of one"),
    QT_TRANSLATE_NOOP("Problem", "{0} says p = {1}; the files of these ranks are missing: {2}"),
    QT_TRANSLATE_NOOP("Problem", "{0} and {1} are both of rank {2}; import the files of one run"),
    QT_TRANSLATE_NOOP("Problem",
                      "{0} holds no operation of a pipeline: no range named PP:2F0, Forward 3 or F0.1.0"),
    QT_TRANSLATE_NOOP("Problem",
                      "the pipeline has {0} ranks and the files are of {1} of them; add the others"),
};

// The same without anything to fill in, for the translator alone.
[[maybe_unused]] constexpr const char* kPlainSentences[] = {
    QT_TRANSLATE_NOOP("Problem", "1 iteration is not whole on every rank and left out"),
    QT_TRANSLATE_NOOP("Problem", "no iteration is whole on every rank"),
    QT_TRANSLATE_NOOP("Problem", "the import was cancelled"),
    QT_TRANSLATE_NOOP("Problem", "There is no memory left for this configuration."),
    QT_TRANSLATE_NOOP("Problem", "there is no memory left"),
    QT_TRANSLATE_NOOP("Problem", "there is no memory left for its model"),
    QT_TRANSLATE_NOOP("Problem", "A GPU has no memory left for the links to others."),
    QT_TRANSLATE_NOOP("Problem", "The stream was stopped."),
    QT_TRANSLATE_NOOP("Problem", "its weights are not all finite numbers."),
    QT_TRANSLATE_NOOP("Problem",
                      "Lower the learning rate or clip the gradients, then load a saved state or start a new "
                      "run."),
    QT_TRANSLATE_NOOP("Problem", "A process of this run is gone."),
    QT_TRANSLATE_NOOP("Problem", "A process of this run does not answer."),
    QT_TRANSLATE_NOOP("Problem", "Run again."),
    QT_TRANSLATE_NOOP("Problem",
                      "Look at the GPUs and the paths between them (bscope doctor), then run again."),
    QT_TRANSLATE_NOOP("Problem", "Connect with bubblescope of the same version."),
    QT_TRANSLATE_NOOP("Problem", "without CUPTI"),
    QT_TRANSLATE_NOOP("Problem", "CUDA events: in a stream CUPTI tells of kernels later"),
    QT_TRANSLATE_NOOP("Problem",
                      "another profiler (Nsight, cuda-gdb) holds CUPTI; times come from CUDA events until it "
                      "is gone"),
    QT_TRANSLATE_NOOP("Problem",
                      "this user may not trace GPUs; an administrator can set the driver option "
                      "NVreg_RestrictProfilingToAdminUsers=0"),
    QT_TRANSLATE_NOOP("Problem", "full"),
    QT_TRANSLATE_NOOP("Problem", "selective"),
};

QRegularExpression wordsOf(const char* sentence) {
    static const QRegularExpression place(QStringLiteral("\\\\\\{\\d\\\\\\}"));
    const QString words = QRegularExpression::escape(QString::fromLatin1(sentence)).replace(place, "(.+?)");
    return QRegularExpression(QRegularExpression::anchoredPattern(words),
                              QRegularExpression::DotMatchesEverythingOption);
}

struct Sentence {
    QString text;
    QRegularExpression words;
};

// Made once: a title asks with every redraw.
const std::vector<Sentence>& sentences() {
    static const std::vector<Sentence> all = [] {
        std::vector<Sentence> made;
        for (const char* each : kSentences) made.push_back({QString::fromLatin1(each), wordsOf(each)});
        return made;
    }();
    return all;
}

}  // namespace

QString engineText(const QString& sentence) {
    const auto translated = [](const QString& text) {
        return QCoreApplication::translate("Problem", text.toUtf8().constData());
    };
    if (const QString whole = translated(sentence); whole != sentence) return whole;
    for (const Sentence& each : sentences()) {
        const auto match = each.words.match(sentence);
        if (!match.hasMatch()) continue;
        std::vector<std::string> filled;
        for (int i = 1; i <= match.lastCapturedIndex(); ++i)
            filled.push_back(engineText(match.captured(i)).toStdString());
        return QString::fromStdString(fillTemplate(translated(each.text).toStdString(), filled));
    }
    return sentence;
}

}  // namespace bscope::ui
