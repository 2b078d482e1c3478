#include "app/lessons/interview_hour.h"

#include <algorithm>

namespace bscope::ui {
namespace {

const QString kPart = QStringLiteral("interview"), kDone = QStringLiteral("done"),
              kSeconds = QStringLiteral("seconds");
constexpr int kKeptEvery_s = 30;  // what a window that ends suddenly loses

}  // namespace

InterviewHour::InterviewHour(LessonProgress& progress, const LessonBook& book, QObject* parent)
    : QObject(parent), progress_(progress), book_(book) {
    for (const PathPart& part : findPath("interview")->parts) {
        for (const std::string& lesson : part.lessons)
            if (book.find(QString::fromStdString(lesson)) != nullptr)
                steps_.push_back({Step::Kind::Lesson, lesson});
        cards_.insert(cards_.end(), part.cards.begin(), part.cards.end());
        if (!part.cards.empty()) steps_.push_back({Step::Kind::Cards, {}});
        if (part.quiz) steps_.push_back({Step::Kind::Quiz, {}});
    }
    const QJsonObject kept = progress.part(kPart);
    begun_ = !kept.isEmpty();
    done_ = std::clamp(kept[kDone].toInt(), 0, static_cast<int>(steps_.size()));
    clock_.setLimit(kHour_s, std::clamp(kept[kSeconds].toInt(), 0, kHour_s));
    connect(&clock_, &Countdown::changed, this, [this] {
        if (clock_.used_s() % kKeptEvery_s == 0) keep();
        emit changed();
    });
}

InterviewHour::~InterviewHour() {
    keep();
}

const InterviewHour::Step* InterviewHour::next() const {
    const auto at = static_cast<std::size_t>(done_);
    return at < steps_.size() ? &steps_[at] : nullptr;
}

void InterviewHour::goOn() {
    if (!begun_ || !next()) {
        begun_ = true;
        done_ = 0;
        clock_.setLimit(kHour_s);
    }
    clock_.run(true);
    keep();
    emit changed();
    if (const Step* step = next()) emit stepAsked(*step);
}

void InterviewHour::pauseOrGoOn() {
    clock_.run(!clock_.running());
    keep();
    emit changed();
}

void InterviewHour::end() {
    forget();
    trouble_ = progress_.setPart(kPart, {});
    emit changed();
}

void InterviewHour::forget() {
    clock_.run(false);
    begun_ = false;
    done_ = 0;
    clock_.setLimit(kHour_s);
    emit changed();
}

void InterviewHour::setAt(const std::optional<Step>& at) {
    at_ = at;
    emit changed();
}

void InterviewHour::leave(Step::Kind kind) {
    if (at_ && at_->kind == kind) setAt(std::nullopt);
}

void InterviewHour::finish(const Step& step) {
    if (!begun_ || !next() || *next() != step) return;
    ++done_;
    if (!next()) clock_.run(false);
    keep();
    emit changed();
}

void InterviewHour::keep() {
    if (!begun_) return;
    trouble_ = progress_.setPart(kPart, {{kDone, done_}, {kSeconds, clock_.used_s()}});
}

QString InterviewHour::nameOf(const Step& step) const {
    switch (step.kind) {
        case Step::Kind::Lesson:
            return tr("lesson %1").arg(book_.numberOf(step.lesson));
        case Step::Kind::Cards:
            return tr("%n interview cards", "", static_cast<int>(cards_.size()));
        case Step::Kind::Quiz:
            break;
    }
    return tr("a quiz");
}

HourFace InterviewHour::face(Language language) const {
    HourFace face;
    face.steps = static_cast<int>(steps_.size());
    face.done = done_;
    face.begun = begun_;
    face.running = clock_.running();
    face.used_s = clock_.used_s();
    face.limit_s = clock_.limit_s();
    for (const Step& each : steps_) {
        if (each.kind != Step::Kind::Lesson) continue;
        ++face.lessons;
        if (progress_.markOf(QString::fromStdString(each.lesson)) == LessonMark::Right) ++face.lessons_right;
    }
    const Step* const step = next();
    if (!step) return face;
    face.next = nameOf(*step);
    if (step->kind == Step::Kind::Lesson)
        face.title = textOf(book_.find(QString::fromStdString(step->lesson))->title(), language);
    face.here = begun_ && at_ == *step;
    return face;
}

}  // namespace bscope::ui
