// Filling and copying of the list of kernels.
#include "widgets/dock/kernel_list.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/controls/line_table.h"
#include "widgets/text/format.h"
#include "widgets/text/notation.h"

namespace bscope::ui {
namespace {

constexpr int kRowsAtOnce = 8;
enum Column { Name, Duration, Share, kColumns };
constexpr int kWholeName = Qt::UserRole;  // of a cell in the column of names

QString microseconds(std::int64_t ns) {
    return numberText(static_cast<double>(ns) / 1e3, 1);
}

// As CUPTI names it.
QString wholeName(const KernelEvent& kernel) {
    switch (kernel.kind) {
        case KernelEvent::Kind::Copy:
            return KernelList::tr("copy of %1").arg(bytesText(static_cast<double>(kernel.bytes)));
        case KernelEvent::Kind::Fill:
            return KernelList::tr("fill of %1").arg(bytesText(static_cast<double>(kernel.bytes)));
        case KernelEvent::Kind::AllReduce:
            return KernelList::tr("all-reduce, %1 sent").arg(bytesText(static_cast<double>(kernel.bytes)));
        case KernelEvent::Kind::ReduceScatter:
            return KernelList::tr("reduce-scatter, %1 sent")
                .arg(bytesText(static_cast<double>(kernel.bytes)));
        case KernelEvent::Kind::AllGather:
            return KernelList::tr("all-gather, %1 sent").arg(bytesText(static_cast<double>(kernel.bytes)));
        case KernelEvent::Kind::Kernel:
            break;
    }
    return QString::fromStdString(kernel.name);
}

// What a box exchanged with the other shards of its stage.
QStringList collectivesText(const Event& box, std::span<const KernelEvent> collectives) {
    std::int64_t wait_ns = 0, all_ns = 0, bytes = 0;
    for (const KernelEvent& one : collectives) {
        wait_ns += one.wait_ns;
        all_ns += one.end_ns - one.start_ns;
        bytes += one.bytes;
    }
    const double share =
        box.duration_ns() > 0 ? static_cast<double>(all_ns) / static_cast<double>(box.duration_ns()) : 0;
    return {KernelList::tr("%1 collectives over the shards: %2 µs waiting for other shards, %3 µs adding and "
                           "transferring (%4 of the box together), %5 sent.")
                .arg(collectives.size())
                .arg(microseconds(wait_ns), microseconds(all_ns - wait_ns), shareText(share),
                     bytesText(static_cast<double>(bytes)))};
}

// Why a box that a GPU computed has no kernels here; empty when there is nothing to say.
QString absence(const IterationView& view, int rank) {
    if (!view.report || !view.report->timing.ofGpus()) return {};
    if (view.kernels_forgotten)
        return KernelList::tr("No longer kept: only the latest iterations keep their kernels.");
    if (view.report->timing.source == TimingSource::KernelsLater)
        return KernelList::tr(
            "Not here yet: while a stream runs, CUPTI delivers kernels a little after their boxes end.");
    if (!view.report->knowsLaunchGaps())
        return KernelList::tr(
            "Unknown: the times of this run come from CUDA events, which do not record kernels.");
    return view.kernels && view.kernels->isWhole(rank)
               ? KernelList::tr("This box ran no kernel.")
               : KernelList::tr("They did not arrive: this window or the disk was too slow for them.");
}

QTableWidgetItem* figureItem(const QString& text) {
    auto* item = new QTableWidgetItem(text);
    item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

}  // namespace

KernelList::KernelList(QWidget* parent)
    : QWidget(parent),
      head_(new Label(TextRole::Head, this)),
      copy_(new Button(ButtonLook::Link, Glyph::None, this)),
      note_(makeParagraph(TextRole::Soft, this)),
      table_(new QTableWidget(0, kColumns, this)),
      column_(new QVBoxLayout(this)) {
    auto* head_row = new QHBoxLayout;
    head_row->addWidget(head_, 1);
    head_row->addWidget(copy_);
    column_->addLayout(head_row);
    column_->addWidget(note_);
    column_->addWidget(table_);
    head_->setElided(true);
    makeLineTable(*table_, Name);
    table_->setTextElideMode(Qt::ElideMiddle);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->installEventFilter(this);
    connect(copy_, &QAbstractButton::clicked, this, &KernelList::copy);
    hide();
}

void KernelList::setBox(const IterationView& view, const Event* box, const QString& title) {
    const auto kernels = box && view.kernels ? view.kernels->of(*box) : std::span<const KernelEvent>();
    const QString absent = box && kernels.empty() ? absence(view, box->rank) : QString();
    setVisible(!kernels.empty() || !absent.isEmpty());
    table_->setVisible(!kernels.empty());
    copy_->setVisible(!kernels.empty());
    if (isHidden()) return;
    const bool are_collectives = !kernels.empty() && kernels.front().isCollective();
    head_->setText((are_collectives ? tr("Collectives of %1") : tr("Kernels of %1")).arg(title));
    copy_->setText(tr("Copy"));
    copy_->setToolTip(tr("Copy the selected lines, or all"));
    copy_->updateGeometry();
    note_->setText(absent);
    note_->setToolTip({});
    if (kernels.empty()) return table_->setRowCount(0);
    fill(*box, kernels);
    if (are_collectives) return note_->setText(sentencesText(collectivesText(*box, kernels)));
    const std::int64_t gap_ns = launchGap_ns(*box, kernels);
    const double share =
        box->duration_ns() > 0 ? static_cast<double>(gap_ns) / static_cast<double>(box->duration_ns()) : 0;
    QStringList notes{tr("%1 launched; none ran for %2 µs (%3).")
                          .arg(kernels.size())
                          .arg(microseconds(gap_ns), shareText(share))};
    if (!view.kernels->isWhole(box->rank))
        notes << tr("Some did not arrive: this window or the disk was too slow for them.");
    if (view.report && view.report->timing.source == TimingSource::KernelsLater)
        notes << tr("More may come: while a stream runs, CUPTI delivers them late.");
    notes << tr("%1 by CUPTI.").arg(provenanceName(Provenance::Measured));
    note_->setText(sentencesText(notes));
    note_->setToolTip(
        view.ran->provenance() == Provenance::Reconstructed
            ? tr("Durations are measured; the position of the box in the iteration is reconstructed.")
            : tr("Launch gap: time inside the box in which none of its kernels ran."));
}

void KernelList::fill(const Event& box, std::span<const KernelEvent> kernels) {
    table_->clearSelection();
    const bool are_collectives = kernels.front().isCollective();
    table_->setHorizontalHeaderLabels(
        {are_collectives ? tr("Collective") : tr("Kernel"), QStringLiteral("µs"), tr("share")});
    table_->horizontalHeaderItem(Name)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (const Column column : {Duration, Share})
        table_->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table_->horizontalHeaderItem(Share)->setToolTip(tr("Share of the box's time"));
    const FilledLines filled(*table_);
    table_->setRowCount(static_cast<int>(kernels.size()));
    const double whole = std::max<double>(1, static_cast<double>(box.duration_ns()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const KernelEvent& kernel = kernels[static_cast<std::size_t>(row)];
        const std::int64_t duration_ns = kernel.end_ns - kernel.start_ns;
        const QString whole_name = wholeName(kernel);
        auto* name = new QTableWidgetItem(kernel.kind == KernelEvent::Kind::Kernel ? functionName(whole_name)
                                                                                   : whole_name);
        name->setData(kWholeName, whole_name);
        name->setToolTip(whole_name.toHtmlEscaped());
        table_->setItem(row, Name, name);
        table_->setItem(row, Duration, figureItem(microseconds(duration_ns)));
        table_->setItem(row, Share, figureItem(shareText(static_cast<double>(duration_ns) / whole)));
    }
    table_->scrollToTop();
    table_->setAccessibleName(head_->text());
    fitHeight();
}

void KernelList::fitHeight() {
    const int rows = std::clamp(table_->rowCount(), 1, kRowsAtOnce);
    table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                           rows * table_->verticalHeader()->defaultSectionSize() + 2 * table_->frameWidth());
}

void KernelList::copy() const {
    QStringList lines{QStringLiteral("kernel\tus\tshare")};
    const auto selected = table_->selectionModel()->selectedRows();
    for (int row = 0; row < table_->rowCount(); ++row) {
        if (!selected.isEmpty() && !table_->selectionModel()->isRowSelected(row)) continue;
        QStringList cells{table_->item(row, Name)->data(kWholeName).toString()};
        for (const Column column : {Duration, Share}) cells << table_->item(row, column)->text();
        lines << cells.join('\t');
    }
    QGuiApplication::clipboard()->setText(lines.join('\n'));
}

bool KernelList::eventFilter(QObject* watched, QEvent* event) {
    const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (key && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        // Within the list the key belongs to it, not to the window's shortcut.
        if (event->type() == QEvent::KeyPress) copy();
        event->accept();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void KernelList::followTheme() {
    const Theme& theme = currentTheme();
    column_->setContentsMargins(0, theme.px(8), 0, 0);
    column_->setSpacing(theme.px(5));
    table_->setFont(theme.font(11));
    table_->horizontalHeader()->setFont(theme.font(11));
    table_->verticalHeader()->setMinimumSectionSize(theme.px(18));
    table_->verticalHeader()->setDefaultSectionSize(theme.px(18));
    fitHeight();
}

}  // namespace bscope::ui
