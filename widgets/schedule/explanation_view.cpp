// Parts of the explanation below one another.
#include "widgets/schedule/explanation_view.h"

#include <QEvent>
#include <QRegularExpression>
#include <QVBoxLayout>

#include "catalog/catalog.h"
#include "catalog/presets.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

// A line for what is defined, one for the numbers, one for each further remark.
QString inLines(const std::string& text) {
    QString lines = QString::fromStdString(text);
    for (const QChar colon : {u':', u'：'})
        if (const qsizetype at = lines.indexOf(colon); at >= 0) lines.insert(at + 1, u'\n');
    int depth = 0;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (lines[i] == u'(' || lines[i] == u'（') ++depth;
        if (lines[i] == u')' || lines[i] == u'）') --depth;
        if (depth == 0 && (lines[i] == u';' || lines[i] == u'；')) lines[i] = u'\n';
    }
    QStringList trimmed;
    for (const QString& line : lines.split(u'\n')) trimmed << line.trimmed();
    return trimmed.join(u'\n');
}

// Formulas as they are set in print, words at the beginning of a line with a capital. Hyphens stay.
QString typeset(QString text) {
    static const QRegularExpression minus(
        QStringLiteral("(?<=\\b[a-z0-9]|\\d|[)\\]])( ?)-( ?)(?=[a-z0-9]\\b|\\d|[(\\[])"));
    text.replace(minus, QStringLiteral("\\1−\\2"));
    text.replace(QStringLiteral(" * "), QStringLiteral(" × ")).replace(u'*', u'·');
    QStringList lines = text.split(u'\n');
    static const QRegularExpression word(QStringLiteral("^[a-z]{3}"));
    for (QString& line : lines)
        if (word.match(line).hasMatch()) line.front() = line.front().toUpper();
    return lines.join(u'\n');
}

}  // namespace

QStringList frameworkNames(const std::string& schedule) {
    QStringList names;
    for (const Preset& preset : presets())
        if (schedule == preset.schedule) names << QString::fromUtf8(preset.name);
    return names;
}

ExplanationView::ExplanationView(QWidget* parent)
    : QWidget(parent),
      picture_(new PlacementPicture(this)),
      ranks_head_(new Label(TextRole::Head, this)),
      ranks_(new RankPicture(this)),
      rank_sentence_(makeParagraph(TextRole::Soft, this)),
      groups_(makeParagraph(TextRole::Faint, this)),
      column_(new QVBoxLayout(this)) {
    for (int part = 0; part < kParts; ++part) {
        heads_.push_back(new Label(TextRole::Head, this));
        texts_.push_back(makeParagraph(TextRole::Body, this));
        texts_.back()->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        if (part != Summary) column_->addWidget(heads_.back());
        column_->addWidget(part == Placement ? static_cast<QWidget*>(picture_) : texts_.back());
        if (part != Placement) continue;
        for (QWidget* widget : std::initializer_list<QWidget*>{ranks_head_, ranks_, rank_sentence_, groups_})
            column_->addWidget(widget);
    }
    groups_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    connect(ranks_, &RankPicture::shownChanged, this, &ExplanationView::refreshRankSentence);
    heads_[Summary]->hide();
    texts_[Placement]->hide();  // drawn
    column_->addStretch(1);
}

void ExplanationView::setSchedule(const std::string& name, const ScheduleParams& params) {
    if (name == name_ && params == params_) return;
    name_ = name;
    params_ = params;
    refresh();
}

void ExplanationView::setTraffic(std::vector<RankTraffic> traffic) {
    if (traffic == traffic_) return;
    traffic_ = std::move(traffic);
    refreshRankSentence();
}

void ExplanationView::setLanguage(bscope::Language language) {
    if (language == language_) return;
    language_ = language;
    refresh();
}

QString ExplanationView::plainText() const {
    return QString::fromStdString(toText(explanation_, language_));
}

void ExplanationView::refresh() {
    const QStringList heads{QString(),    tr("Order"),         tr("Placement"),       tr("Bubble"),
                            tr("Memory"), tr("Communication"), tr("Weight versions"), tr("Known as"),
                            tr("Source")};
    for (int part = 0; part < kParts; ++part) heads_[static_cast<std::size_t>(part)]->setText(heads[part]);
    // A file may be gone since.
    if (name_.empty() || !canBeMade(name_, params_)) return;
    ScheduleParams of_replica = params_;  // as explain() does
    of_replica.d = 1;
    const Schedule schedule = makeSchedule(name_, of_replica);
    explanation_ = explain(name_, params_, language_);
    const CatalogEntry* entry = findSchedule(name_);
    const QStringList known = entry != nullptr ? frameworkNames(entry->name) : QStringList();
    const auto set = [this](Part part, const QString& text) {
        texts_[part]->setText(part == KnownAs || part == Source ? text : typeset(text));
        heads_[part]->setVisible(!text.isEmpty() && part != Summary);
        texts_[part]->setVisible(!text.isEmpty() && part != Placement);
    };
    set(Summary, QString::fromStdString(explanation_.summary));
    set(Order, QString::fromStdString(explanation_.rule));
    set(Placement, QString::fromStdString(explanation_.placement));
    set(Bubble, inLines(explanation_.bubble));
    set(Memory, inLines(explanation_.memory));
    set(Communication, QString::fromStdString(explanation_.communication));
    set(Weights, QString::fromStdString(explanation_.weights));
    set(KnownAs,
        known.join(language_ == bscope::Language::Chinese ? QStringLiteral("、") : QStringLiteral(", ")));
    set(Source, entry != nullptr ? QString::fromStdString(explanation_.source) : QString());
    picture_->setSchedule(schedule, QString::fromStdString(explanation_.placement));
    refreshRanks();
}

void ExplanationView::refreshRanks() {
    const bool replicas = params_.d > 1 || params_.t > 1;
    for (QWidget* widget : std::initializer_list<QWidget*>{ranks_head_, ranks_, rank_sentence_, groups_})
        widget->setVisible(replicas);
    if (!replicas) return;
    ranks_head_->setText(params_.t == 1
                             ? tr("Ranks of %1 replicas").arg(params_.d)
                             : tr("Ranks of %1 replicas, each of %2 shards").arg(params_.d).arg(params_.t));
    const RankLayout layout = params_.layout();
    const RankLayout& before = ranks_->layoutOfRanks();
    if (before.p != layout.p || before.d != layout.d || before.t != layout.t)
        ranks_->setLayoutOfRanks(layout);
    refreshRankSentence();
    const auto listed = [](const std::vector<std::vector<int>>& groups) {
        QStringList all;
        for (const std::vector<int>& group : groups) {
            QStringList ranks;
            for (const int rank : group) ranks << QString::number(rank);
            all << '[' + ranks.join(QStringLiteral(", ")) + ']';
        }
        return all.join(' ');
    };
    groups_->setText(tr("Pipeline-parallel groups (%1): %2")
                         .arg(layout.d * layout.t)
                         .arg(listed(layout.pipelineGroups())) +
                     '\n' +
                     tr("Data-parallel groups (%1): %2")
                         .arg(layout.p * layout.t)
                         .arg(listed(layout.dataParallelGroups())) +
                     (layout.t == 1 ? QString()
                                    : '\n' + tr("Tensor-parallel groups (%1): %2")
                                                 .arg(layout.groups())
                                                 .arg(listed(layout.tensorParallelGroups()))));
}

void ExplanationView::refreshRankSentence() {
    rank_sentence_->setText(ranks_->sentence() + trafficText());
}

QString ExplanationView::trafficText() const {
    const auto rank = static_cast<std::size_t>(ranks_->shown());
    if (ranks_->shown() < 0 || rank >= traffic_.size()) return {};
    QStringList parts;
    const auto add = [&parts](std::int64_t bytes, const QString& text) {
        if (bytes > 0) parts << text.arg(bytesText(static_cast<double>(bytes)));
    };
    add(traffic_[rank].pipeline, tr("%1 of activations and their gradients"));
    add(traffic_[rank].shards, tr("%1 from the other shards"));
    add(traffic_[rank].gradients, tr("%1 of gradients to add"));
    add(traffic_[rank].weights, tr("%1 of stepped weights"));
    return ' ' + tr("By formula it receives in an iteration: %1.").arg(listText(parts));
}

void ExplanationView::followTheme() {
    const Theme& theme = currentTheme();
    column_->setContentsMargins(theme.px(16), theme.px(2), theme.px(16), theme.px(14));
    column_->setSpacing(theme.px(4));
    for (std::size_t part = Order; part < kParts; ++part)
        heads_[part]->setContentsMargins(0, theme.px(9), 0, 0);
    ranks_head_->setContentsMargins(0, theme.px(9), 0, 0);
}

void ExplanationView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QWidget::changeEvent(event);
}

}  // namespace bscope::ui
