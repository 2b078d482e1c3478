#include "widgets/tune/hand_costs_dialog.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace bscope::ui {
namespace {

constexpr double kLeastMs = 0.001, kMostMs = 1e6, kMostLatency_us = 1e9, kMostSpeed = 1e6;

}  // namespace

HandCostsDialog::HandCostsDialog(QWidget* parent)
    : QDialog(parent),
      about_(makeParagraph(TextRole::Soft, this)),
      outcome_(makeParagraph(TextRole::Body, this)),
      badge_(new Badge(this)),
      undo_(new Button(ButtonLook::Plain, Glyph::Undo, this)),
      to_basis_(new Button(ButtonLook::Plain, Glyph::None, this)),
      close_(new Button(ButtonLook::Plain, Glyph::None, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    auto* head = new QHBoxLayout;
    head->addWidget(badge_);
    head->addStretch(1);
    column->addLayout(head);
    column->addWidget(about_);
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(0, 1);
    for (std::size_t i = 0; i < kFields; ++i) {
        names_[i] = new Label(TextRole::Soft, this);
        fields_[i] = i == Latency ? new NumberField(0, kMostLatency_us, 1, this)
                     : i == Speed ? new NumberField(0, kMostSpeed, 2, this)
                                  : new NumberField(kLeastMs, kMostMs, 3, this);
        fields_[i]->setDigits(8);
        names_[i]->setBuddy(fields_[i]);
        grid->addWidget(names_[i], static_cast<int>(i), 0);
        grid->addWidget(fields_[i], static_cast<int>(i), 1);
        connect(fields_[i], &QDoubleSpinBox::valueChanged, this, &HandCostsDialog::read);
    }
    column->addLayout(grid);
    column->addWidget(outcome_);
    column->addStretch(1);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(undo_);
    buttons->addWidget(to_basis_);
    buttons->addStretch(1);
    buttons->addWidget(close_);
    column->addLayout(buttons);
    badge_->setProvenance(Provenance::Predicted);
    connect(undo_, &QAbstractButton::clicked, this, &HandCostsDialog::undo);
    connect(to_basis_, &QAbstractButton::clicked, this, [this] {
        take(basis_);
        read();
    });
    connect(close_, &QAbstractButton::clicked, this, &QDialog::close);
    take(costs_);
    followTheme();
    refresh();
    fields_[Forward]->setFocus();
}

void HandCostsDialog::setBasis(const HandCosts& basis, bool measured) {
    const bool first = before_.empty() && costs_ == basis_;
    basis_ = basis;
    measured_ = measured;
    if (first) {
        take(basis);
        costs_ = basis;
    }
    refresh();
}

void HandCostsDialog::setOutcome(const QString& outcome) {
    outcome_->setText(outcome);
}

// The fields round; what they do not show differently is kept.
void HandCostsDialog::take(const HandCosts& costs) {
    fields_[Forward]->setNumber(costs.forward_ms);
    fields_[Input]->setNumber(costs.input_ms);
    fields_[Weight]->setNumber(costs.weight_ms);
    fields_[Latency]->setNumber(costs.link.latency_us);
    fields_[Speed]->setNumber(costs.link.gbps);
}

void HandCostsDialog::read() {
    HandCosts now;
    now.forward_ms = std::max(kLeastMs, fields_[Forward]->value());
    now.input_ms = std::max(kLeastMs, fields_[Input]->value());
    now.weight_ms = std::max(kLeastMs, fields_[Weight]->value());
    now.link.latency_us = fields_[Latency]->value();
    now.link.gbps = fields_[Speed]->value();
    if (now == costs_) return;
    before_.push_back(costs_);
    costs_ = now;
    refresh();
    emit edited(costs_);
}

void HandCostsDialog::undo() {
    if (before_.empty()) return;
    costs_ = before_.back();
    before_.pop_back();
    take(costs_);
    refresh();
    emit edited(costs_);
}

void HandCostsDialog::refresh() {
    setWindowTitle(tr("Costs by hand"));
    about_->setText(
        tr("Nothing runs: the canvas shows the plan of the current configuration with these costs, the "
           "same for every stage. A backward in one piece takes I + W, a recomputation as long as F."));
    const QStringList names{tr("F, ms"), tr("I, ms"), tr("W, ms"), tr("Link latency, µs"),
                            tr("Link bandwidth, Gb/s (0: infinite)")};
    for (std::size_t i = 0; i < kFields; ++i) {
        names_[i]->setText(names[static_cast<int>(i)]);
        fields_[i]->setAccessibleName(names[static_cast<int>(i)]);
    }
    undo_->setText(tr("Undo"));
    undo_->setEnabled(!before_.empty());
    to_basis_->setText(measured_ ? tr("As measured") : tr("As estimated"));
    to_basis_->setToolTip(measured_ ? tr("The medians of what ran last")
                                    : tr("From the shape of the model alone"));
    close_->setText(tr("Close"));
}

void HandCostsDialog::followTheme() {
    const Theme& theme = currentTheme();
    setFixedWidth(theme.px(360));
}

void HandCostsDialog::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Undo)) return undo();
    QDialog::keyPressEvent(event);
}

void HandCostsDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QDialog::changeEvent(event);
}

}  // namespace bscope::ui
