#include "widgets/tune/decision_panel.h"

#include <QEvent>
#include <QPainter>
#include <utility>

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/tune/duration_text.h"

namespace bscope::ui {

DecisionPanel::DecisionPanel(QWidget* parent) : QScrollArea(parent) {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (Section** section : {&verdict_, &tree_, &claims_}) {
        *section = new Section(page);
        column->addWidget(*section);
    }
    column->addStretch(1);
    claims_->setRuled(false);
    verdict_text_ = makeParagraph(TextRole::Strong, verdict_);
    tree_text_ = makeParagraph(TextRole::Body, tree_);
    tree_text_->setTextFormat(Qt::RichText);
    tree_foot_ = makeParagraph(TextRole::Soft, tree_);
    claims_text_ = makeParagraph(TextRole::Soft, claims_);
    verdict_->content()->addWidget(verdict_text_);
    tree_->content()->addWidget(tree_text_);
    tree_->content()->addWidget(tree_foot_);
    claims_->content()->addWidget(claims_text_);
    setWidget(page);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    hide();  // shown by the window that places it
    refresh();
}

void DecisionPanel::setWords(Words words) {
    words_ = std::move(words);
    notation_ = latest_;
    refresh();
}

void DecisionPanel::setNotation(const Notation& notation) {
    latest_ = notation;
    if (notation.inForwards() == notation_.inForwards()) return;  // F is of the iteration that was shown then
    notation_ = notation;
    refresh();
}

QStringList DecisionPanel::tree() const {
    QStringList lines;
    for (std::size_t i = 0; i < words_.steps.size(); ++i) {
        const ChoiceStep& step = words_.steps[i];
        const bool open = step.answer == ChoiceStep::Answer::Unknown, is_it = static_cast<int>(i) == chosen_;
        QString line = QString::number(i + 1) + QStringLiteral("  ") + said(step.question) + u' ' +
                       (open ? said(sentence("The run does not say; if so")) : said(step.found));
        if (is_it || open) line += QStringLiteral(" → ") + said(step.advice);
        lines << line;
    }
    return lines;
}

QStringList DecisionPanel::claims() const {
    if (!words_.claims) return {};
    QStringList lines;
    for (const PopularClaim& each : words_.claims(durationText(notation_)))
        lines << (each.holds ? tr("%1. True here: %2.") : tr("%1. Not true here: %2."))
                     .arg(said(each.claim), said(each.found));
    return lines;
}

void DecisionPanel::refresh() {
    chosen_ = words_.steps.empty() ? 0 : static_cast<int>(chosenStep(words_.steps));
    QStringList lines = tree();
    for (int i = 0; i < lines.size(); ++i) {
        lines[i] = lines[i].toHtmlEscaped();
        if (i == chosen_) lines[i] = QStringLiteral("<b>▸ ") + lines[i] + QStringLiteral("</b>");
    }
    verdict_->head()->setText(tr("Best schedule"));
    tree_->head()->setText(tr("What usually decides"));
    claims_->head()->setText(tr("What many texts say"));
    tree_text_->setText(lines.join(QStringLiteral("<br>")));
    tree_foot_->setText(said(sentence(
        "Where this differs from the table, follow the table: it is predicted from this run's costs.")));
    const QStringList popular = claims();
    claims_text_->setText(popular.join(u'\n'));
    verdict_text_->setText(words_.verdict ? said(words_.verdict(durationText(notation_))) : QString());
    verdict_->setVisible(static_cast<bool>(words_.verdict));
    tree_->setVisible(!words_.steps.empty());
    claims_->setVisible(!popular.isEmpty());
}

void DecisionPanel::paintEvent(QPaintEvent* event) {
    QPainter(viewport()).fillRect(viewport()->rect(), currentTheme().panel);
    QScrollArea::paintEvent(event);
}

void DecisionPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QScrollArea::changeEvent(event);
}

}  // namespace bscope::ui
