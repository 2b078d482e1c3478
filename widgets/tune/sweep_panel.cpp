// Result, table, form and key of a sweep.
#include "widgets/tune/sweep_panel.h"

#include <QEvent>
#include <QGridLayout>
#include <QPainter>

#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

// What the marks of the plots mean, drawn as the plots draw them.
class SweepKey : public QWidget, public Themed {
public:
    explicit SweepKey(QWidget* parent) : QWidget(parent) {}
    void followTheme() override {
        const Theme& theme = currentTheme();
        setFixedHeight(theme.px(19 * 5));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = currentTheme();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setFont(theme.font(11.5));
        const QStringList words{SweepPanel::tr("this run: median, bar = range"), SweepPanel::tr("prediction"),
                                SweepPanel::tr("running, not all iterations yet"),
                                SweepPanel::tr("timeline: the plan, as long as the run"),
                                SweepPanel::tr("pale timeline: nothing ran")};
        const double side = theme.px(7);
        for (int i = 0; i < words.size(); ++i) {
            const QPointF middle(theme.px(6), theme.px(19) * (i + 0.5));
            const QRectF square(middle.x() - side / 2, middle.y() - side / 2, side, side);
            const QColor forward = theme.fill(Op::Forward);
            painter.setPen(i == 1 ? QPen(theme.text_faint, 1.3) : QPen(theme.text, 1.8));
            painter.setBrush(i == 0 ? QBrush(theme.text) : QBrush(Qt::NoBrush));
            if (i == 1)
                painter.drawEllipse(middle, side * 0.62, side * 0.62);
            else if (i < 3)
                painter.drawRect(square);
            else
                painter.fillRect(
                    square.adjusted(-2, -2, 2, 2),
                    i == 3 ? forward : QColor(forward.red(), forward.green(), forward.blue(), 100));
            painter.setPen(theme.text_soft);
            painter.drawText(QRectF(theme.px(22), theme.px(19) * i, width(), theme.px(19)), Qt::AlignVCenter,
                             words[i]);
        }
    }
    void changeEvent(QEvent* event) override {
        if (event->type() == QEvent::LanguageChange) update();
        QWidget::changeEvent(event);
    }

private:
};

}  // namespace

SweepPanel::SweepPanel(QWidget* parent) : QScrollArea(parent) {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (Section** section : {&result_, &results_, &sweep_, &key_}) {
        *section = new Section(page);
        column->addWidget(*section);
    }
    column->addStretch(1);
    key_->setRuled(false);
    big_ = new Label(TextRole::AccentBig, result_);
    big_note_ = new Label(TextRole::Soft, result_);
    sentence_ = makeParagraph(TextRole::Body, result_);
    use_ = new Button(ButtonLook::Primary, Glyph::None, result_);
    keep_ = new Button(ButtonLook::Plain, Glyph::None, result_);
    auto* big_row = new QHBoxLayout;
    big_row->setSpacing(10);
    big_row->addWidget(big_);
    big_row->addWidget(big_note_, 1);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (Button* button : {use_, keep_}) {
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        buttons->addWidget(button);
    }
    // The buttons above what changes its height while a sweep runs.
    result_->content()->addLayout(big_row);
    result_->content()->addSpacing(4);
    result_->content()->addLayout(buttons);
    result_->content()->addSpacing(4);
    result_->content()->addWidget(sentence_);

    table_ = new FigureTable(results_);
    table_->setFirstRightAligned(true);
    results_->content()->addWidget(table_);
    refused_ = makeParagraph(TextRole::Faint, results_);
    results_->content()->addWidget(refused_);
    key_->content()->addWidget(new SweepKey(key_));

    axis_ = new ChoiceField(sweep_);
    for (int i = 0; i < kSweepAxes; ++i) axis_->addItem(QString());
    values_ = new TextField(sweep_);
    batch_ = new Segments(2, sweep_);
    samples_ = new NumberField(1, 1 << 20, 0, sweep_);
    iterations_ = new NumberField(1, 1000, 0, sweep_);
    cap_ = new NumberField(0, 1e7, 1, sweep_);
    cap_->setSuffix(QStringLiteral(" MB"));
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    row_fields_ = {axis_, values_, batch_, samples_, iterations_, cap_};
    for (std::size_t i = 0; i < row_fields_.size(); ++i) {
        row_labels_[i] = new Label(TextRole::Soft, sweep_);
        grid->addWidget(row_labels_[i], static_cast<int>(i), 0);
        grid->addWidget(row_fields_[i], static_cast<int>(i), 1);
    }
    for (NumberField* field : {samples_, iterations_, cap_}) {
        field->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        connect(field, &QDoubleSpinBox::valueChanged, this, &SweepPanel::readForm);
        connect(field, &NumberField::done, this, &SweepPanel::focusReturned);
    }
    sweep_->content()->addLayout(grid);
    why_illegal_ = makeParagraph(TextRole::Body, sweep_);
    sweep_->content()->addWidget(why_illegal_);
    why_illegal_->hide();
    axis_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(axis_, &QComboBox::activated, this, [this](int axis) {
        emit axisChosen(static_cast<SweepAxis>(axis));
        emit formEdited();
    });
    connect(axis_, &ChoiceField::done, this, &SweepPanel::focusReturned);
    connect(values_, &QLineEdit::textEdited, this, &SweepPanel::readForm);
    connect(values_, &TextField::done, this, &SweepPanel::focusReturned);
    connect(batch_, &Segments::chosen, this, &SweepPanel::readForm);
    connect(use_, &QAbstractButton::clicked, this, &SweepPanel::useClicked);
    connect(keep_, &QAbstractButton::clicked, this, &SweepPanel::keepClicked);
    setWidget(page);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    retranslate();
    setForm(form_);
}

void SweepPanel::setForm(const SweepForm& form) {
    form_ = form;
    axis_->setCurrentIndex(static_cast<int>(form.axis));
    nameValues();
    values_->setIllegal(false);
    values_legal_ = true;
    why_illegal_->hide();
    batch_->setCurrent(form.fixed_batch ? 0 : 1);
    samples_->setNumber(form.samples);
    iterations_->setNumber(form.iterations);
    cap_->setNumber(form.cap_mb);
    enableFields();
}

void SweepPanel::setBase(const SweepBase& base) {
    base_ = base;
    enableFields();
    retranslate();
}

// Axes other than m keep the mini-batch as it is. Of a run of another program neither the size of a
// micro-batch nor its memory is known: each keeps its cost, and with m the mini-batch grows.
void SweepPanel::enableFields() {
    batch_->setEnabled(base_.knows_model && form_.ofM());
    batch_->setCurrent(base_.knows_model && form_.fixed_batch ? 0 : 1);
    samples_->setEnabled(base_.knows_model && form_.ofM() && form_.fixed_batch);
    cap_->setEnabled(base_.knows_model);
    iterations_->setEnabled(!base_.isFile());
}

// Kinds of checkpointing have names, and all of them are tried.
void SweepPanel::nameValues() {
    const bool kinds = form_.axis == SweepAxis::Checkpointing;
    QStringList words;
    for (const int value : form_.values)
        words << (kinds ? recomputeText(swept({}, form_.axis, value).config.recompute)
                        : QString::number(value));
    values_->setText(words.join(kinds ? QStringLiteral(", ") : QStringLiteral(" ")));
    values_->setReadOnly(kinds);
    if (kinds) values_->setToolTip({});
    const std::size_t of_values = 1;
    const QString what = kinds                             ? tr("Kinds")
                         : form_.axis == SweepAxis::Chunks ? tr("Values of v")
                         : form_.axis == SweepAxis::Ranks  ? tr("Values of p")
                                                           : tr("Values of m");
    if (row_labels_[of_values] != nullptr) row_labels_[of_values]->setText(what);
    values_->setAccessibleName(what);
}

bool SweepPanel::formIsLegal() const {
    return values_legal_ && form_.iterations >= 1 && form_.samples >= 1;
}

void SweepPanel::readForm() {
    const std::optional<std::vector<int>> values = form_.axis == SweepAxis::Checkpointing
                                                       ? std::optional(form_.values)
                                                       : parseSweepValues(values_->text());
    values_legal_ = values.has_value();
    values_->setIllegal(!values_legal_);
    if (!values_legal_) why_illegal_->setText(whyIllegalText(values_->text()));
    why_illegal_->setVisible(!values_legal_);
    values_->setToolTip(values_legal_ ? QString() : why_illegal_->text());
    if (values) form_.values = *values;
    if (base_.knows_model) form_.fixed_batch = batch_->current() == 0;
    form_.samples = samples_->number();
    form_.iterations = iterations_->number();
    form_.cap_mb = cap_->value();
    enableFields();
    emit formEdited();
}

void SweepPanel::setResult(const std::vector<SweepRow>& rows, const SweepVerdict& verdict,
                           const SweepState* state, int use) {
    const bool measured = verdict.measured;
    std::vector<FigureRow> lines;
    QStringList refused;
    int complete = 0, wanted = 0;
    const SweepRow* used = nullptr;
    for (const SweepRow& row : rows) {
        if (row.value == use) used = &row;
        if (!row.problem.isEmpty())
            refused << (row.problem.startsWith(row.name) ? row.problem : tr("%1: %2").arg(row.name, row.problem));
        complete += row.complete() ? 1 : 0;
        wanted += row.problem.isEmpty() && !row.over_cap ? 1 : 0;
        FigureRow line;
        line.look = row.value == verdict.best ? FigureRow::Look::Accent
                    : row.complete()          ? FigureRow::Look::Normal
                                              : FigureRow::Look::Faint;
        if (!row.problem.isEmpty() || (!row.predicted() && !row.run)) {
            line.cells = {row.brief, QStringLiteral("–"), QStringLiteral("–"), QStringLiteral("–"),
                          row.problem.isEmpty() ? QString() : tr("illegal")};
        } else {
            const double rate = row.run ? row.run->tokens_per_s : row.predicted_rate;
            const double bubble = row.run ? row.run->bubble_of_total : row.predicted_bubble;
            const QString last = row.complete()  ? changeText(row.predicted_rate, rate)
                                 : row.running() ? tr("%1 of %2").arg(row.done).arg(row.asked)
                                 : row.over_cap  ? tr("not run")
                                                 : QString();
            line.cells = {row.brief, base_.knows_model ? rateNumber(rate) : numberText(rate, 2),
                          shareText(bubble),
                          base_.knows_model ? megabytesNumber(row.peakBytes()) : QStringLiteral("–"), last};
        }
        lines.push_back(std::move(line));
    }
    table_->setRows(std::move(lines));
    refused_->setVisible(!refused.isEmpty());
    refused_->setText(refused.join(u'\n'));
    const bool over = state != nullptr && (state->finished || state->cancelled);
    result_->head()->setText(!measured ? tr("Prediction") : over ? tr("Result") : tr("Result so far"));
    result_->aside()->setText(complete > 0     ? tr("%1 of %2 values").arg(complete).arg(wanted)
                              : base_.isFile() ? tr("from a file, nothing runs")
                                               : tr("no value ran yet"));
    results_->aside()->setText(measured ? tr("median of %1").arg(rows.front().asked)
                                        : said(bscope::sentence("predicted")));
    big_->setVisible(used != nullptr);
    big_note_->setVisible(used != nullptr);
    use_->setEnabled(used != nullptr && used->problem.isEmpty() && !base_.isFile());
    use_->setToolTip(base_.isFile() ? tr("%1 is open; values cannot be applied to a file").arg(base_.file)
                                    : QString());
    use_->setText(used != nullptr ? tr("Use %1").arg(used->name) : tr("Use it"));
    keep_->setEnabled(measured);
    sentence_->setText(verdict.sentence);
    if (used == nullptr) return;
    const bool is_word = !used->brief.front().isDigit();
    big_->setText(is_word ? used->brief : used->name);
    if (!base_.knows_model) {
        big_note_->setText(
            QStringLiteral("%1 %2").arg(numberText(used->predicted_rate, 2), rateUnit(base_)));
        return;
    }
    const QString peak = bytesText(used->peakBytes());
    big_note_->setText(
        tr("%1 tokens/s").arg(rateNumber(used->run ? used->run->tokens_per_s : used->predicted_rate)) + '\n' +
        (form_.cap_mb > 0 ? tr("%1 of %2").arg(peak, capText(form_.cap_mb)) : peak));
}

void SweepPanel::followTheme() {
    const Theme& theme = currentTheme();
    setMinimumWidth(theme.px(284));
    setMaximumWidth(theme.px(284));
}

void SweepPanel::paintEvent(QPaintEvent* event) {
    QPainter(viewport()).fillRect(viewport()->rect(), currentTheme().panel);
    QScrollArea::paintEvent(event);
}

void SweepPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QScrollArea::changeEvent(event);
}

void SweepPanel::retranslate() {
    results_->head()->setText(tr("Results"));
    sweep_->head()->setText(tr("Sweep"));
    sweep_->aside()->setText(tr("applies to the next sweep"));
    key_->head()->setText(tr("Key"));
    keep_->setText(tr("Keep results"));
    keep_->setToolTip(tr("Write the table to a file"));
    const std::array axes{tr("m"), tr("v"), tr("p against d"), tr("checkpointing")};
    for (std::size_t i = 0; i < axes.size(); ++i) axis_->setItemText(static_cast<int>(i), axes[i]);
    const std::array labels{tr("Vary"),    tr("Values of m"),     tr("Mini-batch"),
                            tr("Samples"), tr("Iterations each"), tr("Memory cap")};
    for (std::size_t i = 0; i < labels.size(); ++i) {
        row_labels_[i]->setText(labels[i]);
        row_fields_[i]->setAccessibleName(labels[i]);
    }
    nameValues();
    batch_->setTexts({tr("fixed"), tr("grows with m")});
    cap_->setSpecialValueText(tr("none"));
    table_->setHeader({QString(), rateUnit(base_), said(bscope::sentence("bubble")), QStringLiteral("MB"),
                       tr("Δ pred.")},
                      {0.1, base_.knows_model ? 0.36 : 0.46, base_.knows_model ? 0.59 : 0.66, 0.78, 1});
}

}  // namespace bscope::ui
