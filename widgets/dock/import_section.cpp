#include "widgets/dock/import_section.h"

#include <QEvent>

#include "widgets/text/config_text.h"
#include "widgets/text/difference_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

QString told(const std::string& text) {
    return QString::fromStdString(text);
}

QString timesText(ImportOrigin::Times times) {
    switch (times) {
        case ImportOrigin::Times::Told:
            return ImportSection::tr("The files hold start and end of every operation.");
        case ImportOrigin::Times::Kernels:
            return ImportSection::tr("An operation lasts from its first to its last kernel.");
        case ImportOrigin::Times::Host:
            return ImportSection::tr("The files hold no kernels: times are those of the host.");
    }
    return {};
}

QStringList clockTexts(const ImportOrigin& origin) {
    QStringList texts;
    for (const Sentence& contradiction : origin.contradictions) texts << sentenceText(said(contradiction));
    if (!origin.aligned)
        return texts << ImportSection::tr("Times of the ranks stay as recorded and do not fit together.");
    const QString moved = msText(static_cast<double>(origin.max_shift_ns) / 1e6);
    if (origin.max_shift_ns == 0)
        texts << ImportSection::tr(
            "Clocks as recorded: no operation starts before what it waits for has ended.");
    else
        texts << ImportSection::tr(
                     "Clocks of the ranks moved by up to %1 against each other, so that no operation starts "
                     "before what it waits for has ended.")
                     .arg(moved);
    if (origin.slack_ns >= 0 && (origin.clocks != ImportOrigin::Clocks::Shared || origin.max_shift_ns > 0))
        texts << ImportSection::tr("What the messages leave open: up to %1.")
                     .arg(msText(static_cast<double>(origin.slack_ns) / 1e6));
    return texts;
}

QStringList sentencesOf(const ImportOrigin& origin) {
    QStringList texts{timesText(origin.times)};
    if (origin.operations_inferred)
        texts << ImportSection::tr(
            "Inferred from the messages between the ranks: what is a forward and what a backward. The files "
            "name no operation.");
    if (origin.numbers_inferred)
        texts << ImportSection::tr(
            "Inferred from the order of the operations: numbers of the micro-batches. The files do not tell "
            "them.");
    texts << clockTexts(origin);
    if (!origin.knows_transfers)
        texts << ImportSection::tr(
            "Waiting and transfer of messages are one: the files do not tell both ends. Of the causes of the "
            "bubble, the quickest message of the iteration counts as link latency, and what others took "
            "beyond "
            "it as link bandwidth.");
    if (origin.first_difference) texts << differenceText(origin);
    for (const Sentence& note : origin.notes) texts << sentenceText(said(note));
    return texts;
}

}  // namespace

ImportSection::ImportSection(QWidget* parent) : Section(parent), told_(makeParagraph(TextRole::Soft, this)) {
    told_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    content()->addWidget(told_);
    hide();
}

void ImportSection::setOrigin(std::shared_ptr<const ImportOrigin> origin) {
    origin_ = std::move(origin);
    setVisible(origin_ != nullptr);
    refresh();
}

void ImportSection::refresh() {
    head()->setText(tr("Imported"));
    if (!origin_) return;
    aside()->setText(told(origin_->source));
    told_->setText(sentencesText(sentencesOf(*origin_)));
}

void ImportSection::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    Section::changeEvent(event);
}

}  // namespace bscope::ui
