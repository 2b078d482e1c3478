#include "widgets/dock/replica_section.h"

#include <QEvent>
#include <cmath>

#include "widgets/text/format.h"
#include "widgets/text/notation.h"

namespace bscope::ui {
namespace {

QString correlationText(double value) {
    return std::isnan(value) ? ReplicaSection::tr("none") : numberText(value, 2);
}

QString stragglerCauseText(const ReplicaGrid& grid, const Stragglers& found, StragglerKind kind) {
    switch (kind) {
        case StragglerKind::Worker:
            return ReplicaSection::tr("A slow worker: rank %1 of replica %2.")
                .arg(QString::number(found.worker->index),
                     QString::number(grid.numbers[static_cast<std::size_t>(found.worker->replica)]));
        case StragglerKind::Stage:
            return ReplicaSection::tr("A heavy stage: stage %1.").arg(found.stage.index);
        case StragglerKind::Lengths:
            return ReplicaSection::tr(
                "Micro-batches with unequal work, for example sequences of unequal length.");
    }
    return {};
}

QString stragglersText(const ReplicaGrid& grid, const Stragglers& found, const Notation& notation) {
    QStringList texts{
        ReplicaSection::tr("Slowdown %1: %2 with the durations recorded, %3 with every operation at "
                           "the mean of its kind.")
            .arg(numberText(found.slowdown(), 2), notation.duration(found.actual_ns),
                 notation.duration(found.ideal_ns))};
    if (found.slowdown() <= 1) return texts.front();
    for (const StragglerKind kind : found.causes) texts << stragglerCauseText(grid, found, kind);
    if (found.causes.empty())
        texts << ReplicaSection::tr(
            "Its cause is neither a slow worker nor a heavy stage nor unequal micro-batches.");
    if (found.worker)
        texts << ReplicaSection::tr(
                     "Shares of the slowdown: the slowest workers (%1 of %2) %3, stage %4 %5, unequal "
                     "micro-batches %6.")
                     .arg(QString::number(found.slowest_workers),
                          QString::number(found.worker_slowdowns.size()), shareText(found.worker->share),
                          QString::number(found.stage.index), shareText(found.stage.share),
                          shareText(found.lengths_share));
    texts << ReplicaSection::tr("Correlation of a micro-batch's forward and backward: %1.")
                 .arg(correlationText(found.forward_backward_correlation));
    return sentencesText(texts);
}

}  // namespace

ReplicaSection::ReplicaSection(ViewState& state, QWidget* parent)
    : Section(parent),
      state_(state),
      map_(new ReplicaMap(this)),
      legend_(makeParagraph(TextRole::Soft, this)),
      paragraph_(makeParagraph(TextRole::Soft, this)) {
    connect(&state_, &ViewState::presentationChanged, this, &ReplicaSection::refresh);
    paragraph_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    content()->addWidget(map_);
    content()->addWidget(legend_);
    content()->addWidget(paragraph_);
    hide();
}

void ReplicaSection::setView(const IterationView& view) {
    view_ = view;
    const bool has =
        view.import && view.import->grid && view.import->grid->replicas() > 1 && !view.ran->empty();
    setVisible(has);
    refresh();
}

void ReplicaSection::refresh() {
    head()->setText(tr("Replicas"));
    if (!view_.import || !view_.import->grid) return;
    const ReplicaGrid& grid = *view_.import->grid;
    const Notation notation = notationOf(state_, view_);
    aside()->setText(tr("%1 × %2 stages").arg(grid.replicas()).arg(grid.stages));
    map_->setGrid(view_.import->grid, notation);
    const QString scale = tr("Full colour: 1.5 times the median of all cells.");
    legend_->setText(sentencesText(
        {map_->hasNumbers()
             ? tr("One row per replica, one column per stage; medians of forward (above) and backward, %1.")
                   .arg(notation.unitName())
             : tr("One row per replica, one column per stage; the colour shows forward and backward "
                  "together."),
         scale}));
    paragraph_->setText(grid.stragglers ? stragglersText(grid, *grid.stragglers, notation)
                                        : tr("The replicas cannot be replayed, or are too large for a "
                                             "replay, so the causes of their slowdown are unknown."));
}

void ReplicaSection::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    Section::changeEvent(event);
}

}  // namespace bscope::ui
