#include "app/import/part_dialog.h"

#include <QHBoxLayout>
#include <QJsonArray>
#include <QVBoxLayout>

#include "app/engine/engine_words.h"
#include "widgets/controls/button.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"
#include "widgets/theme/theme_style.h"

namespace bscope::ui {
namespace {

QString words(const QJsonValue& sentence) {
    return said(sentenceFrom(sentence.toObject()));
}

PartLane laneOf(const QJsonObject& rank) {
    PartLane lane;
    lane.name = PartDialog::tr("rank %1").arg(rank.value(u"rank").toInt());
    for (const QJsonValue& each : rank.value(u"operations").toArray()) {
        const QJsonObject one = each.toObject();
        const auto op = parseOp(one.value(u"op").toString().toStdString());
        if (!op) continue;
        lane.boxes.push_back(
            {{one.value(u"stage").toInt(-1), *op, one.value(u"microbatch").toInt(-1)},
             one.value(u"start_ms").toDouble(), one.value(u"end_ms").toDouble()});
    }
    return lane;
}

QStringList cellsOf(const QJsonObject& rank) {
    const QJsonValue place = rank.value(u"place");
    return {QString::number(rank.value(u"rank").toInt()),
            place.isNull() ? QStringLiteral("–") : QString::number(place.toInt()),
            QString::number(rank.value(u"forwards").toInt()),
            QString::number(rank.value(u"backwards").toInt()),
            msNumber(rank.value(u"own_time_ms").toDouble()),
            msNumber(rank.value(u"busy_ms").toDouble()),
            shareText(rank.value(u"idle_of_own_time").toDouble())};
}

}  // namespace

PartDialog::PartDialog(const QString& name, const QJsonObject& part, bool count_from_zero, QWidget* parent)
    : QDialog(parent),
      title_(new Label(TextRole::Head, this)),
      what_(makeParagraph(TextRole::Body, this)),
      notes_(makeParagraph(TextRole::Soft, this)),
      table_(new FigureTable(this)),
      lanes_(new PartLanes(this)) {
    setWindowTitle(tr("A part of a pipeline: %1").arg(name));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(8);
    for (QWidget* each : std::initializer_list<QWidget*>{title_, what_, lanes_, table_, notes_})
        column->addWidget(each);
    column->addStretch(1);
    auto* close = new Button(ButtonLook::Plain, Glyph::None, this);
    close->setText(tr("Close"));
    connect(close, &QAbstractButton::clicked, this, &QDialog::close);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(close);
    column->addLayout(buttons);
    notes_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    fill(part, count_from_zero);
    resize(currentTheme().px(560), sizeHint().height());
}

void PartDialog::fill(const QJsonObject& part, bool count_from_zero) {
    title_->setText(words(part.value(u"ranks_words")));
    QStringList what{tr("Files of some ranks: %1.").arg(words(part.value(u"missing_words")))};
    const QString schedules = words(part.value(u"schedules_words"));
    const int p = part.value(u"p").toInt();
    what << (schedules.isEmpty() ? tr("The order of these ranks matches no known schedule.")
                                 : tr("At these places, of p = %1 ranks, these orders are those of %2.")
                                       .arg(QString::number(p), schedules));
    what << tr("Iteration %1, each rank from its own first operation on:").arg(part.value(u"iteration").toInt());
    what_->setText(sentencesText(what));
    std::vector<PartLane> lanes;
    std::vector<FigureRow> rows;
    for (const QJsonValue& each : part.value(u"of_ranks").toArray()) {
        const QJsonObject rank = each.toObject();
        lanes.push_back(laneOf(rank));
        rows.push_back({cellsOf(rank)});
    }
    lanes_->setLanes(std::move(lanes), count_from_zero);
    table_->setHeader({said(sentence("rank")), said(sentence("place")), said(sentence("forwards")),
                       said(sentence("backwards")), said(sentence("own time ms")), said(sentence("busy ms")),
                       tr("idle, median")});
    table_->setRows(std::move(rows));
    QStringList notes{
        tr("Bubble, theory, prediction and advice need the files of all ranks and are left out.")};
    for (const QJsonValue& each : part.value(u"notes_words").toArray()) notes << sentenceText(words(each));
    notes_->setText(sentencesText(notes));
}

}  // namespace bscope::ui
