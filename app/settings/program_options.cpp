#include "app/settings/program_options.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <array>
#include <utility>

#include "app/settings/figure_arguments.h"
#include "app/settings/option_choice.h"
#include "widgets/figure/film.h"
#include "widgets/figure/film_format.h"

namespace bscope::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::ProgramOptions)
};

constexpr QSize kFilmSize{1280, 720};

const char* const kExamples =
    "  bubblescope\n"
    "  bubblescope --scenario 05-1f1b-against-gpipe\n"
    "  bubblescope --connect gpu-server:7070 --token-file token\n"
    "  bubblescope run.bscope\n"
    "  bubblescope my_schedule.csv\n"
    "  bubblescope traces/\n"
    "  bubblescope --scenario default --iterations 3 --export picture.svg\n"
    "  bubblescope --predicted --costs 1,1,1 --below gpipe,zb-h1 --width 85 --plan solid --export all.pdf\n"
    "  bubblescope before.bscope --beside after.bscope --export both.pdf\n"
    "  bubblescope run.bscope --export run.gif --seconds 8 --size 960x540\n"
    "  bubblescope gpipe.bscope --beside 1f1b.bscope --change --export change.mp4\n"
    "  bubblescope --lesson 05,06 --handout handout.pdf --lang zh\n";

std::optional<QSize> parseSize(const QString& text) {
    static const QRegularExpression form(QStringLiteral("^(\\d{2,5})x(\\d{2,5})$"));
    const QRegularExpressionMatch match = form.match(text);
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    if (!match.hasMatch() || size.width() < 200 || size.height() < 120 || size.width() > 16384 ||
        size.height() > 16384)
        return std::nullopt;
    return size;
}

// The parser takes the program's name from an application, with the path that it was started by.
QString usage(const QCommandLineParser& parser) {
    const bool has_name = QCoreApplication::instance() != nullptr;
    const QString name =
        has_name ? QCoreApplication::arguments().first() : QStringLiteral("<executable_name>");
    return parser.helpText().replace(name, QStringLiteral("bubblescope"));
}

// A page shows whole recordings as they are; what chooses a picture or runs something is not for it.
void checkPage(const QCommandLineParser& parser, QStringList& problems) {
    if (parser.positionalArguments().isEmpty())
        problems.append(Words::tr("--export of a page (.html) needs recordings or a training to import."));
    for (const QString& name : parser.optionNames())
        if (name != u"export" && name != u"lang")
            problems.append(Words::tr("--%1 cannot be used for a page (.html).").arg(name));
}

// What a film is not made of, and what only a film has.
void readFilm(const QCommandLineParser& parser, ProgramOptions& options, QStringList& problems) {
    if (!options.film) {
        for (const char* name : {"seconds", "fps", "change"})
            if (parser.isSet(QLatin1String(name)))
                problems.append(
                    Words::tr("--%1 is for a film (.gif, .webp, .mp4).").arg(QLatin1String(name)));
        return;
    }
    for (const char* name : {"width", "svg-text", "lesson"})
        if (parser.isSet(QLatin1String(name)))
            problems.append(
                Words::tr("--%1 cannot be used for a film (.gif, .webp, .mp4).").arg(QLatin1String(name)));
    options.change = parser.isSet(QStringLiteral("change"));
    if (options.change && !parser.isSet(QStringLiteral("beside")))
        problems.append(Words::tr("--change needs --beside, the run that it changes to."));
    bool is_number = true, is_whole = true;
    if (parser.isSet(QStringLiteral("seconds")))
        options.film_s = parser.value(QStringLiteral("seconds")).toDouble(&is_number);
    if (!is_number || !(options.film_s >= FilmOptions::kLeast_s && options.film_s <= FilmOptions::kMost_s))
        problems.append(Words::tr("--seconds needs a number from %1 to %2.")
                            .arg(FilmOptions::kLeast_s)
                            .arg(FilmOptions::kMost_s));
    if (parser.isSet(QStringLiteral("fps")))
        options.fps = parser.value(QStringLiteral("fps")).toInt(&is_whole);
    if (!is_whole || options.fps < FilmOptions::kLeastRate || options.fps > FilmOptions::kMostRate)
        problems.append(Words::tr("--fps needs a whole number from %1 to %2.")
                            .arg(FilmOptions::kLeastRate)
                            .arg(FilmOptions::kMostRate));
    else
        problems += filmProblems(*filmFormat(options.export_path), options.figure.size_px, options.fps);
}

}  // namespace

ProgramOptions parseOptions(const QStringList& arguments, QStringList& problems) {
    QCommandLineParser parser;
    parser.setApplicationDescription(Words::tr("Shows a real training pipeline at work, live."));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")},
                                  Words::tr("Show this text."));
    const QCommandLineOption version(QStringLiteral("version"), Words::tr("Show the version."));
    const auto option = [](const char* name, const QString& text, const char* value) {
        return QCommandLineOption(QString::fromLatin1(name), text, QString::fromLatin1(value));
    };
    const QCommandLineOption scenario =
        option("scenario",
               Words::tr("Start with this scenario: a file or the name of one that came with the program."),
               "FILE|ID");
    const QCommandLineOption connect_to = option(
        "connect", Words::tr("Connect to an engine on another machine, started there with `bscope serve`."),
        "HOST:PORT");
    const QCommandLineOption token =
        option("token-file", Words::tr("File with the token the engine asks for."), "FILE");
    const QCommandLineOption iterations =
        option("iterations", Words::tr("With --export: iterations to run before the picture is taken."), "N");
    const QCommandLineOption picture = option(
        "export",
        Words::tr(
            "Run without a window, write a picture of the last iteration (.png, .svg, .pdf) or a film of how "
            "it "
            "grew (.gif; .mp4 and .webp by ffmpeg) and leave. Of recordings or an import also a page for a "
            "browser (.html)."),
        "FILE");
    const QCommandLineOption beside = option(
        "beside",
        Words::tr(
            "With --export of a recording or an import: this one's last iteration below, on one time axis."),
        "PATH");
    const QCommandLineOption side_by_side(QStringLiteral("side-by-side"),
                                          Words::tr("With --beside: the two side by side, each with the same "
                                                    "time axis, instead of one below the other."));
    const QCommandLineOption align = option(
        "align",
        Words::tr("How the two are aligned: start, micro-batch (the first), warm-up or cool-down (start)."),
        "WHERE");
    const QCommandLineOption size =
        option("size", Words::tr("Size of the picture in pixels, for example 1920x1080."), "WxH");
    const QCommandLineOption seconds =
        option("seconds", Words::tr("Length of a film, from 1 to 600 (12)."), "S");
    const QCommandLineOption fps =
        option("fps", Words::tr("Frames per second of a film, from 1 to 60 (30)."), "N");
    const QCommandLineOption change(
        QStringLiteral("change"),
        Words::tr("With --beside, for a film: the boxes move from where the first run has them to where the "
                  "second one has them."));
    const QCommandLineOption theme = option("theme", Words::tr("light or dark."), "THEME");
    const QCommandLineOption language = option("lang", Words::tr("en or zh."), "LANGUAGE");
    const QCommandLineOption lesson = option("lesson",
                                             Words::tr("Open this lesson; with --export a picture of its "
                                                       "runs, stacked; with --handout several, or all."),
                                             "ID[,ID...]");
    const QCommandLineOption handout = option(
        "handout", Words::tr("Run the lessons without a window, write them as a PDF for a class and leave."),
        "FILE");
    const QCommandLineOption answers =
        option("answers", Words::tr("Answers of a handout: end, none or only (end)."), "WHERE");
    const QCommandLineOption paper =
        option("paper", Words::tr("Pages of a handout: a4 or letter (a4)."), "PAPER");
    const QCommandLineOption layout =
        option("layout", Words::tr("pages, or slides: 16:9, a step of a lesson on each."), "LAYOUT");
    const QCommandLineOption other_language =
        option("other-language",
               Words::tr("With --handout: the same runs in the other language, into this file."), "FILE");
    parser.addOptions({scenario, connect_to, token, iterations, picture, beside, side_by_side, align, size,
                       theme, language, lesson, handout, answers, paper, layout, other_language, help,
                       version});
    parser.addOptions({seconds, fps, change});
    FigureArguments figure_arguments(parser);
    parser.addPositionalArgument(
        QStringLiteral("PATH"),
        Words::tr("A recording (.bscope) to replay, a scenario (.json), a schedule (.csv) to check, or the "
                  "folder or files of another program's training to import."),
        QStringLiteral("[PATH...]"));

    ProgramOptions options;
    if (!parser.parse(arguments)) problems.append(parser.errorText());
    if (parser.isSet(help))
        options.answer =
            usage(parser) + u'\n' + Words::tr("Examples:") + u'\n' + QString::fromUtf8(kExamples);
    if (parser.isSet(version)) options.answer = QStringLiteral("bubblescope " BUBBLESCOPE_VERSION "\n");
    if (!options.answer.isEmpty()) return options;

    options.scenario_given = parser.isSet(scenario);
    if (options.scenario_given) options.scenario = parser.value(scenario);
    if (parser.isSet(connect_to)) {
        options.connect = parseEngineAddress(parser.value(connect_to).toStdString());
        if (!options.connect)
            problems.append(Words::tr("--connect needs HOST:PORT, for example gpu-server:7070."));
        else if (!options.connect->token.empty())
            problems.append(Words::tr(
                "--connect takes no token, which other users of this machine could read in the list "
                "of processes: paste the URL into File > Connect to an engine, or use --token-file."));
    }
    if (parser.isSet(token)) {
        QFile file(parser.value(token));
        if (!file.open(QIODevice::ReadOnly))
            problems.append(
                Words::tr("--token-file %1 cannot be read: %2.").arg(file.fileName(), file.errorString()));
        else if (options.connect)
            options.connect->token = file.readAll().trimmed().toStdString();
        else
            problems.append(Words::tr("--token-file is for --connect."));
    }
    if (parser.isSet(iterations)) {
        options.iterations = parser.value(iterations).toInt();
        if (options.iterations < 1) problems.append(Words::tr("--iterations needs a number from 1 on."));
    }
    if (parser.isSet(picture)) {
        options.export_path = parser.value(picture);
        if (const auto format = figureFormat(options.export_path))
            options.export_format = *format;
        else if (options.film = filmFormat(options.export_path).has_value(); options.film)
            options.figure.size_px = kFilmSize;
        else if (options.page = options.export_path.endsWith(QStringLiteral(".html"), Qt::CaseInsensitive);
                 !options.page)
            problems.append(
                Words::tr("--export needs a file ending in .png, .svg, .pdf, .html, .gif, .webp or .mp4."));
    }
    if (parser.isSet(size)) {
        if (const auto pixels = parseSize(parser.value(size)))
            options.figure.size_px = *pixels;
        else
            problems.append(Words::tr("--size needs WIDTHxHEIGHT in pixels, from 200x120 to 16384x16384."));
    }
    if (parser.isSet(theme)) {
        const QString name = parser.value(theme);
        if (name == u"light")
            options.theme = ThemeKind::Light;
        else if (name == u"dark")
            options.theme = ThemeKind::Dark;
        else
            problems.append(Words::tr("--theme is light or dark."));
        options.figure.theme = options.theme.value_or(ThemeKind::Light);
    }
    if (parser.isSet(language)) {
        const QString name = parser.value(language);
        if (name == u"en")
            options.language = Language::English;
        else if (name == u"zh")
            options.language = Language::Chinese;
        else
            problems.append(Words::tr("--lang is en or zh."));
    }
    using AlignmentWord = std::pair<const char*, Alignment>;
    chooseOption(parser, problems, align, options.alignment,
                 std::array{AlignmentWord{"start", Alignment::Start},
                            AlignmentWord{"micro-batch", Alignment::Microbatch},
                            AlignmentWord{"warm-up", Alignment::FirstBackward},
                            AlignmentWord{"cool-down", Alignment::LastForward}});
    options.beside = parser.value(beside);
    options.side_by_side = parser.isSet(side_by_side);
    using AnswerWord = std::pair<const char*, Answers>;
    using PaperWord = std::pair<const char*, Paper>;
    chooseOption(parser, problems, answers, options.handout.answers,
                 std::array{AnswerWord{"end", Answers::End}, AnswerWord{"none", Answers::None},
                            AnswerWord{"only", Answers::Only}});
    chooseOption(parser, problems, paper, options.handout.paper,
                 std::array{PaperWord{"a4", Paper::A4}, PaperWord{"letter", Paper::Letter}});
    Paper slides = options.handout.paper;
    chooseOption(parser, problems, layout, slides,
                 std::array{PaperWord{"pages", options.handout.paper}, PaperWord{"slides", Paper::Slides}});
    options.handout.paper = slides;
    options.handout.language = options.language.value_or(Language::English);
    if (parser.isSet(lesson)) {
        options.lessons = parser.value(lesson).split(u',', Qt::SkipEmptyParts);
        if (options.lessons.isEmpty()) problems.append(Words::tr("--lesson needs the id of a lesson."));
    }
    if (parser.isSet(handout)) {
        options.handout_path = parser.value(handout);
        if (!options.handout_path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive))
            problems.append(Words::tr("--handout needs a file ending in .pdf."));
        if (!parser.isSet(lesson))
            problems.append(Words::tr("--handout needs --lesson ID[,ID...] or --lesson all."));
        if (parser.isSet(picture)) problems.append(Words::tr("--handout and --export exclude each other."));
        options.other_handout_path = parser.value(other_language);
        if (parser.isSet(other_language)) {
            if (!options.other_handout_path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive))
                problems.append(Words::tr("--other-language needs a file ending in .pdf."));
            if (options.other_handout_path == options.handout_path)
                problems.append(Words::tr("--other-language needs another file than --handout."));
        }
    } else {
        for (const QCommandLineOption* of_handout : {&answers, &paper, &layout, &other_language})
            if (parser.isSet(*of_handout))
                problems.append(Words::tr("--%1 is for --handout.").arg(of_handout->names().front()));
        if (options.lessons.size() > 1 || options.lessons.contains(QStringLiteral("all")))
            problems.append(Words::tr("--lesson opens one lesson; several are for --handout."));
        else if (!options.lessons.isEmpty() && parser.isSet(scenario))
            problems.append(Words::tr("--lesson and --scenario exclude each other."));
        else if (!options.lessons.isEmpty() && !parser.isSet(picture))
            options.scenario = options.lessons.front(), options.scenario_given = true;
    }
    if (!options.lessons.isEmpty() && parser.isSet(picture))
        for (const QCommandLineOption* of_one_run : {&iterations, &connect_to})
            if (parser.isSet(*of_one_run))
                problems.append(
                    Words::tr("--%1 cannot be used for the picture of a lesson, which makes its own runs.")
                        .arg(of_one_run->names().front()));
    figure_arguments.read(parser, options, problems);
    if (options.predicted)
        for (const QCommandLineOption* of_run : {&iterations, &connect_to, &beside, &lesson})
            if (parser.isSet(*of_run))
                problems.append(Words::tr("--%1 cannot be used with --predicted, which runs nothing.")
                                    .arg(of_run->names().front()));
    if (!options.below.empty() && (parser.isSet(beside) || parser.isSet(lesson)))
        problems.append(Words::tr("--below cannot be used with --beside or --lesson."));
    if (options.figure.width_mm > 0 && parser.isSet(size))
        problems.append(Words::tr("--width and --size exclude each other."));
    const QStringList files = parser.positionalArguments();
    options.files = files;
    if (options.page) checkPage(parser, problems);
    readFilm(parser, options, problems);
    if (!options.beside.isEmpty() && (files.isEmpty() || !parser.isSet(picture)))
        problems.append(Words::tr("--beside is for --export of a recording or an import."));
    if (options.beside.isEmpty())
        for (const QCommandLineOption* of_two : {&align, &side_by_side})
            if (parser.isSet(*of_two))
                problems.append(Words::tr("--%1 is for --beside.").arg(of_two->names().front()));
    return options;
}

}  // namespace bscope::ui
