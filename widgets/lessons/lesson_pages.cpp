#include "widgets/lessons/lesson_pages.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

namespace bscope::ui {
namespace {

struct PageWords {
    Q_DECLARE_TR_FUNCTIONS(bscope::ui::PresentedLesson)
};

bool isCjk(QChar c) {
    return c.unicode() >= 0x2e80 && c.unicode() < 0xff00;
}

// Chinese sentences stand without a space between them.
QString joined(const QString& first, const QString& second) {
    return first.endsWith(u'。') ? first + second : first + u' ' + second;
}

// With what ends them.
QStringList cutAfter(const QString& text, const QString& ends) {
    QStringList parts;
    QRegularExpressionMatchIterator each = QRegularExpression(ends).globalMatch(text);
    qsizetype from = 0;
    while (each.hasNext()) {
        const qsizetype to = each.next().capturedEnd();
        parts << text.mid(from, to - from);
        from = to;
    }
    if (from < text.size()) parts << text.mid(from);
    return parts;
}

// The finest cut is taken only where a coarser one leaves too much. What closes a bracket or a quotation
// stays with what it closes: no page begins with it.
QStringList partsOf(const QString& text, int most_words, int fineness = 0) {
    static const QString closing = QStringLiteral("[）」』】》”’，。、；：！？]");
    static const QStringList ends{QStringLiteral("[.!?]\\s+|[。！？]%1*").arg(closing),
                                  QStringLiteral("[;:]\\s+|[；：]%1*").arg(closing),
                                  QStringLiteral(",\\s+|[，、]%1*").arg(closing),
                                  QStringLiteral("\\s+|(?<=[\\x{2e80}-\\x{feff}])(?!%1)").arg(closing)};
    if (wordsOf(text) <= most_words || fineness >= ends.size()) return {text};
    QStringList parts;
    for (const QString& part : cutAfter(text, ends[fineness]))
        parts += partsOf(part, most_words, fineness + 1);
    return parts;
}

}  // namespace

double wordsOf(const QString& text) {
    double words = 0;
    bool inside = false;
    for (const QChar c : text) {
        if (isCjk(c)) words += 0.5;
        const bool letter = !c.isSpace() && !isCjk(c);
        if (letter && !inside) words += 1;
        inside = letter;
    }
    return words;
}

QStringList pagesOfText(const QString& text, int most_words) {
    QStringList pages;
    QString page;
    for (const QString& part : partsOf(text, most_words)) {
        if (!page.isEmpty() && wordsOf(page) + wordsOf(part) > most_words) {
            pages << page.trimmed();
            page.clear();
        }
        page += part;
    }
    if (!page.trimmed().isEmpty()) pages << page.trimmed();
    return pages;
}

std::vector<LessonPage> lessonPages(const LessonWalk& walk) {
    const LessonData& lesson = walk.lesson();
    std::vector<LessonPage> pages;
    const auto add = [&](const QString& heading, const QString& text) {
        for (const QString& page : pagesOfText(text)) pages.push_back({heading, page});
    };
    switch (walk.step()) {
        case LessonStep::Look:
            add(PageWords::tr("Story"),
                lesson.builds_on.isEmpty() ? lesson.story : joined(lesson.builds_on, lesson.story));
            add(PageWords::tr("What to look at"), lesson.before.isEmpty() ? lesson.look : lesson.before);
            break;
        case LessonStep::Guess:
            pages.push_back({PageWords::tr("Question"), lesson.question, LessonPage::Kind::Question});
            break;
        case LessonStep::Reveal: {
            QString heading = PageWords::tr("Reveal");
            const auto right = std::ranges::find(lesson.choices, true, &LessonChoice::right);
            if (right != lesson.choices.end())
                heading = PageWords::tr("Right: %1").arg(right->text);
            if (const int guess = walk.guess(); guess >= 0)
                add(PageWords::tr("Your guess: %1").arg(lesson.choices[static_cast<std::size_t>(guess)].text),
                    walk.why());
            else
                add(PageWords::tr("Your estimate"), walk.why());
            add(heading, lesson.settling.isEmpty() ? lesson.reveal : joined(lesson.settling, lesson.reveal));
            if (lesson.comparison)
                pages.push_back({lesson.comparison->title, {}, LessonPage::Kind::Comparison});
            if (!lesson.before.isEmpty()) add(PageWords::tr("What to look at"), lesson.look);
            if (lesson.settling.isEmpty()) add(PageWords::tr("Where the numbers come from"), lesson.source);
            break;
        }
        case LessonStep::FollowUp:
            add(PageWords::tr("Follow-up"), lesson.follow_up);
            add(PageWords::tr("Interview, 30 seconds"), lesson.interview);
            add(PageWords::tr("To read"), lesson.references);
            if (!lesson.tries.empty())
                pages.push_back({PageWords::tr("Try it"), {}, LessonPage::Kind::Tries});
            if (const int tried = walk.tried(); tried >= 0)
                add(lesson.tries[static_cast<std::size_t>(tried)].title,
                    lesson.tries[static_cast<std::size_t>(tried)].after);
            break;
    }
    if (pages.empty()) pages.push_back({});
    return pages;
}

}  // namespace bscope::ui
