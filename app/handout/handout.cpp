#include "app/handout/handout.h"

#include <QBuffer>
#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "app/lessons/lesson_curtain.h"
#include "app/lessons/lesson_words.h"
#include "lessons/lesson_file.h"
#include "view/prepared_view.h"
#include "widgets/paint/badge.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr int kMostSteps = 96;  // of an empty grid; further ones are left out
// A last page with less than this share gets more, or is drawn into those before it.
constexpr double kNearlyEmpty = 0.25;
constexpr double kScales[] = {0.96, 0.92, 0.88};

struct HandoutWords {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::Handout)
};

class Handout {
public:
    Handout(const HandoutOptions& options, HandoutPaper& paper) : options_(options), paper_(paper) {}

    void questions(const HandoutLesson& lesson) {
        begin(lesson);
        const LessonData data = dataOf(lesson);
        const wire::Lesson& of = lesson.scenario->lesson();
        table(of);
        paper_.paragraph(data.story);
        std::vector<IterationView> open = curtained(of, lesson.views);
        std::erase_if(open, &IterationView::covered);
        if (!open.empty()) {
            if (slides()) begin(lesson);
            paper_.figure(open);
        }
        if (slides()) begin(lesson);
        paper_.heading(HandoutWords::tr("Question"));
        paper_.paragraph(data.question);
        if (data.asks_number) {
            paper_.paragraph(QStringLiteral("__________ ") + data.number_unit);
        } else {
            QStringList choices;
            for (const LessonChoice& choice : data.choices) choices << choice.text;
            paper_.boxes(choices);
        }
        for (std::size_t run = 0; run < lesson.views.size(); ++run)
            if (isCovered(of, static_cast<int>(run))) return gridOf(lesson, run);
    }

    void answer(const HandoutLesson& lesson) {
        begin(lesson);
        const LessonData data = dataOf(lesson);
        table(lesson.scenario->lesson());
        paper_.figure(lesson.views);
        numbers(lesson);
        if (slides()) begin(lesson);
        paper_.heading(HandoutWords::tr("Answer"));
        for (const LessonChoice& choice : data.choices)
            if (choice.right && !data.asks_number) paper_.paragraph(QStringLiteral("✓ ") + choice.text);
        for (const LessonChoice& choice : data.choices)  // which mistake each other one is
            if (!choice.right && !choice.why.isEmpty() && !slides())
                paper_.paragraph(HandoutWords::tr("× %1: %2", "a wrong choice and why it is wrong")
                                     .arg(choice.text, choice.why));
        paper_.paragraph(data.reveal);
        if (!slides() && !data.look.isEmpty()) {
            paper_.heading(HandoutWords::tr("What to look at"));
            paper_.paragraph(data.look);
        }
        if (slides()) begin(lesson);
        paper_.heading(HandoutWords::tr("Follow-up"));
        paper_.paragraph(data.follow_up);
        tries(lesson, data);
        paper_.heading(HandoutWords::tr("Interview, 30 seconds"));
        paper_.paragraph(data.interview);
        if (!data.references.isEmpty())
            paper_.small(said(sentence("To read: {0}", data.references.toStdString())));
    }

    // Of several lessons: what each is called, how long it takes and what it builds on.
    void syllabus(const std::vector<HandoutLesson>& lessons) {
        paper_.newPage();
        paper_.setFooter(QStringLiteral("Bubblescope ") + QLatin1String(BUBBLESCOPE_VERSION));
        paper_.title(HandoutWords::tr("Lessons"), {});
        for (auto first = lessons.begin(); first != lessons.end();) {
            const int level = first->scenario->lesson().level();
            const auto last = std::find_if(first, lessons.end(), [level](const HandoutLesson& each) {
                return each.scenario->lesson().level() != level;
            });
            std::vector<QStringList> rows{
                {levelName(level), HandoutWords::tr("builds on"), HandoutWords::tr("minutes")}};
            for (; first != last; ++first) rows.push_back(syllabusRow(*first));
            paper_.table(rows);
        }
    }

    void symbols() {
        paper_.newPage();
        paper_.setFooter(QStringLiteral("Bubblescope ") + QLatin1String(BUBBLESCOPE_VERSION));
        paper_.title(HandoutWords::tr("Symbols"), {});
        paper_.table(
            {{HandoutWords::tr("symbol"), HandoutWords::tr("meaning")},
             {QStringLiteral("p"), HandoutWords::tr("ranks of the pipeline")},
             {QStringLiteral("m"), HandoutWords::tr("micro-batches of an iteration")},
             {QStringLiteral("v"), HandoutWords::tr("chunks per rank")},
             {QStringLiteral("F, B"), HandoutWords::tr("forward and backward of a stage, and their times")},
             {QStringLiteral("I, W"), HandoutWords::tr("halves of B: gradient of the input, of the weights")},
             {QStringLiteral("r"), HandoutWords::tr("a rank, from 0")},
             {QStringLiteral("c"), HandoutWords::tr("latency of a message")}});
        paper_.table(
            {{HandoutWords::tr("equal stages, free link"), HandoutWords::tr("formula")},
             {HandoutWords::tr("iteration"), QStringLiteral("(m + p − 1)(F + B)")},
             {said(sentence("bubble of total")), QStringLiteral("(p − 1)/(m + p − 1)")},
             {HandoutWords::tr("bubble of ideal"), QStringLiteral("(p − 1)/m")},
             {HandoutWords::tr("in flight on rank r, 1F1B"), QStringLiteral("min(m, p − r)")},
             {HandoutWords::tr("bubble of total, interleaved"), QStringLiteral("(p − 1)/(v·m + p − 1)")}});
    }

private:
    bool slides() const { return options_.paper == Paper::Slides; }

    LessonData dataOf(const HandoutLesson& lesson) const {
        return lessonData(*lesson.scenario, lesson.numbers, options_.language);
    }

    QStringList syllabusRow(const HandoutLesson& lesson) const {
        const wire::Lesson& of = lesson.scenario->lesson();
        QStringList before;
        for (const int each : lesson.builds_on) before << QString::number(each);
        const QString number =
            lesson.number > 0 ? QString::number(lesson.number) + QStringLiteral("   ") : QString();
        return {number + textOf(of.title(), options_.language), before.join(QStringLiteral(", ")),
                of.minutes() > 0 ? QString::number(of.minutes()) : QString()};
    }

    // What further runs showed, of those that were made.
    void tries(const HandoutLesson& lesson, const LessonData& data) {
        bool headed = false;
        for (std::size_t set = 0; set < data.tries.size(); ++set) {
            const std::string name = setName(static_cast<int>(set)) + runName(0);
            const auto made = lesson.numbers.find(name);
            if (made == lesson.numbers.end() || !made->second || data.tries[set].after.isEmpty()) continue;
            if (!std::exchange(headed, true)) paper_.heading(HandoutWords::tr("Tried"));
            paper_.paragraph(HandoutWords::tr("%1: %2", "a further run and what it shows")
                                 .arg(data.tries[set].title, data.tries[set].after));
        }
    }

    // A page of its own, and where its numbers come from.
    void begin(const HandoutLesson& lesson) {
        paper_.newPage();
        paper_.setFooter(footer(lesson));
        const QString level = levelName(lesson.scenario->lesson().level());
        QString above = lesson.number > 0 ? HandoutWords::tr("Lesson %1").arg(lesson.number) : QString();
        if (!level.isEmpty()) above += (above.isEmpty() ? QString() : QStringLiteral(" · ")) + level;
        paper_.title(textOf(lesson.scenario->lesson().title(), options_.language), above);
    }

    QString footer(const HandoutLesson& lesson) const {
        const IterationView& first = lesson.views.front();
        const PreparedView prepared(first);
        QString text =
            badgeText(prepared.provenance(), QString::fromStdString(first.device), false, TimingSource::Host);
        if (!first.pooled_over.empty())
            text +=
                QStringLiteral(" · ") +
                HandoutWords::tr("durations pooled over %1").arg(QString::fromStdString(first.pooled_over));
        return text + QStringLiteral(" · ") + HandoutWords::tr("seed %1").arg(first.config.seed) +
               QStringLiteral(" · Bubblescope " BUBBLESCOPE_VERSION
                              "\nbubblescope --lesson %1 --handout FILE.pdf --lang %2")
                   .arg(QString::fromStdString(lesson.scenario->id()),
                        options_.language == Language::Chinese ? QStringLiteral("zh") : QStringLiteral("en"));
    }

    void table(const wire::Lesson& lesson) {
        for (const wire::LessonRun& run : lesson.runs()) {
            std::vector<QStringList> rows;
            for (const std::string& line : run.table())
                rows.push_back(QString::fromStdString(line).split(u','));
            paper_.table(rows);
        }
    }

    void gridOf(const HandoutLesson& lesson, std::size_t run) {
        const ScheduleParams& params = lesson.views[run].config.params;
        const QString name =
            QString::fromStdString(runName(run)) + QStringLiteral(": ") +
            textOf(lesson.scenario->lesson().runs(static_cast<int>(run)).title(), options_.language);
        paper_.heading(HandoutWords::tr("Draw your guess"));
        paper_.small(name);
        paper_.emptyGrid(params.layout().world(), std::min(kMostSteps, (params.m + params.p - 1) * 3));
    }

    void numbers(const HandoutLesson& lesson) {
        std::vector<QStringList> rows{{QString(), said(sentence("iteration, ms")),
                                       HandoutWords::tr("bubble, %"), HandoutWords::tr("theory, %"),
                                       HandoutWords::tr("in flight, rank 0"),
                                       HandoutWords::tr("peak, rank 0, MB")}};
        for (std::size_t run = 0; run < lesson.views.size(); ++run) {
            const std::string name = runName(run);
            const auto number = [&](const char* what) {
                return QString::fromStdString(fillNumbers("{" + name + "." + what + "}", lesson.numbers));
            };
            rows.push_back(
                {QString::fromStdString(name) + QStringLiteral("  ") +
                     textOf(lesson.scenario->lesson().runs(static_cast<int>(run)).title(), options_.language),
                 number("iteration_ms"), number("bubble"), number("theory"), number("in_flight.0"),
                 number("peak_mb.0")});
        }
        paper_.table(rows);
    }

    const HandoutOptions& options_;
    HandoutPaper& paper_;
};

// How these pages are laid out, so that the last one is not left nearly empty: a little smaller, so that it
// is not needed; or else with more on it, from a heading on. Tried on a paper of its own.
template <class Write>
HandoutPaper::Layout layoutOf(const HandoutOptions& options, const Write& write) {
    struct Tried {
        int pages, headings;
        double used;  // of the last page
    };
    const auto tried = [&](const HandoutPaper::Layout& layout) -> Tried {
        QBuffer nowhere;
        nowhere.open(QIODevice::WriteOnly);
        HandoutPaper paper(nowhere, options.paper, {}, HandoutPaper::Ink::None);
        paper.setLayout(layout);
        Handout handout(options, paper);
        write(handout);
        paper.end();
        return {paper.pages(), paper.headings(), paper.usedShare()};
    };
    if (options.paper == Paper::Slides) return {};  // a step of a lesson on each
    const Tried plain = tried({});
    if (plain.pages == 1 || plain.used >= kNearlyEmpty) return {};
    for (const double scale : kScales)
        if (const HandoutPaper::Layout layout{.scale = scale}; tried(layout).pages < plain.pages)
            return layout;
    for (int heading = plain.headings - 1; heading > 0; --heading) {
        const HandoutPaper::Layout layout{.break_before = heading};
        if (const Tried broken = tried(layout); broken.pages == plain.pages && broken.used >= kNearlyEmpty)
            return layout;
    }
    return {};
}

}  // namespace

HandoutLesson handoutLesson(const wire::Scenario& scenario, const LessonBook& book, LessonRuns kept,
                            std::vector<IterationView> views) {
    HandoutLesson lesson{.scenario = &scenario,
                         .number = book.numberOf(scenario.id()),
                         .builds_on = {},
                         .numbers = withAllNames(scenario.lesson(), std::move(kept)),
                         .views = std::move(views)};
    for (const std::string& before : scenario.lesson().after())
        lesson.builds_on.push_back(book.numberOf(before));
    return lesson;
}

int writeHandout(const std::vector<HandoutLesson>& lessons, const HandoutOptions& options, QIODevice& out) {
    HandoutPaper paper(out, options.paper,
                       lessons.size() == 1
                           ? textOf(lessons.front().scenario->lesson().title(), options.language)
                           : HandoutWords::tr("Lessons"));
    Handout handout(options, paper);
    const bool slides = options.paper == Paper::Slides;
    if (lessons.size() > 1) handout.syllabus(lessons);
    const auto questions = [](const HandoutLesson& lesson) {
        return [&lesson](Handout& to) { to.questions(lesson); };
    };
    const auto answer = [](const HandoutLesson& lesson) {
        return [&lesson](Handout& to) { to.answer(lesson); };
    };
    const auto add = [&](const auto& write) {
        paper.newPage();
        paper.setLayout(layoutOf(options, write));
        write(handout);
    };
    for (const HandoutLesson& lesson : lessons) {
        if (options.answers != Answers::Only) add(questions(lesson));
        if (slides && options.answers != Answers::None) add(answer(lesson));
    }
    if (!slides && options.answers != Answers::None)
        for (const HandoutLesson& lesson : lessons) add(answer(lesson));
    paper.setLayout({});
    if (!slides) handout.symbols();
    return paper.end() ? paper.pages() : 0;
}

}  // namespace bscope::ui
