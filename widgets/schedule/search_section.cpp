// States of the search: offered, running, found.
#include "widgets/schedule/search_section.h"

#include <QEvent>

#include "widgets/text/format.h"

namespace bscope::ui {
namespace {
constexpr int kClockMs = 100;
}

SearchSection::SearchSection(QWidget* parent)
    : Section(parent),
      badge_(new Badge(this)),
      table_(new FigureTable(this)),
      about_(makeParagraph(TextRole::Soft, this)),
      sentence_(makeParagraph(TextRole::Soft, this)),
      search_(new Button(ButtonLook::Plain, Glyph::None, this)),
      run_(new Button(ButtonLook::Primary, Glyph::Run, this)) {
    setHeadWidget(badge_);
    content()->addWidget(about_);
    content()->addWidget(table_);
    content()->addWidget(sentence_);
    auto* row = new QHBoxLayout;
    row->addWidget(run_);
    row->addWidget(search_);
    row->addStretch(1);
    content()->addLayout(row);
    clock_.setInterval(kClockMs);
    connect(&clock_, &QTimer::timeout, this, &SearchSection::refresh);
    connect(search_, &QAbstractButton::clicked, this,
            [this] { running_ ? emit cancelClicked() : emit searchClicked(); });
    connect(run_, &QAbstractButton::clicked, this, &SearchSection::runClicked);
    refresh();
}

void SearchSection::setOffer(const SearchOffer& offer) {
    if (offer == offer_) return;
    offer_ = offer;
    finding_.reset();
    refresh();
}

void SearchSection::setRunning(bool on) {
    running_ = on;
    if (on) {
        finding_.reset();
        chosen_ = false;
        since_.start();
        clock_.start();
    } else {
        clock_.stop();
    }
    refresh();
}

void SearchSection::setFinding(const SearchFinding& finding) {
    finding_ = finding;
    setRunning(false);
}

void SearchSection::setChosen(bool on) {
    if (on == chosen_) return;
    chosen_ = on;
    refresh();
}

void SearchSection::setNotation(const Notation& notation) {
    if (notation.inForwards() == notation_.inForwards()) return;  // F is of the iteration that was shown then
    notation_ = notation;
    refresh();
}

void SearchSection::forget() {
    finding_.reset();
    chosen_ = false;
    setRunning(false);
}

void SearchSection::refresh() {
    head()->setText(tr("Best for these costs"));
    const QString costs =
        offer_.measured ? tr("the durations of the last run") : tr("estimated costs (nothing ran yet)");
    const QString cap =
        offer_.cap > 0
            ? tr("activations of at most %1 micro-batches on a rank").arg(trimmedText(offer_.cap, 1))
            : tr("no memory cap");
    about_->setText(tr("The shortest order for p=%1 v=%2 m=%3, %4, %5.")
                        .arg(offer_.params.p)
                        .arg(offer_.params.v)
                        .arg(offer_.params.m)
                        .arg(costs, cap));
    about_->setVisible(!finding_);
    badge_->setVisible(finding_.has_value());
    table_->setVisible(finding_.has_value());
    const bool better =
        finding_ && notation_.number(1e6 * finding_->found_ms) != notation_.number(1e6 * finding_->now_ms) &&
        finding_->found_ms < finding_->now_ms;
    if (finding_) {
        table_->setHeader({QString(), tr("iteration, %1").arg(notation_.unitName()), tr("change")},
                          {0, 0.74, 1.0});
        table_->setRows(
            {{{finding_->now, notation_.number(1e6 * finding_->now_ms), QString()}, FigureRow::Look::Normal},
             {{tr("found"), notation_.number(1e6 * finding_->found_ms),
               changeText(finding_->now_ms, finding_->found_ms)},
              FigureRow::Look::Marked}});
        const QString optimum = finding_->gap < 0.0005
                                    ? tr("No order with these stages is shorter.")
                                    : tr("At most %1 longer than the optimum.").arg(shareText(finding_->gap));
        const QString begun = finding_->began_with.isEmpty() ? tr("Made by list scheduling")
                                                             : tr("Made from %1").arg(finding_->began_with);
        sentence_->setText(sentencesText(
            {optimum,
             tr("%1. Most chunks in flight on a rank: %2.").arg(begun).arg(finding_->peak_in_flight)}));
    } else if (running_) {
        sentence_->setText(
            tr("Searching, %1 s").arg(numberText(static_cast<double>(since_.elapsed()) / 1000, 1)));
    } else {
        sentence_->setText(offer_.refusal);
    }
    sentence_->setVisible(!sentence_->text().isEmpty());
    search_->setText(running_ ? tr("Cancel") : finding_ ? tr("Search again") : tr("Search"));
    search_->setEnabled(running_ || offer_.refusal.isEmpty());
    run_->setText(chosen_ ? tr("Chosen") : tr("Run it"));
    run_->setVisible(finding_.has_value());
    run_->setEnabled(better && !chosen_);
    run_->setToolTip(better || !finding_ ? QString() : tr("It is not shorter than what runs now."));
}

void SearchSection::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    Section::changeEvent(event);
}

}  // namespace bscope::ui
