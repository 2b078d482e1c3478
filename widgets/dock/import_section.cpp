#include "widgets/dock/import_section.h"

#include <QEvent>

#include "report/start_up_note.h"
#include "widgets/text/config_text.h"
#include "widgets/text/difference_text.h"
#include "widgets/text/format.h"
#include "widgets/text/notation.h"
#include "words/factor_text.h"

namespace bscope::ui {
namespace {

QString sourceText(const std::string& text) {
    return QString::fromStdString(text);
}

// Of a run without names, whose operations have no end of their own.
QString edgesText(const ImportOrigin& origin) {
    if (!origin.operations_inferred || roundsToNothing(origin.understated_by)) return {};
    const QString text = ImportSection::tr(
        "No file names the operations, so that what the host does between a message and an operation's calls "
        "counts as work: the bubble may be too low, by up to %1 percentage points, and on busy cores further "
        "off, either way. A smaller difference from a run whose operations are named means nothing.");
    return QStringLiteral(" ") + text.arg(numberText(100 * origin.understated_by, 1));
}

QString timesText(const ImportOrigin& origin) {
    switch (origin.times) {
        case ImportOrigin::Times::Recorded:
            return ImportSection::tr("The files hold start and end of every operation.");
        case ImportOrigin::Times::Kernels:
            return ImportSection::tr("An operation lasts from its first to its last kernel.");
        case ImportOrigin::Times::Host:
            return ImportSection::tr(
                       "The files hold no kernels: the time of an operation is the host's, from the arrival "
                       "of its message to its return.") +
                   edgesText(origin);
        case ImportOrigin::Times::Ranges:
            if (roundsToNothing(origin.understated_by))
                return ImportSection::tr(
                    "The files hold neither kernels nor calls, only ranges: the time of an operation is the "
                    "host's, from the arrival of its message to the end of its range or to its send, so "
                    "handing over counts as work.");
            return ImportSection::tr(
                       "The files hold neither kernels nor calls, only ranges: the time of an operation is "
                       "the host's, from the arrival of its message to the end of its range or to its send. "
                       "Handing over counts as work, so the bubble is too low, by up to %1 percentage points "
                       "if operations took as long as the shortest of their kind.")
                .arg(numberText(100 * origin.understated_by, 1));
    }
    return {};
}

QStringList clockTexts(const ImportOrigin& origin, const Notation& notation) {
    QStringList texts;
    for (const Sentence& contradiction : origin.contradictions) texts << sentenceText(said(contradiction));
    if (!origin.aligned)
        return texts << ImportSection::tr(
                   "Times of the ranks are as recorded and contradict each other: what was read as "
                   "operations is not operations, or not of one pipeline, so the numbers are wrong.");
    if (!origin.contradictions.empty()) return texts;
    if (origin.max_shift_ns == 0)
        texts << ImportSection::tr(
            "Clocks as recorded: no operation starts before what it waits for has ended.");
    else
        texts << ImportSection::tr(
                     "Clocks of the ranks moved by up to %1 against each other, so that no operation starts "
                     "before what it waits for has ended.")
                     .arg(notation.duration(static_cast<double>(origin.max_shift_ns)));
    if (origin.slack_ns >= 0 && (origin.clocks != ImportOrigin::Clocks::Shared || origin.max_shift_ns > 0))
        texts << ImportSection::tr("Clock error that the messages cannot rule out: up to %1.")
                     .arg(notation.duration(static_cast<double>(origin.slack_ns)));
    return texts;
}

// What differs from file to file, in a few words.
QStringList briefOf(const ImportOrigin& origin, const Notation& notation) {
    QStringList texts;
    if (!origin.aligned || !origin.contradictions.empty())
        texts << clockTexts(origin, notation);
    else if (origin.max_shift_ns == 0)
        texts << ImportSection::tr("Clocks as recorded.");
    else
        texts << ImportSection::tr("Clocks moved by up to %1.")
                     .arg(notation.duration(static_cast<double>(origin.max_shift_ns)));
    if (origin.operations_inferred && origin.numbers_inferred)
        texts << ImportSection::tr("Inferred: forward and backward, numbers of the micro-batches.");
    else if (origin.operations_inferred)
        texts << ImportSection::tr("Inferred: forward and backward.");
    else if (origin.numbers_inferred)
        texts << ImportSection::tr("Inferred: numbers of the micro-batches.");
    const bool is_bounded = origin.times == ImportOrigin::Times::Ranges ||
                            (origin.times == ImportOrigin::Times::Host && origin.operations_inferred);
    if (is_bounded && !roundsToNothing(origin.understated_by))
        texts << ImportSection::tr("The bubble may be too low, by up to %1 percentage points.")
                     .arg(numberText(100 * origin.understated_by, 1));
    return texts;
}

// How the files were read.
QStringList methodOf(const ImportOrigin& origin, const Notation& notation) {
    QStringList texts{timesText(origin)};
    if (origin.operations_inferred)
        texts << ImportSection::tr(
            "Inferred from the messages between the ranks: what is a forward and what a backward. The files "
            "name no operation.");
    if (origin.numbers_inferred)
        texts << ImportSection::tr(
            "Inferred from the order of the operations: numbers of the micro-batches. The files do not "
            "contain them.");
    texts << clockTexts(origin, notation);
    if (!origin.knows_transfers)
        texts << ImportSection::tr(
            "Waiting and transfer of messages are not separated: the files do not record both ends. Among "
            "the causes of the bubble, the quickest message of the iteration counts as link latency, and the "
            "additional time of the others as link bandwidth.");
    return texts;
}

// What stands in the files besides.
QStringList findingsOf(const ImportOrigin& origin) {
    QStringList texts;
    if (origin.first_difference) texts << differenceText(origin);
    for (const Sentence& note : origin.notes) texts << sentenceText(said(note));
    if (startUpLeftOut(origin.notes))
        texts << ImportSection::tr("File > Import the start-up iteration too shows it.");
    return texts;
}

}  // namespace

ImportSection::ImportSection(ViewState& state, QWidget* parent)
    : Section(parent),
      state_(state),
      paragraph_(makeParagraph(TextRole::Soft, this)),
      more_(new Button(ButtonLook::Link, Glyph::None, this)) {
    more_->setAllTexts({tr("How the files were read"), tr("Less")});
    connect(more_, &QAbstractButton::clicked, this, [this] {
        shows_all_ = !shows_all_;
        refresh();
    });
    connect(&state_, &ViewState::presentationChanged, this, &ImportSection::refresh);
    paragraph_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    content()->addWidget(paragraph_);
    content()->addWidget(more_, 0, Qt::AlignLeft);
    hide();
}

// What is said of files is about what ran, not about a plan with the costs of it.
void ImportSection::setView(const IterationView& view) {
    view_ = view;
    if (view.ran->empty()) view_.import = nullptr;
    setVisible(view_.import != nullptr);
    refresh();
}

QString ImportSection::text() const {
    if (!view_.import) return {};
    return sentencesText(methodOf(*view_.import, notationOf(state_, view_)) + findingsOf(*view_.import));
}

QString ImportSection::briefText() const {
    if (!view_.import) return {};
    return sentencesText(briefOf(*view_.import, notationOf(state_, view_)) + findingsOf(*view_.import));
}

void ImportSection::refresh() {
    head()->setText(tr("Imported"));
    if (!view_.import) return;
    aside()->setText(sourceText(view_.import->source));
    paragraph_->setText(shows_all_ ? text() : briefText());
    more_->setText(shows_all_ ? tr("Less") : tr("How the files were read"));
}

void ImportSection::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    Section::changeEvent(event);
}

}  // namespace bscope::ui
