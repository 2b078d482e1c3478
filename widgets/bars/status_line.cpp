// Words and painting of the status line.
#include "widgets/bars/status_line.h"

#include <QEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/controls/long_tips.h"
#include "widgets/text/format.h"
#include "widgets/text/notation.h"

namespace bscope::ui {
namespace {

constexpr double kWidestShare = 0.888, kWidestRatio = 88.88;
// Of the room for parts: of what comes and goes by itself, and where a person asked for a note, as by a
// baseline.
constexpr double kShareOfNews = 0.25, kShareOfNote = 0.55;
constexpr double kMostOfState = 0.35;  // of the line: a file may have a long name

}  // namespace

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent),
      language_(new Button(ButtonLook::Quiet, Glyph::None, this)),
      scale_(new Button(ButtonLook::Quiet, Glyph::None, this)),
      more_(new Button(ButtonLook::Plain, Glyph::More, this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(language_, &QAbstractButton::clicked, this, &StatusLine::languageClicked);
    connect(scale_, &QAbstractButton::clicked, this, &StatusLine::scaleClicked);
    connect(more_, &QAbstractButton::clicked, this, &StatusLine::showLeftOut);
    more_->setDesignHeight(18);
}

void StatusLine::setData(const StatusData& status) {
    data_ = status;
    // Measuring texts is most of what a status costs, and it comes with every redraw of the picture.
    if (Words now = words(); now != words_) say(std::move(now));
}

StatusLine::Words StatusLine::words() const {
    return {stateGlyph(),
            stateText(),
            data_.range,
            data_.language,
            withUnit(numberText(100 * data_.scale, 0), "%"),
            allParts()};
}

void StatusLine::say(Words words) {
    words_ = std::move(words);
    language_->setText(words_.language);
    scale_->setText(words_.scale);
    language_->setToolTip(tr("Language"));
    more_->setToolTip(tr("What does not fit here"));
    more_->setAccessibleName(more_->toolTip());
    scale_->setToolTip(tr("Scale of the window"));
    setAccessibleName((QStringList{words_.state} + parts()).join(QStringLiteral(", ")));
    place();
    update();
}

QString StatusLine::stateGlyph() const {
    switch (data_.state) {
        case SessionState::Idle:
            return QStringLiteral("○");
        case SessionState::Starting:
            return QStringLiteral("◐");
        case SessionState::Running:
        case SessionState::Pausing:
            return QStringLiteral("●");
        case SessionState::Paused:
            return QStringLiteral("‖");
        case SessionState::Failed:
            return QStringLiteral("■");
        case SessionState::Disconnected:
            return QStringLiteral("▲");
        case SessionState::Replaying:
            return data_.plays ? QStringLiteral("▶") : QStringLiteral("‖");
    }
    return {};
}

QString StatusLine::stateText() const {
    const QString number = QString::number(data_.iteration + 1);
    switch (data_.state) {
        case SessionState::Idle:
            return tr("Ready");
        case SessionState::Starting:
            return tr("Starting");
        case SessionState::Running:
            if (data_.iteration < 0) return tr("Running");
            if (data_.is_next) return tr("Running · iteration %1 is next").arg(number);
            return data_.progress < 0
                       ? tr("Running · iteration %1").arg(number)
                       : tr("Running · iteration %1, %2 %").arg(number, numberText(100 * data_.progress, 0));
        case SessionState::Pausing:
            return data_.iteration < 0 ? tr("Pausing") : tr("Pausing after %1").arg(number);
        case SessionState::Paused:
            return data_.iteration < 0 ? tr("Paused") : tr("Paused at %1").arg(number);
        case SessionState::Failed:
            return tr("Failed");
        case SessionState::Disconnected:
            return data_.retry_s < 0 ? tr("Disconnected")
                                     : tr("Disconnected, retry in %1 s").arg(data_.retry_s);
        case SessionState::Replaying:
        {
            const QString what = data_.imported ? tr("Import of %1").arg(data_.file)
                                 : data_.plays  ? tr("Replaying %1").arg(data_.file)
                                                : tr("Recording %1").arg(data_.file);
            return data_.read_to.isEmpty() ? what
                                           : tr("%1, read up to iteration %2").arg(what, data_.read_to);
        }
    }
    return {};
}

// On GPUs the tracer is what costs, and the host's load disturbs nothing that is timed.
QStringList StatusLine::costParts(const IterationReport& report) {
    const bool on_gpus = report.timing.ofGpus();
    const std::optional<double> cost = on_gpus ? report.tracing_cost : report.tracing_share;
    QStringList parts;
    if (cost) parts << tr("Tracing cost %1").arg(shareText(*cost));
    if (on_gpus) return parts;
    const QString ratio = numberText(report.wall_over_cpu, 2);
    parts << (report.disturbed ? disturbedText(report) : tr("wall/CPU %1, undisturbed").arg(ratio));
    return parts;
}

// By weight, since the last ones have no place in a narrow window: where the numbers come from, then what the
// reader is doing and what is wrong with them.
std::vector<StatusLine::Part> StatusLine::allParts() const {
    std::vector<Part> parts;
    const auto dropped = [](std::uint64_t events) { return tr("Dropped events %1").arg(events); };
    const bool imported = data_.report && data_.report->provenance == Provenance::Imported;
    const bool losses = data_.report && data_.dropped_events > 0;
    if (!data_.engine.isEmpty()) parts.push_back({tr("Engine: %1").arg(data_.engine), {}, false});
    if (data_.report && !imported) {
        IterationReport widest = *data_.report;
        if (widest.tracing_cost) widest.tracing_cost = kWidestShare;
        if (widest.tracing_share) widest.tracing_share = kWidestShare;
        widest.wall_over_cpu = kWidestRatio;
        widest.disturbed = true;
        const QStringList now = costParts(*data_.report), disturbed = costParts(widest);
        widest.disturbed = false;
        const QStringList quiet = costParts(widest);
        for (qsizetype i = 0; i < now.size(); ++i)
            parts.push_back({now[i], {disturbed.value(i), quiet.value(i)}, false});
        if (!losses) parts.push_back({dropped(0), {}, false});
    }
    if (losses) parts.push_back({dropped(data_.dropped_events), {}, true});
    for (const QString& text : {data_.note, data_.straggler})
        if (!text.isEmpty()) parts.push_back({text, {}, true});
    return parts;
}

QStringList StatusLine::parts() const {
    QStringList texts;
    for (const Part& part : allParts()) texts << part.text;
    return texts;
}

void StatusLine::followTheme() {
    const Theme& theme = currentTheme();
    setFixedHeight(theme.px(24));
    place();
}

// Where each part stands follows from the width alone, and from whether there is a note; what is new has at
// least a share of it.
void StatusLine::place() {
    const Theme& theme = currentTheme();
    int right = width() - theme.px(14);
    for (Button* button : {scale_, language_}) {
        button->resize(button->sizeHint());
        right -= button->width();
        button->move(right, (height() - button->height()) / 2);
        right -= theme.px(16);
    }
    more_->resize(more_->sizeHint());
    more_->move(partsRight() - more_->width(), (height() - more_->height()) / 2);
    const int gap = theme.px(25), end = more_->x() - theme.px(6);
    const double share = data_.note.isEmpty() ? kShareOfNews : kShareOfNote;
    const int for_news = static_cast<int>(share * (end - partsLeft()));
    int left = partsLeft();
    bool cut = stateIsCut();
    places_.clear();
    for (std::size_t i = 0; i < words_.parts.size(); ++i) {
        const Part& part = words_.parts[i];
        const int wanted = partWidth(part), room = end - left - gap - (part.is_new ? 0 : for_news);
        if (wanted > room && (!part.is_new || room < theme.px(60))) {
            cut = true;
            continue;
        }
        places_.push_back({i, left + gap, std::min(wanted, room)});
        cut = cut || wanted > room;
        left += gap + places_.back().width;
    }
    more_->setVisible(cut);
}

int StatusLine::stateTextWidth() const {
    return QFontMetrics(currentTheme().font(11.5, QFont::DemiBold)).horizontalAdvance(words_.state);
}

bool StatusLine::stateIsCut() const {
    return stateTextWidth() > stateWidth();
}

int StatusLine::stateWidth() const {
    const QFontMetrics metrics(currentTheme().font(11.5, QFont::DemiBold));
    const int now = stateTextWidth();
    if (data_.state == SessionState::Replaying)  // a file's name, which does not change
        return std::min(now, static_cast<int>(kMostOfState * width()));
    int widest = 0;
    for (const QString& state :
         {tr("Running · iteration %1 is next").arg(8888), tr("Running · iteration %1, %2 %").arg(8888).arg(888),
          tr("Pausing after %1").arg(8888), tr("Disconnected, retry in %1 s").arg(88)})
        widest = std::max(widest, metrics.horizontalAdvance(state));
    return std::max(widest, now);
}

int StatusLine::partWidth(const Part& part) const {
    const QFontMetrics metrics(currentTheme().font(11.5));
    int widest = metrics.horizontalAdvance(part.text);
    for (const QString& other : part.others) widest = std::max(widest, metrics.horizontalAdvance(other));
    return widest + 2;
}

int StatusLine::rangeWidth() const {
    const Theme& theme = currentTheme();
    const QFontMetrics metrics(theme.font(11.5));
    const int usual = metrics.horizontalAdvance(QStringLiteral("8888–8888 ms"));
    return std::max(usual, metrics.horizontalAdvance(words_.range)) + theme.px(16);
}

int StatusLine::partsRight() const {
    return language_->x() - currentTheme().px(8) - rangeWidth();
}

int StatusLine::partsLeft() const {
    return currentTheme().px(30) + stateWidth();
}

QStringList StatusLine::leftOut() const {
    QStringList texts;
    if (stateIsCut()) texts << words_.state;
    for (std::size_t i = 0; i < words_.parts.size(); ++i) {
        const auto place = std::ranges::find(places_, i, &Place::part);
        if (place == places_.end() || place->width < partWidth(words_.parts[i]))
            texts << words_.parts[i].text;
    }
    return texts;
}

void StatusLine::showLeftOut() {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const QString& part : leftOut()) menu->addAction(part);
    menu->popup(more_->mapToGlobal(QPoint(0, -menu->sizeHint().height())));
}

// What is not shown whole is under the pointer, too.
bool StatusLine::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* const help = static_cast<const QHelpEvent*>(event);
    const int x = help->pos().x();
    const auto under = std::ranges::find_if(
        places_, [x](const Place& each) { return x >= each.left && x < each.left + each.width; });
    QString words = x < partsLeft() && stateIsCut() ? words_.state : QString();
    if (under != places_.end() && under->width < partWidth(words_.parts[under->part]))
        words = words_.parts[under->part].text;
    showTip(help->globalPos(), words, this);
    return true;
}

void StatusLine::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) say(words());
    QWidget::changeEvent(event);
}

void StatusLine::paintEvent(QPaintEvent*) {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    painter.setFont(theme.font(11, QFont::DemiBold));
    painter.setPen(isAtWork(data_.state) ? theme.ok : theme.text_soft);
    painter.drawText(QRect(theme.px(14), 0, theme.px(18), height()), Qt::AlignVCenter, words_.glyph);
    painter.setFont(theme.font(11.5, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(QRect(theme.px(30), 0, stateWidth() + 2, height()), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(words_.state, Qt::ElideMiddle, stateWidth() + 2));

    painter.setFont(theme.font(11.5));
    for (const auto& [part, left, width] : places_) {
        painter.fillRect(left - theme.px(13), theme.px(6), 1, height() - theme.px(12), theme.rule);
        painter.setPen(theme.text_soft);
        painter.drawText(QRect(left, 0, width, height()), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(words_.parts[part].text, Qt::ElideRight, width));
    }
    painter.setPen(theme.text_faint);
    painter.drawText(QRect(partsRight(), 0, rangeWidth() - theme.px(8), height()),
                     Qt::AlignVCenter | Qt::AlignRight, words_.range);
}

}  // namespace bscope::ui
