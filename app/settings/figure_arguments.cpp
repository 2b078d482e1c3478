#include "app/settings/figure_arguments.h"

#include <array>
#include <utility>

#include "app/settings/option_choice.h"
#include "catalog/catalog.h"
#include "widgets/figure/figure_choices.h"

namespace bscope::ui {
namespace {

struct FigureWords {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::ProgramOptions)
};

QCommandLineOption option(const char* name, const QString& text, const char* value) {
    return QCommandLineOption(QString::fromLatin1(name), text, QString::fromLatin1(value));
}

QCommandLineOption flag(const char* name, const QString& text) {
    return QCommandLineOption(QString::fromLatin1(name), text);
}

constexpr double kLeastCost_ms = 0.001, kMostCost_ms = 1e6;

}  // namespace

FigureArguments::FigureArguments(QCommandLineParser& parser)
    : width_(option("width", FigureWords::tr("Width of the picture on paper in mm, or slide (16:9)."),
                    "MM|slide")),
      dpi_(option("dpi",
                  FigureWords::tr("Resolution of a .png of --width mm, from 72 to 1200 dots per inch (300)."),
                  "N")),
      palette_(option("palette",
                      FigureWords::tr("Colours of operations: bubblescope, megatron, zero-bubble, pytorch, "
                                      "dualpipe or grey (for print); or of stages: stages."),
                      "NAME")),
      caption_(option("caption", FigureWords::tr("Caption of the picture: long, short or none."), "LENGTH")),
      no_caption_(flag("no-caption", FigureWords::tr("Leave the parameters below the picture out."))),
      no_legend_(flag("no-legend", FigureWords::tr("Leave the legend of the picture out."))),
      plan_(option("plan",
                   FigureWords::tr("How a plan is drawn: dashed or solid; the badge says what it is."),
                   "LOOK")),
      boxes_only_(flag("boxes-only",
                       FigureWords::tr("Draw operations alone: no bubbles, messages, phases and memory."))),
      arrows_(option("arrows",
                     FigureWords::tr("Arrows of messages: none, all, or those of a micro-batch (from 1)."),
                     "WHICH")),
      svg_text_(option(
          "svg-text",
          FigureWords::tr("Text of an SVG: outlines, the same everywhere, or text that can be edited."),
          "KIND")),
      predicted_(
          flag("predicted", FigureWords::tr("With --export: draw the plan of the scenario; nothing runs."))),
      costs_(option(
          "costs",
          FigureWords::tr("With --predicted: costs of F, I and W of a stage in ms, by hand; below, the "
                          "chunks of a rank share them."),
          "F,I,W")),
      below_(option(
          "below",
          FigureWords::tr("With --export: plans of these schedules below, with the same work of a rank."),
          "SCHEDULE[,SCHEDULE...]")) {
    parser.addOptions({width_, dpi_, palette_, caption_, no_caption_, no_legend_, plan_, boxes_only_, arrows_,
                       svg_text_, predicted_, costs_, below_});
}

void FigureArguments::read(const QCommandLineParser& parser, ProgramOptions& options,
                           QStringList& problems) const {
    for (const QCommandLineOption* each : {&width_, &dpi_, &palette_, &caption_, &no_legend_, &plan_,
                                           &boxes_only_, &arrows_, &svg_text_, &predicted_, &costs_, &below_})
        if (parser.isSet(*each) && !parser.isSet(QStringLiteral("export")))
            problems.append(FigureWords::tr("--%1 is for --export.").arg(each->names().front()));
    FigureOptions& figure = options.figure;
    readWidth(parser, figure, problems);
    readResolution(parser, options, problems);
    std::vector<std::pair<const char*, ColourScheme>> palettes;
    for (const ColourScheme scheme : kColourSchemes) palettes.emplace_back(schemeWord(scheme), scheme);
    chooseOption(parser, problems, palette_, figure.scheme, palettes);
    CaptionLength length = CaptionLength::Long;
    using LengthWord = std::pair<const char*, CaptionLength>;
    chooseOption(
        parser, problems, caption_, length,
        std::array{LengthWord{"long", CaptionLength::Long}, LengthWord{"short", CaptionLength::Short},
                   LengthWord{"none", CaptionLength::None}});
    if (parser.isSet(caption_)) figure.caption = length;
    if (parser.isSet(no_caption_)) figure.caption = CaptionLength::None;
    figure.legend = !parser.isSet(no_legend_);
    using PlanWord = std::pair<const char*, PlanLook>;
    chooseOption(parser, problems, plan_, figure.plan,
                 std::array{PlanWord{"dashed", PlanLook::Dashed}, PlanWord{"solid", PlanLook::Solid}});
    if (parser.isSet(boxes_only_)) figure.content = FigureContent::BoxesOnly;
    using TextWord = std::pair<const char*, SvgText>;
    chooseOption(parser, problems, svg_text_, figure.svg_text,
                 std::array{TextWord{"outlines", SvgText::Outlines}, TextWord{"text", SvgText::Text}});
    if (parser.isSet(arrows_)) {
        const QString which = parser.value(arrows_);
        figure.arrows_of = which.toInt() - 1;
        figure.arrows = which == u"all"         ? FigureArrows::All
                        : figure.arrows_of >= 0 ? FigureArrows::OneMicrobatch
                                                : FigureArrows::None;
        if (figure.arrows == FigureArrows::None && which != u"none")
            problems.append(FigureWords::tr("--arrows is none, all or a micro-batch from 1 on."));
    }
    readPlans(parser, options, problems);
}

void FigureArguments::readWidth(const QCommandLineParser& parser, FigureOptions& figure,
                                QStringList& problems) const {
    if (!parser.isSet(width_)) return;
    if (parser.value(width_) == u"slide") {
        FigureChoices choices;
        choices.width = FigureWidth::Slide;
        const FigureOptions slide = figureOptions(choices);
        figure.size_px = slide.size_px;
        figure.scale = slide.scale;
        return;
    }
    figure.width_mm = parser.value(width_).toDouble();
    if (!(figure.width_mm >= FigureChoices::kLeast_mm && figure.width_mm <= FigureChoices::kMost_mm))
        problems.append(FigureWords::tr("--width needs mm from %1 to %2, or slide.")
                            .arg(FigureChoices::kLeast_mm)
                            .arg(FigureChoices::kMost_mm));
}

void FigureArguments::readResolution(const QCommandLineParser& parser, ProgramOptions& options,
                                     QStringList& problems) const {
    if (!parser.isSet(dpi_)) return;
    bool is_whole = false;
    const int dpi = parser.value(dpi_).toInt(&is_whole);
    options.figure.dpi = dpi;
    if (!is_whole || dpi < kLeastDpi || dpi > kMostDpi)
        problems.append(
            FigureWords::tr("--dpi needs a whole number from %1 to %2.").arg(kLeastDpi).arg(kMostDpi));
    if (options.figure.width_mm <= 0 || options.export_format != FigureFormat::Png || options.page ||
        options.film)
        problems.append(FigureWords::tr("--dpi is for a .png with --width in mm."));
}

void FigureArguments::readPlans(const QCommandLineParser& parser, ProgramOptions& options,
                                QStringList& problems) const {
    options.predicted = parser.isSet(predicted_);
    if (options.predicted && !parser.positionalArguments().isEmpty())
        problems.append(FigureWords::tr("--predicted is for a scenario, not for a recording."));
    if (parser.isSet(costs_)) {
        const QStringList numbers = parser.value(costs_).split(u',');
        HandCosts hand;
        double* const of[]{&hand.forward_ms, &hand.input_ms, &hand.weight_ms};
        bool legal = numbers.size() == 3 && options.predicted;
        for (qsizetype i = 0; legal && i < 3; ++i) {
            *of[i] = numbers[i].toDouble(&legal);
            legal = legal && *of[i] >= kLeastCost_ms && *of[i] <= kMostCost_ms;
        }
        if (legal)
            options.costs = hand;
        else
            problems.append(
                FigureWords::tr("--costs needs three numbers of ms from 0.001 to 1000000, such as 1,1,1, and "
                                "--predicted."));
    }
    for (const QString& name : parser.value(below_).split(u',', Qt::SkipEmptyParts)) {
        const CatalogEntry* entry = findSchedule(name.trimmed().toStdString());
        if (entry != nullptr)
            options.below.emplace_back(entry->name);
        else
            problems.append(
                FigureWords::tr("--below: there is no schedule %1; the nearest one is %2.")
                    .arg(name, QString::fromStdString(nearestSchedules(name.toStdString()).front())));
    }
}

}  // namespace bscope::ui
