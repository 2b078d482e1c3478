#include "widgets/tune/hand_costs_dialog.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <algorithm>
#include <utility>

#include "analysis/hand_costs_for.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr double kLeastMs = 0.001, kMostMs = 1e6, kMostLatency_us = 1e9, kMostSpeed = 1e6;
constexpr double kLeastOfStage = 0.05, kNoMessage = 0;  // factors
constexpr int kWidth = 280;  // px at 100 %, less than the panel of numbers, over which it stands

}  // namespace

HandCostsDialog::HandCostsDialog(QWidget* parent)
    : QDialog(parent),
      about_(makeParagraph(TextRole::Soft, this)),
      outcome_(makeParagraph(TextRole::Body, this)),
      stage_(new Label(TextRole::Soft, this)),
      message_(new Label(TextRole::Soft, this)),
      badge_(new Badge(this)),
      factors_(new FactorBars(kLeastOfStage, 1, this)),
      message_bar_(new FactorBars(kNoMessage, kNoMessage, this)),
      undo_(new Button(ButtonLook::Plain, Glyph::Undo, this)),
      redo_(new Button(ButtonLook::Plain, Glyph::Redo, this)),
      to_basis_(new Button(ButtonLook::Plain, Glyph::None, this)),
      close_(new Button(ButtonLook::Plain, Glyph::None, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 14, 12, 14);
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
        fields_[i]->installEventFilter(this);
        connect(fields_[i]->findChild<QLineEdit*>(), &QLineEdit::textEdited, this,
                [this, i] { typed_into_ = i; });
        connect(fields_[i], &QDoubleSpinBox::valueChanged, this, [this, i] { read(i); });
        connect(fields_[i], &QDoubleSpinBox::editingFinished, this, [this] { last_step_ = kNone; });
    }
    column->addLayout(grid);
    layOutBars(*column);
    column->addWidget(outcome_);
    column->addStretch(1);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(undo_);
    buttons->addWidget(redo_);
    buttons->addWidget(to_basis_);
    buttons->addStretch(1);
    buttons->addWidget(close_);
    column->addLayout(buttons);
    badge_->setProvenance(Provenance::Predicted);
    for (Button* step : {undo_, redo_}) step->setCompact(true);
    connect(undo_, &QAbstractButton::clicked, this, [this] { step(before_, after_); });
    connect(redo_, &QAbstractButton::clicked, this, [this] { step(after_, before_); });
    connect(to_basis_, &QAbstractButton::clicked, this, [this] {
        take(basis_);
        record(basis_, false);
        last_step_ = kNone;
    });
    connect(close_, &QAbstractButton::clicked, this, &QDialog::close);
    take(costs_);
    followTheme();
    refresh();
    fields_[Forward]->setFocus();
}

// The stages of the plan, and beside them a message.
void HandCostsDialog::layOutBars(QVBoxLayout& column) {
    auto* bars = new QGridLayout;
    bars->setVerticalSpacing(column.spacing());
    bars->setColumnStretch(0, 1);
    bars->addWidget(stage_, 0, 0);
    bars->addWidget(message_, 0, 1);
    bars->addWidget(factors_, 1, 0);
    bars->addWidget(message_bar_, 1, 1);
    column.addLayout(bars);
    stage_->setBuddy(factors_);
    message_->setBuddy(message_bar_);
    message_bar_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    for (FactorBars* each : {factors_, message_bar_}) each->installEventFilter(this);
    connect(factors_, &FactorBars::currentChanged, this, &HandCostsDialog::nameStage);
    connect(factors_, &FactorBars::edited, this, [this](bool goes_on) {
        HandCosts now = costs_;
        now.factors = factors_->factors();
        while (!now.factors.empty() && now.factors.back() == 1) now.factors.pop_back();
        record(now, goes_on);
        last_step_ = kNone;
    });
    connect(message_bar_, &FactorBars::edited, this, [this](bool goes_on) {
        HandCosts now = costs_;
        now.link.latency_us = message_bar_->factors().front() * now.forward_ms * 1e3;
        record(now, goes_on);
        last_step_ = kNone;
        fields_[Latency]->setNumber(now.link.latency_us);
    });
}

void HandCostsDialog::setBasis(const HandCosts& basis, bool measured) {
    const bool first = before_.empty() && after_.empty() && costs_ == basis_;
    basis_ = basis;
    measured_ = measured;
    if (first) {
        take(basis);
        costs_ = basis;
    }
    refresh();
}

void HandCostsDialog::setOrder(const std::shared_ptr<const Schedule>& order) {
    const auto before = std::exchange(order_, order);
    if (before && before->chains == order->chains) return;
    if (before) {
        std::vector<HandCosts*> all{&costs_, &basis_};
        for (std::vector<HandCosts>* steps : {&before_, &after_})
            for (HandCosts& step : *steps) all.push_back(&step);
        for (HandCosts* each : all) *each = handCostsFor(*each, *before, *order);
    }
    take(costs_);
}

void HandCostsDialog::setOutcome(const QString& outcome) {
    outcome_->setText(outcome);
    keepHeight();
}

// A window of its own does not see that its paragraphs grow in height as it is narrow, and would take that from
// the fields.
void HandCostsDialog::keepHeight() {
    layout()->activate();
    setMinimumHeight(std::max(0, layout()->totalHeightForWidth(width())));  // -1: no paragraph has words yet
}

// The fields round; what they do not show differently is kept.
void HandCostsDialog::take(const HandCosts& costs) {
    fields_[Forward]->setNumber(costs.forward_ms);
    const double unit_ms = unit_ == TimeUnit::MedianForward ? costs.forward_ms : 1;
    fields_[Input]->setNumber(costs.input_ms / unit_ms);
    fields_[Weight]->setNumber(costs.weight_ms / unit_ms);
    fields_[Latency]->setNumber(costs.link.latency_us);
    fields_[Speed]->setNumber(costs.link.gbps);
    std::vector<double> all(order_ ? order_->placement.size() : factors_->factors().size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = costs.factorOf(i);
    factors_->setFactors(all);
    nameStage();
}

double HandCostsDialog::unitMs() const {
    return unit_ == TimeUnit::MedianForward ? costs_.forward_ms : 1;
}

void HandCostsDialog::setUnit(TimeUnit unit) {
    if (std::exchange(unit_, unit) == unit) return;
    take(costs_);
    refresh();
}

void HandCostsDialog::read(std::size_t field) {
    HandCosts now = costs_;
    const double value = fields_[field]->value(), least = std::max(kLeastMs, value);
    switch (field) {
        case Forward:
            if (unit_ == TimeUnit::MedianForward) {
                now.input_ms *= least / now.forward_ms;
                now.weight_ms *= least / now.forward_ms;
            }
            now.forward_ms = least;
            break;
        case Input:
            now.input_ms = least * unitMs();
            break;
        case Weight:
            now.weight_ms = least * unitMs();
            break;
        case Latency:
            now.link.latency_us = value;
            break;
        default:
            now.link.gbps = value;
    }
    const bool typed = std::exchange(typed_into_, kNone) == field;
    record(now, typed && last_step_ == field);
    last_step_ = typed ? field : kNone;
}

// goes_on: undo goes to before the change before.
void HandCostsDialog::record(const HandCosts& now, bool goes_on) {
    if (now == costs_) return;
    if (!goes_on || before_.empty()) before_.push_back(costs_);
    after_.clear();
    costs_ = now;
    refresh();
    emit edited(costs_);
}

void HandCostsDialog::nameStage() {
    const auto stage = static_cast<std::size_t>(factors_->current());
    const bool known = stage < factors_->factors().size();
    stage_->setText(known ? tr("Stage %1: × %2 of these times")
                                .arg(factors_->current())
                                .arg(trimmedText(factors_->factors()[stage], 2))
                          : QString());
    factors_->setAccessibleName(stage_->text());
}

void HandCostsDialog::nameMessage() {
    const double forwards = costs_.link.latency_us / 1e3 / costs_.forward_ms;
    message_bar_->setFactors({forwards});
    message_->setText(tr("Message: %1").arg(withUnit(trimmedText(forwards, 2), "F")));
    message_bar_->setAccessibleName(message_->text());
}

void HandCostsDialog::step(std::vector<HandCosts>& from, std::vector<HandCosts>& to) {
    if (from.empty()) return;
    to.push_back(std::exchange(costs_, from.back()));
    from.pop_back();
    last_step_ = kNone;
    take(costs_);
    refresh();
    emit edited(costs_);
}

bool HandCostsDialog::takesStep(QKeyEvent& event) {
    // Both keys of redo, whatever the desktop has.
    const bool redo = event.matches(QKeySequence::Redo) || event.keyCombination() == (Qt::CTRL | Qt::Key_Y) ||
                      event.keyCombination() == (Qt::CTRL | Qt::SHIFT | Qt::Key_Z);
    if (!redo && !event.matches(QKeySequence::Undo)) return false;
    if (event.type() == QEvent::KeyPress) redo ? step(after_, before_) : step(before_, after_);
    return true;
}

// A field would undo what was typed into it, and nothing else, and keep Esc for itself.
bool HandCostsDialog::eventFilter(QObject* field, QEvent* event) {
    const bool is_key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (is_key && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();  // as a key press: no shortcut of the window behind takes it
        if (event->type() == QEvent::KeyPress) close();
        return true;
    }
    if (is_key && takesStep(static_cast<QKeyEvent&>(*event))) {
        event->accept();
        return true;
    }
    return QDialog::eventFilter(field, event);
}

void HandCostsDialog::refresh() {
    setWindowTitle(tr("Costs by hand"));
    about_->setText(
        tr("Nothing runs: the canvas shows the plan of the current configuration with these costs. An "
           "unsplit backward takes I + W, a recomputation takes F."));
    const bool in_forwards = unit_ == TimeUnit::MedianForward;
    const QStringList names{in_forwards ? tr("F, ms (the unit of I and W)") : tr("F, ms"),
                            in_forwards ? tr("I, F") : tr("I, ms"), in_forwards ? tr("W, F") : tr("W, ms"),
                            tr("Link latency, µs"), tr("Link, Gb/s (0: infinite)")};
    for (std::size_t i = 0; i < kFields; ++i) {
        names_[i]->setText(names[static_cast<int>(i)]);
        fields_[i]->setAccessibleName(names[static_cast<int>(i)]);
    }
    for (QWidget* each : {static_cast<QWidget*>(fields_[Latency]), static_cast<QWidget*>(names_[Latency])})
        each->setToolTip(linkMeaning());
    undo_->setText(tr("Undo"));
    undo_->setEnabled(!before_.empty());
    undo_->setToolTip(undo_->text() + QStringLiteral("  ") +
                      QKeySequence(Qt::CTRL | Qt::Key_Z).toString(QKeySequence::NativeText));
    redo_->setText(tr("Redo"));
    redo_->setEnabled(!after_.empty());
    redo_->setToolTip(redo_->text() + QStringLiteral("  ") +
                      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z).toString(QKeySequence::NativeText));
    to_basis_->setText(measured_ ? tr("As in the run") : tr("As estimated"));
    to_basis_->setToolTip(measured_ ? tr("The medians of the last run")
                                    : tr("From the shape of the model alone"));
    close_->setText(tr("Close"));
    factors_->setToolTip(
        tr("Drag a bar, or choose one with Left and Right and change it with Up and Down; Home or a double "
           "click resets it to 1. The line marks the costs in the fields."));
    message_bar_->setToolTip(
        tr("The link's latency: drag the bar, or change it with Up and Down; Home or a double click resets "
           "it to 0. The line marks one F."));
    nameStage();
    nameMessage();
    keepHeight();
}

// Links are configured in µs everywhere.
QString HandCostsDialog::linkMeaning() const {
    const QString what = tr("Time of one message of zero bytes, in microseconds");
    if (unit_ != TimeUnit::MedianForward) return what;
    return tr("%1, regardless of the time unit; now %2")
        .arg(what, withUnit(numberText(costs_.link.latency_us / 1e3 / costs_.forward_ms, 2), "F"));
}

void HandCostsDialog::followTheme() {
    const Theme& theme = currentTheme();
    setFixedWidth(theme.px(kWidth));
    keepHeight();
}

void HandCostsDialog::keyPressEvent(QKeyEvent* event) {
    if (!takesStep(*event)) QDialog::keyPressEvent(event);
}

void HandCostsDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QDialog::changeEvent(event);
}

}  // namespace bscope::ui
