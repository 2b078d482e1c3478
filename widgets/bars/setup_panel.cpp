// The form: one row a setting, two columns, the part that starts a new run apart.
#include "widgets/bars/setup_panel.h"

#include <QEvent>
#include <QFileDialog>
#include <QGridLayout>
#include <QPainter>
#include <QScreen>
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>

#include "catalog/catalog.h"
#include "config/config_table.h"
#include "widgets/controls/tab_order.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr double kMostTyped = 9e15;       // every whole number up to it is a double
constexpr int kSeveral = -2, kNone = -1;  // data of the slow-rank choice

// One a row, as it is read.
constexpr std::array kRows{QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Micro-batch, samples"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Data-parallel d, ZeRO"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Tensor t, sequence parallel"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Segments q of a sequence"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Layers per stage"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Link: latency, speed"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Slow rank"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Memory cap"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Checkpoint every"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Clock"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Durations"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Device"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Number type"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "CUDA graphs"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Matrix products"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Layers L, heads"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Hidden C, tokens T"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Learning rate, seed"),
                           QT_TRANSLATE_NOOP("bscope::ui::SetupPanel", "Text file")};

}  // namespace

SetupPanel::SetupPanel(QWidget* parent)
    : QFrame(parent),
      split_(new SplitEditor(this)),
      even_(new Button(ButtonLook::Link, Glyph::None, this)),
      slow_rank_(new ChoiceField(this)),
      data_(new TextField(this)),
      browse_(new Button(ButtonLook::Plain, Glyph::None, this)),
      new_run_note_(makeParagraph(TextRole::Faint, this)),
      problem_(makeParagraph(TextRole::Strong, this)) {
    setObjectName(QStringLiteral("setup"));
    auto* grid = new QGridLayout(this);
    designLayout(*grid, {16, 14, 16, 16}, 6);
    grid->setColumnStretch(1, 1);

    addRow(grid, {addNumber("micro_batch", 0, 4)});
    addRow(grid, {addNumber("d", 0, 4), addNumber("zero", 0, 4)});
    addRow(grid, {addNumber("t", 0, 4), addChoice("sequence_parallel")});
    addRow(grid, {addNumber("segments", 0, 4)});
    addRow(grid, {split_, even_});
    addRow(grid, {addNumber("latency_us", 1, 7), addNumber("gbps", 1, 7)});
    addRow(grid, {slow_rank_, addNumber("slow_factor", 2, 4)});
    addRow(grid, {addNumber("memory_cap_mb", 1, 7)});
    addRow(grid, {addChoice("checkpoint_every")});
    addRow(grid, {addChoice("clock")});
    addRow(grid, {addChoice("durations")});
    addRow(grid, {addChoice("device")});
    addRow(grid, {addChoice("dtype")});
    addRow(grid, {addChoice("cuda_graphs")});
    addRow(grid, {addChoice("matrix_library")});
    grid->setRowMinimumHeight(grid->rowCount(), 6);  // the rule above the note
    grid->addWidget(new_run_note_, grid->rowCount() + 1, 0, 1, 2);
    addRow(grid, {addNumber("layers", 0, 4), addNumber("heads", 0, 4)});
    addRow(grid, {addNumber("hidden", 0, 4), addNumber("sequence", 0, 4)});
    addRow(grid, {addNumber("learning_rate", 6, 7), addNumber("seed", 0, 4)});
    addRow(grid, {data_, browse_});
    grid->addWidget(problem_, grid->rowCount(), 0, 1, 2);
    problem_->hide();
    QList<QWidget*> stops;
    for (const Row& row : rows_)
        for (QWidget* field : row.fields) stops << field;
    chainTabs(stops);
    numbers_["learning_rate"]->setSingleStep(1e-4);
    numbers_["slow_factor"]->setSingleStep(0.1);
    numbers_["slow_factor"]->setPrefix(QStringLiteral("× "));
    numbers_["gbps"]->setSuffix(QStringLiteral(" Gb/s"));
    numbers_["memory_cap_mb"]->setSuffix(QStringLiteral(" MB"));
    numbers_["latency_us"]->setSuffix(QStringLiteral(" µs"));
    numbers_["latency_us"]->setSingleStep(100);

    connect(split_, &SplitEditor::edited, this, [this](const std::vector<int>& layers) {
        config_.layers_per_stage = layers;
        emit edited();
    });
    connect(even_, &QAbstractButton::clicked, this, [this] {
        config_.layers_per_stage.clear();
        split_->setLayers(layersPerStage(config_, config_.params.p * config_.params.v));
        emit edited();
    });
    connect(slow_rank_, &QComboBox::activated, this, &SetupPanel::edited);
    connect(data_, &QLineEdit::editingFinished, this, &SetupPanel::edited);
    connect(data_, &TextField::done, this, &SetupPanel::done);
    connect(browse_, &QAbstractButton::clicked, this, &SetupPanel::chooseDataFile);
    retranslate();
}

// Of a row of the table, or the factor of the slow rank.
NumberField* SetupPanel::addNumber(const std::string& field, int decimals, int digits) {
    double least = 1, greatest = 100;
    if (const ConfigRow* row = findConfigRow(field)) {
        least = row->range.sentence_with_zero != nullptr ? 0 : std::max(0.0, row->range.least);
        greatest = std::min(kMostTyped, row->range.greatest);
    }
    auto* number = new NumberField(least, greatest, decimals, this);
    number->setDigits(digits);
    number->setObjectName(QString::fromStdString(field));
    numbers_[field] = number;
    connect(number, &QDoubleSpinBox::valueChanged, this, &SetupPanel::edited);
    connect(number, &NumberField::done, this, &SetupPanel::done);
    return number;
}

Segments* SetupPanel::addChoice(const std::string& field) {
    const auto* words = std::get_if<WordPlace>(&findConfigRow(field)->place);
    auto* choice = new Segments(words != nullptr ? static_cast<int>(words->words.size()) : 2, this);
    choices_[field] = choice;
    connect(choice, &Segments::chosen, this, &SetupPanel::edited);
    return choice;
}

Label* SetupPanel::addRow(QGridLayout* grid, std::initializer_list<QWidget*> fields) {
    const int row = grid->rowCount();
    auto* label = new Label(TextRole::Body, this);
    rows_.push_back({label, fields});
    grid->addWidget(label, row, 0);
    auto* line = new QHBoxLayout;
    designLayout(*line, {}, 8);
    bool stretches = false;
    for (QWidget* field : fields) {
        line->addWidget(field);
        stretches = stretches || field->sizePolicy().horizontalPolicy() == QSizePolicy::Expanding;
    }
    if (!stretches) line->addStretch();
    grid->addLayout(line, row, 1);
    return label;
}

std::vector<std::pair<const char*, QWidget*>> SetupPanel::options() const {
    std::vector<std::pair<const char*, QWidget*>> all;
    for (std::size_t row = 0; row < kRows.size(); ++row)
        all.emplace_back(kRows[row], rows_[row].fields.front());
    return all;
}

NumberField* SetupPanel::number(const std::string& field) const {
    const auto found = numbers_.find(field);
    return found == numbers_.end() ? nullptr : found->second;
}

bool SetupPanel::owns(const std::string& field) {
    static constexpr std::array<std::string_view, 5> kOfTheToolBar{"schedule", "p", "v", "m", "recompute"};
    return findConfigRow(field) != nullptr && std::ranges::find(kOfTheToolBar, field) == kOfTheToolBar.end();
}

void SetupPanel::setConfig(const RunConfig& config) {
    config_ = config;
    const int stages = std::max(1, config.params.p * config.params.v);
    for (const auto& [field, widget] : numbers_)
        if (const ConfigRow* row = findConfigRow(field)) widget->setNumber(*numberIn(*row, config));
    for (const auto& [field, widget] : choices_)
        widget->setCurrent(static_cast<int>(*numberIn(*findConfigRow(field), config)));
    numbers_["slow_factor"]->setNumber(config.slow_ranks.empty() ? 1.5 : config.slow_ranks.front().second);
    numbers_["slow_factor"]->setEnabled(config.slow_ranks.size() == 1);
    numbers_["zero"]->setEnabled(config.params.d > 1 || config.params.zero > 0);
    choices_["sequence_parallel"]->setEnabled(config.params.t > 1 || config.sequence_parallel);
    const CatalogEntry* const schedule = findSchedule(config.schedule);
    numbers_["segments"]->setEnabled(config.params.segments > 1 ||
                                     (schedule != nullptr && schedule->usual_segments > 1));
    split_->setLayers(layersPerStage(config, stages));
    if (!data_->hasFocus()) data_->setText(QString::fromStdString(config.data_file));
    fillChoices();
}

void SetupPanel::fillChoices() {
    const QSignalBlocker quiet(slow_rank_);
    const Choices choices{std::clamp(config_.params.layout().world(), 0, 64), config_.slow_ranks.size() > 1};
    if (std::exchange(filled_, choices) != choices) {
        slow_rank_->clear();
        slow_rank_->addItem(tr("none"), kNone);
        for (int rank = 0; rank < choices.ranks; ++rank) slow_rank_->addItem(rankText(rank), rank);
        if (choices.several) slow_rank_->addItem(tr("several"), kSeveral);
        slow_rank_->updateGeometry();
    }
    int chosen = 0;
    if (choices.several) {
        chosen = slow_rank_->count() - 1;
    } else if (config_.slow_ranks.size() == 1) {
        chosen = slow_rank_->findData(config_.slow_ranks.front().first);
    }
    slow_rank_->setCurrentIndex(chosen);
}

RunConfig SetupPanel::appliedTo(RunConfig config) const {
    for (const auto& [field, widget] : numbers_)
        if (const ConfigRow* row = findConfigRow(field)) setNumber(*row, config, widget->value());
    for (const auto& [field, widget] : choices_) setNumber(*findConfigRow(field), config, widget->current());
    config.layers_per_stage = config_.layers_per_stage;
    config.data_file = data_->text().toStdString();
    const int slow = slow_rank_->currentData().toInt();
    if (slow == kNone) config.slow_ranks.clear();
    if (slow >= 0) config.slow_ranks = {{slow, number("slow_factor")->value()}};
    return config;
}

void SetupPanel::setProblems(const std::vector<Problem>& problems, const std::vector<Fix>& fixes) {
    QStringList sentences;
    data_->setIllegal(std::ranges::find(problems, "data_file", &Problem::field) != problems.end());
    for (auto& [field, widget] : numbers_)
        widget->setIllegal(std::ranges::find(fixes, field, &Fix::first) != fixes.end());
    for (const Problem& problem : problems) {
        if (!owns(problem.field)) continue;
        QStringList near;
        for (const long value : problem.legal)
            if (std::ranges::find(problem.words.arguments, Argument(value)) == problem.words.arguments.end())
                near << QStringLiteral("%1 = %2").arg(QString::fromStdString(problem.field)).arg(value);
        sentences << (near.isEmpty() ? problemText(problem)
                                     : said(sentence("{0}; nearest legal values: {1}", problem.words,
                                                     listText(near).toStdString())));
        if (NumberField* widget = number(problem.field == "slow_ranks" ? "slow_factor" : problem.field))
            widget->setIllegal(true);
    }
    problem_->setText(sentences.join('\n'));
    problem_->setVisible(!sentences.isEmpty());
    if (isVisible()) fit(pos());
}

// Not adjustSize(), which takes two thirds of the screen at most and cuts the rest.
void SetupPanel::fit(const QPoint& top_left) {
    ensurePolished();
    const int wide = std::max(minimumWidth(), layout()->totalSizeHint().width());
    resize(wide, layout()->totalHeightForWidth(wide));
    const QRect room = screen()->availableGeometry();
    const int y = std::max(room.top(), std::min(top_left.y(), room.bottom() + 1 - height()));
    move(top_left.x(), y);
}

void SetupPanel::followTheme() {
    const Theme& theme = currentTheme();
    static_cast<QGridLayout*>(layout())->setHorizontalSpacing(theme.px(12));
    setMinimumWidth(theme.px(400));
    if (isVisible()) fit(pos());
}

void SetupPanel::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setPen(theme.rule);
    painter.setBrush(theme.panel);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    const double y = new_run_note_->y() - theme.px(6) - 0.5;
    painter.drawLine(QPointF(theme.px(16), y), QPointF(width() - theme.px(16), y));
}

void SetupPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QFrame::changeEvent(event);
}

void SetupPanel::chooseDataFile() {
    hide();  // a popup would close under the dialog
    const QString file = QFileDialog::getOpenFileName(parentWidget(), tr("Text to train on"));
    show();
    if (file.isEmpty()) return;
    data_->setText(file);
    emit edited();
}

void SetupPanel::retranslate() {
    for (std::size_t row = 0; row < kRows.size(); ++row) {
        const QString name = tr(kRows[row]);
        rows_[row].label->setText(name);
        for (QWidget* field : rows_[row].fields)
            if (qobject_cast<QAbstractButton*>(field) == nullptr) field->setAccessibleName(name);
    }
    new_run_note_->setText(tr("The model's shape, seed and text: a change starts a new run."));
    even_->setText(tr("even"));
    even_->updateGeometry();
    browse_->setText(tr("Browse"));
    browse_->updateGeometry();
    data_->setPlaceholderText(tr("built-in text"));
    numbers_["gbps"]->setSpecialValueText(tr("no limit"));
    numbers_["memory_cap_mb"]->setSpecialValueText(tr("none"));
    numbers_["latency_us"]->setSpecialValueText(tr("none"));
    choices_["checkpoint_every"]->setTexts({tr("stage"), tr("layer")});
    choices_["checkpoint_every"]->setToolTip(tr(
        "Full checkpointing: keep the input of every stage and compute the whole stage again in one go (R), "
        "or keep the input of every layer and compute each layer again inside B or I, so that all "
        "activations are kept for only one layer at a time"));
    choices_["clock"]->setTexts({tr("auto"), tr("measured"), tr("reconstructed")});
    choices_["durations"]->setTexts({tr("raw"), tr("calibrated")});
    numbers_["d"]->setToolTip(
        tr("d: copies of the whole pipeline on p × d ranks, each with m micro-batches of its own; they add "
           "their gradients before the optimizer step"));
    numbers_["zero"]->setToolTip(
        tr("ZeRO stage, with d above 1. 1: each of the d copies of a stage adds up and steps a d-th of it, "
           "keeps the optimizer state of that alone, and gathers the other weights after the step"));
    numbers_["t"]->setToolTip(
        tr("t: ranks that compute every stage together, each with a part of its weights (tensor "
           "parallelism); they add up their results twice a layer in each direction"));
    numbers_["segments"]->setToolTip(tr(
        "q: pieces that Seq1F1B cuts every sequence into; each keeps its keys and values for those after it, "
        "and the pipe fills and drains in units that are q times shorter"));
    choices_["sequence_parallel"]->setTexts({tr("off"), tr("on")});
    choices_["sequence_parallel"]->setToolTip(
        tr("With t above 1: LayerNorms and the residual stream on a t-th of the tokens of each shard, which "
           "keeps a t-th of their activations and sends a t-th of the bytes to the next stage"));
    numbers_["latency_us"]->setToolTip(
        tr("Time of one message of zero bytes, in microseconds regardless of the time unit"));
    numbers_["gbps"]->setToolTip(tr("Speed of a link in 1e9 bits a second; 0 is infinitely fast"));
    numbers_["memory_cap_mb"]->setToolTip(
        tr("Activation bytes any rank may hold, 1 MB = 1e6 bytes; 0 is no cap"));
    choices_["durations"]->setToolTip(
        tr("calibrated: the median per stage and operation replaces every single duration"));
    choices_["device"]->setTexts(
        {deviceText(DeviceChoice::Cpu), deviceText(DeviceChoice::Cuda), deviceText(DeviceChoice::Auto)});
    choices_["device"]->setToolTip(
        tr("What computes: the cores of the engine's machine, its GPUs, or GPUs when there are any. The "
           "engine reports when there are none."));
    choices_["dtype"]->setTexts({QStringLiteral("fp32"), QStringLiteral("bf16")});
    choices_["dtype"]->setToolTip(
        tr("Number type of the operands of matrix products; bf16 on GPUs only. Sums and the trained weights "
           "stay fp32; with bf16 most activations take half the memory."));
    choices_["cuda_graphs"]->setTexts({tr("off"), tr("on")});
    choices_["cuda_graphs"]->setToolTip(
        tr("On GPUs: the kernels of an operation are launched in one call from the third iteration on. The "
           "numbers stay the same, the gaps between kernels shrink."));
    choices_["matrix_library"]->setTexts({matrixLibraryText(MatrixLibrary::Auto),
                                          matrixLibraryText(MatrixLibrary::Loops),
                                          matrixLibraryText(MatrixLibrary::OneDnn)});
    choices_["matrix_library"]->setToolTip(
        tr("On CPUs: what multiplies matrices. The engine's own loops need AVX2; auto takes the one that is "
           "quicker on this kind of processor. The order of summation differs, so losses differ in their "
           "last digits."));
    filled_.reset();
    fillChoices();
}

}  // namespace bscope::ui
