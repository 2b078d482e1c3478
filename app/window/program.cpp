#include "app/window/program.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <QApplication>
#include <QFontMetrics>
#include <QIcon>
#include <QSocketNotifier>
#include <QStandardPaths>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/export/export_job.h"
#include "app/handout/lesson_job.h"
#include "app/settings/program_options.h"
#include "app/settings/translations.h"
#include "app/window/main_window.h"
#include "widgets/text/config_text.h"
#include "widgets/theme/theme.h"
#include "wire/convert.h"

namespace bscope::ui {
namespace {

constexpr int kFailed = 1, kIllegal = 2, kSignalled = 128;

struct ProgramWords {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::ProgramOptions)
};

void print(std::FILE* to, const QString& text) {
    std::fputs(text.toUtf8().constData(), to);
}

bool hasDisplay() {
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

// Whether the machine has fonts for the letters of a language; without one, empty boxes are drawn in their
// place. Says what to install.
bool hasFonts(Language language) {
    const QFontMetrics letters(currentTheme().font(12));
    if (letters.inFont(u'F') && (language != Language::Chinese || letters.inFont(u'中'))) return true;
    print(stderr,
          QStringLiteral("bubblescope: %1\n")
              .arg(ProgramWords::tr("No font of this machine has these letters; empty boxes would stand in "
                                    "their place. Install the packages fonts-inter and fonts-noto-cjk.")));
    return false;
}

// Ctrl-C and SIGTERM leave the event loop, with the exit status that a shell would give, so that what was
// written in part goes. Made before any thread, which takes over that the signals wait for it.
class Interrupts {
public:
    explicit Interrupts(QApplication& application) {
        sigset_t awaited;
        sigemptyset(&awaited);
        sigaddset(&awaited, SIGINT);
        sigaddset(&awaited, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &awaited, nullptr);
        file_ = signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK);
        notifier_ = std::make_unique<QSocketNotifier>(file_, QSocketNotifier::Read);
        QObject::connect(notifier_.get(), &QSocketNotifier::activated, &application, [file = file_] {
            signalfd_siginfo came{};
            if (read(file, &came, sizeof(came)) == sizeof(came))
                QApplication::exit(kSignalled + static_cast<int>(came.ssi_signo));
        });
    }
    ~Interrupts() {
        notifier_.reset();
        close(file_);
    }
    Q_DISABLE_COPY_MOVE(Interrupts)

private:
    int file_ = -1;
    std::unique_ptr<QSocketNotifier> notifier_;
};

// Does the job, prints the sentence it ends with, and gives the exit status.
template <class Job>
int statusOf(Job& job, QApplication& application) {
    int code = 0;
    QObject::connect(
        &job, &Job::finished, &application,
        [&](bool written, const QString& sentence) {
            print(stderr, QStringLiteral("bubblescope: %1\n").arg(sentence));
            code = written ? 0 : kFailed;
            QApplication::quit();
        },
        Qt::QueuedConnection);
    job.start();
    const int interrupted = QApplication::exec();
    return interrupted != 0 ? interrupted : code;
}

int exportPicture(QApplication& application, const ProgramOptions& options, const wire::Scenario& scenario) {
    Preferences preferences;
    preferences.language = options.language.value_or(Language::English);
    const Appearance appearance(preferences);  // for the language of the picture
    if (!hasFonts(preferences.language)) return kFailed;
    const int iterations = options.iterations > 0 ? options.iterations : std::max(1, scenario.iterations());
    ExportJob job(options, fromWire(scenario.config()), iterations);
    if (!options.film) return statusOf(job, application);
    const Interrupts interrupts(application);
    if (isatty(STDERR_FILENO) != 0)
        QObject::connect(&job, &ExportJob::progress, &application, [](int percent) {
            print(stderr, percent < 100 ? QStringLiteral("bubblescope: %1 %\r").arg(percent)
                                        : QStringLiteral("                  \r"));
        });
    return statusOf(job, application);
}

// The lessons that were named; throws WireError, with every name that is none in `problems`.
std::vector<wire::Scenario> namedLessons(const ProgramOptions& options, const LessonBook& book,
                                         QStringList& problems) {
    std::vector<wire::Scenario> lessons;
    if (options.lessons == QStringList{QStringLiteral("all")}) {
        for (const wire::Scenario* lesson : book.lessons()) lessons.push_back(*lesson);
        return lessons;
    }
    for (const QString& name : options.lessons) {
        try {
            lessons.push_back(openScenario(name));
            if (!lessons.back().has_lesson())
                problems.append(said(sentence("{0} is a preset, not a lesson", name.toStdString())));
        } catch (const WireError& error) {
            problems.append(said(error.said));
        }
    }
    return lessons;
}

// A handout, or the picture of one lesson.
int writeLessons(QApplication& application, const ProgramOptions& options, const LessonBook& book,
                 std::vector<wire::Scenario> lessons) {
    Preferences preferences;
    preferences.language = options.handout.language;
    Appearance appearance(preferences);  // for the language of the pages
    const bool is_handout = !options.handout_path.isEmpty(),
               is_in_both = !options.other_handout_path.isEmpty();
    if (!hasFonts(is_in_both ? Language::Chinese : preferences.language)) return kFailed;
    const auto write = [&](const std::vector<HandoutLesson>& made) {
        if (is_in_both)
            return writeBothHandouts(made, options.handout, options.handout_path, options.other_handout_path,
                                     [&](Language language) { appearance.setLanguage(language); });
        return is_handout ? writeHandoutFile(made, options.handout, options.handout_path)
                          : writeLessonFigure(made.front(), options.figure, options.handout.language,
                                              options.export_path, options.export_format);
    };
    LessonJob job(std::move(lessons), book, write, is_handout && options.handout.answers != Answers::None);
    QObject::connect(&job, &LessonJob::progress, &application, [](const QString& sentence) {
        print(stderr, QStringLiteral("bubblescope: %1\n").arg(sentence));
    });
    return statusOf(job, application);
}

int openWindow(const ProgramOptions& options, const wire::Scenario& scenario) {
    Preferences preferences = Preferences::load();
    preferences.language_of_start = options.language;
    preferences.language = options.language.value_or(preferences.language);
    if (options.theme)
        preferences.theme_of_start =
            *options.theme == ThemeKind::Dark ? ThemeChoice::Dark : ThemeChoice::Light;
    preferences.theme = preferences.theme_of_start.value_or(preferences.theme);
    const LessonBook book = LessonBook::embedded();
    MainWindow window(preferences, book);
    hasFonts(preferences.language);
    window.show();
    window.keepRuns(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
                    QStringLiteral("/runs"));
    if (!options.files.isEmpty()) {
        window.openFiles(options.files);
    } else if (options.connect) {
        if (options.scenario_given) window.openScenario(scenario, false);
        window.connectTo(*options.connect, options.scenario_given);
    } else if (options.scenario_given) {
        window.openScenario(scenario, true);
    } else {
        window.startWhereOneWas(scenario);
    }
    return QApplication::exec();
}

// What the command line asks for, read with its files.
struct Asked {
    ProgramOptions options;
    wire::Scenario scenario;
    LessonBook book;
    std::vector<wire::Scenario> lessons;  // to be written to a file
    bool picture() const { return !options.export_path.isEmpty(); }
    bool handout() const { return !options.handout_path.isEmpty(); }
};

// The exit status where there is nothing more to do. Says so in the language of the command line.
std::optional<int> readArguments(int argc, char* argv[], Asked& asked) {
    QStringList arguments, problems;
    for (int i = 0; i < argc; ++i) arguments.append(QString::fromLocal8Bit(argv[i]));
    const QCoreApplication without_display(argc, argv);
    Translations translations;
    translations.setLanguage(languageOf(arguments));
    ProgramOptions& options = asked.options = parseOptions(arguments, problems);
    if (!options.answer.isEmpty()) {
        print(stdout, options.answer);
        return 0;
    }
    try {
        asked.scenario = openScenario(options.scenario);
        fromWire(asked.scenario.config());
    } catch (const WireError& error) {
        problems.append(said(error.said));
    }
    if (!options.lessons.isEmpty() && (asked.picture() || asked.handout())) {
        asked.book = LessonBook::embedded();
        asked.lessons = namedLessons(options, asked.book, problems);
    }
    for (const QString& problem : problems) print(stderr, QStringLiteral("bubblescope: %1\n").arg(problem));
    if (!problems.isEmpty()) return kIllegal;
    if (hasDisplay()) return std::nullopt;
    if (asked.picture() || asked.handout()) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        return std::nullopt;
    }
    print(stderr, QStringLiteral("bubblescope: %1\n")
                      .arg(ProgramWords::tr(
                          "There is no display. `bscope run` shows the same in a terminal; --export "
                          "FILE makes a picture without a display.")));
    return kFailed;
}

}  // namespace

int runProgram(int argc, char* argv[]) {
    QCoreApplication::setApplicationName(QStringLiteral("bubblescope"));
    QCoreApplication::setOrganizationName(QStringLiteral("bubblescope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(BUBBLESCOPE_VERSION));
    Asked asked;
    if (const auto status = readArguments(argc, argv, asked)) return *status;
    QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/bubblescope.svg")));
    if (!asked.lessons.empty())
        return writeLessons(application, asked.options, asked.book, std::move(asked.lessons));
    return asked.picture() ? exportPicture(application, asked.options, asked.scenario)
                           : openWindow(asked.options, asked.scenario);
}

}  // namespace bscope::ui
