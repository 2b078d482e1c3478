#include "widgets/figure/export_sheet.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QStyle>
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "catalog/catalog.h"
#include "view/prepared_view.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/text/notation.h"

namespace bscope::ui {
namespace {

constexpr double kDotsAnInch = 96;
constexpr int kSheetWidth = 980, kSheetHeight = 640, kFormWidth = 300;  // at 100 %

// In the order in which the field has them.
constexpr std::pair<FigureFormat, SvgText> kKindsOfFile[]{{FigureFormat::Pdf, SvgText::Outlines},
                                                          {FigureFormat::Svg, SvgText::Outlines},
                                                          {FigureFormat::Svg, SvgText::Text},
                                                          {FigureFormat::Png, SvgText::Outlines}};

int kindOf(const FigureChoices& choices) {
    for (int i = 0; i < 4; ++i)
        if (kKindsOfFile[i].first == choices.format &&
            (choices.format != FigureFormat::Svg || kKindsOfFile[i].second == choices.svg_text))
            return i;
    return 0;
}

bool isPlan(const IterationView& view) {
    return !PreparedView(view).hasRun();
}

}  // namespace

ExportSheet::ExportSheet(std::vector<IterationView> views, FigureOptions common, const FigureChoices& choices,
                         PlanOf plan_of, QWidget* parent)
    : QDialog(parent),
      views_(std::move(views)),
      common_(std::move(common)),
      choices_(choices),
      plan_of_(std::move(plan_of)) {
    const Theme& theme = currentTheme();
    setWindowTitle(tr("Export picture"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme.px(16), theme.px(14), theme.px(16), theme.px(14));
    row->setSpacing(theme.px(16));
    auto* left = new QVBoxLayout;
    addFields(*left);
    left->addStretch(1);
    size_ = new Label(TextRole::Faint, this);
    size_->setWordWrap(true);
    left->addWidget(size_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* save = buttons->addButton(tr("Save as…"), QDialogButtonBox::ActionRole);
    QPushButton* copy = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
    save->setProperty("primary", true);
    save->style()->polish(save);
    save->setDefault(true);
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    left->addWidget(buttons);
    row->addLayout(left);
    auto* frame = new QScrollArea(this);
    picture_ = new QLabel(frame);
    picture_->setAlignment(Qt::AlignCenter);
    picture_->setAccessibleName(tr("The picture as it will be written"));
    frame->setWidget(picture_);
    frame->setWidgetResizable(true);
    frame->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    frame->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    row->addWidget(frame, 1);

    redraw_.setSingleShot(true);
    redraw_.setInterval(0);
    connect(&redraw_, &QTimer::timeout, this, &ExportSheet::draw);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(save, &QPushButton::clicked, this, &ExportSheet::saveAsked);
    connect(copy, &QPushButton::clicked, this, &ExportSheet::copyAsked);
    enableFields();
    const QSize room = parent != nullptr ? parent->size() : QSize(kSheetWidth, kSheetHeight);
    resize(QSize(theme.px(kSheetWidth), theme.px(kSheetHeight)).boundedTo(room));
    save->setFocus();
}

void ExportSheet::addFields(QVBoxLayout& column) {
    const Theme& theme = currentTheme();
    auto* form = new QFormLayout;
    form->setVerticalSpacing(theme.px(8));
    form->setHorizontalSpacing(theme.px(12));
    const auto choice = [this](const QStringList& names, int now) {
        auto* field = new ChoiceField(this);
        field->addItems(names);
        field->setCurrentIndex(now);
        connect(field, &QComboBox::currentIndexChanged, this, &ExportSheet::read);
        return field;
    };
    // In the order of the enumerators, but the kinds of files.
    width_ =
        choice({tr("85 mm, one column"), tr("170 mm, two columns"), tr("Slide, 16:9"), tr("Other width")},
               static_cast<int>(choices_.width));
    custom_ = new NumberField(FigureChoices::kLeast_mm, FigureChoices::kMost_mm, 0, this);
    custom_->setDigits(4);
    custom_->setNumber(choices_.custom_mm);
    connect(custom_, &QDoubleSpinBox::valueChanged, this, &ExportSheet::read);
    format_ = choice({tr("PDF"), tr("SVG, text as outlines"), tr("SVG, text as text"), tr("PNG")},
                     kindOf(choices_));
    caption_ = choice({tr("None"), tr("Short: the numbers"), tr("Long: what ran, and how")},
                      static_cast<int>(choices_.caption));
    plan_ = choice({tr("Dashed"), tr("Solid")}, static_cast<int>(choices_.plan));
    content_ = choice({tr("Everything shown"), tr("Operations only")}, static_cast<int>(choices_.content));
    arrows_ = choice({tr("None"), tr("Of one micro-batch"), tr("All")}, static_cast<int>(choices_.arrows));
    const int last = views_.empty() ? 1 : views_.front().config.params.m;
    microbatch_ =
        new NumberField(common_.count_from_zero ? 0 : 1, common_.count_from_zero ? last - 1 : last, 0, this);
    microbatch_->setNumber(common_.arrows_of + (common_.count_from_zero ? 0 : 1));
    connect(microbatch_, &QDoubleSpinBox::valueChanged, this, &ExportSheet::read);
    const auto check = [this](const QString& text, bool on) {
        auto* box = new QCheckBox(text, this);
        box->setChecked(on);
        connect(box, &QCheckBox::toggled, this, &ExportSheet::read);
        return box;
    };
    QStringList schemes;
    for (const ColourScheme scheme : kColourSchemes) schemes << schemeName(scheme);
    colours_ = choice(schemes, static_cast<int>(choices_.scheme));
    dpi_ = new NumberField(kLeastDpi, kMostDpi, 0, this);
    dpi_->setDigits(4);
    dpi_->setNumber(choices_.dpi);
    connect(dpi_, &QDoubleSpinBox::valueChanged, this, &ExportSheet::read);
    legend_ = check(tr("Legend"), choices_.legend);
    dark_ = check(tr("Dark"), choices_.dark);
    transparent_ = check(tr("Transparent background"), choices_.transparent);
    schedules_ = new Button(ButtonLook::Plain, Glyph::None, this);
    schedules_->setElided(true);
    schedule_menu_ = new QMenu(this);
    addSchedules();

    form->addRow(tr("Width"), width_);
    form->addRow(tr("mm"), custom_);
    form->addRow(tr("File"), format_);
    form->addRow(tr("dpi"), dpi_);
    form->addRow(tr("Colours"), colours_);
    form->addRow(tr("Caption"), caption_);
    form->addRow(tr("Content"), content_);
    form->addRow(tr("Arrows"), arrows_);
    form->addRow(tr("Micro-batch"), microbatch_);
    form->addRow(tr("Plan"), plan_);
    form->addRow(tr("Below it"), schedules_);
    form->addRow(legend_);
    form->addRow(dark_);
    form->addRow(transparent_);
    for (QWidget* field :
         QWidgetList{width_, format_, colours_, caption_, plan_, content_, arrows_, schedules_})
        field->setMaximumWidth(theme.px(kFormWidth - 90));
    column.addLayout(form);
}

// Those that these sizes allow; each is planned when it is chosen.
void ExportSheet::addSchedules() {
    std::map<std::string, QAction*> offered;
    if (plan_of_ && views_.size() == 1) {
        ScheduleParams params = views_.front().config.params;
        for (const CatalogEntry& entry : catalog()) {
            if (views_.front().config.schedule == entry.name) continue;
            params.v = defaultChunks(entry);
            if (!canBeMade(entry.name, params)) continue;
            QAction* action = schedule_menu_->addAction(scheduleTitle(entry.name));
            action->setCheckable(true);
            connect(action, &QAction::toggled, this, [this, action, name = std::string(entry.name)](bool on) {
                std::erase_if(below_, [&](const auto& each) { return each.first == name; });
                std::erase(choices_.below, name);
                if (on) {
                    if (auto plan = plan_of_(name)) {
                        below_.emplace_back(name, std::move(*plan));
                        choices_.below.push_back(name);
                    } else {
                        action->setChecked(false);
                    }
                }
                enableFields();
            });
            offered[entry.name] = action;
        }
    }
    for (const std::string& name : std::vector(choices_.below))  // in the order of the choice
        if (const auto found = offered.find(name); found != offered.end()) found->second->setChecked(true);
    schedules_->setEnabled(!schedule_menu_->isEmpty());
    connect(schedules_, &QAbstractButton::clicked, this,
            [this] { schedule_menu_->popup(schedules_->mapToGlobal(QPoint(0, schedules_->height() + 2))); });
}

void ExportSheet::read() {
    choices_.width = static_cast<FigureWidth>(width_->currentIndex());
    choices_.custom_mm = std::clamp(custom_->value(), FigureChoices::kLeast_mm, FigureChoices::kMost_mm);
    std::tie(choices_.format, choices_.svg_text) = kKindsOfFile[format_->currentIndex()];
    choices_.caption = static_cast<CaptionLength>(caption_->currentIndex());
    choices_.plan = static_cast<PlanLook>(plan_->currentIndex());
    choices_.content = static_cast<FigureContent>(content_->currentIndex());
    choices_.arrows = static_cast<FigureArrows>(arrows_->currentIndex());
    choices_.scheme = kColourSchemes[static_cast<std::size_t>(colours_->currentIndex())];
    choices_.dpi = std::clamp(dpi_->number(), kLeastDpi, kMostDpi);
    choices_.legend = legend_->isChecked();
    choices_.dark = dark_->isChecked();
    choices_.transparent = transparent_->isChecked();
    common_.arrows_of = microbatch_->number() - (common_.count_from_zero ? 0 : 1);
    enableFields();
}

// What has no effect now cannot be chosen.
void ExportSheet::enableFields() {
    const std::vector<IterationView> shown = views();
    custom_->setEnabled(choices_.width == FigureWidth::Custom);
    dpi_->setEnabled(choices_.format == FigureFormat::Png && choices_.width != FigureWidth::Slide);
    microbatch_->setEnabled(choices_.arrows == FigureArrows::OneMicrobatch);
    plan_->setEnabled(std::ranges::any_of(shown, isPlan));
    transparent_->setEnabled(choices_.format != FigureFormat::Pdf);
    QStringList names;
    for (const auto& [name, plan] : below_) names << scheduleTitle(name);
    schedules_->setText(names.isEmpty() ? tr("No other schedule") : names.join(QStringLiteral(", ")));
    redraw_.start();
}

void ExportSheet::setViews(std::vector<IterationView> views) {
    views_ = std::move(views);
    enableFields();
}

std::vector<IterationView> ExportSheet::views() const {
    std::vector<IterationView> all = views_;
    for (const auto& [name, plan] : below_) all.push_back(plan);
    return all;
}

FigureOptions ExportSheet::options() const {
    FigureOptions options = figureOptions(choices_);
    options.layers = common_.layers;
    options.definition = common_.definition;
    options.unit = common_.unit;
    options.count_from_zero = common_.count_from_zero;
    options.arrows_of = common_.arrows_of;
    return options;
}

QString ExportSheet::sizeText(long width_mm, long height_mm) {
    constexpr long kA4_mm = 297;
    if (height_mm <= kA4_mm) return tr("%1 × %2 mm").arg(width_mm).arg(height_mm);
    return tr("%1 × %2 mm: taller than an A4 page (%3 mm)").arg(width_mm).arg(height_mm).arg(kA4_mm);
}

// As large as its room allows, and not larger than on paper would be readable.
void ExportSheet::draw() {
    const std::vector<IterationView> shown = views();
    FigureOptions options = this->options();
    const QSizeF size = figureSize(shown, options);
    const QSizeF room = picture_->parentWidget()->size() - QSize(16, 16);
    const double fit = std::min({room.width() / size.width(), room.height() / size.height(), 2.0});
    const double ratio = devicePixelRatioF();
    options.dpi = kDotsAnInch * std::max(0.05, fit) * ratio;
    options.scale = std::max(0.05, fit) * ratio;
    QImage image = renderFigureImage(shown, options);
    image.setDevicePixelRatio(ratio);
    picture_->setPixmap(QPixmap::fromImage(image));
    size_->setText(choices_.width == FigureWidth::Slide
                       ? tr("%1 × %2 pixels").arg(size.width() * 2).arg(size.height() * 2)
                       : sizeText(std::lround(size.width() / kDotsAnInch * 25.4),
                                  std::lround(size.height() / kDotsAnInch * 25.4)));
}

void ExportSheet::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    redraw_.start();
}

}  // namespace bscope::ui
