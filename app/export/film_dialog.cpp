#include "app/export/film_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QStyle>
#include <array>

#include "view/changing_view.h"
#include "widgets/figure/figure.h"

namespace bscope::ui {
namespace {

constexpr std::array kSizes{QSize(1280, 720), QSize(1920, 1080), QSize(960, 540)};

}  // namespace

FilmDialog::FilmDialog(std::vector<IterationView> views, FigureOptions common, const QString& folder,
                       QWidget* parent)
    : QDialog(parent), views_(std::move(views)), common_(std::move(common)), folder_(folder) {
    const Theme& theme = currentTheme();
    const FilmOptions usual;
    setWindowTitle(tr("Export a film"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(theme.px(20), theme.px(18), theme.px(20), theme.px(18));
    form->setVerticalSpacing(theme.px(10));
    form->setHorizontalSpacing(theme.px(14));
    Label* about = makeParagraph(TextRole::Soft, this);
    about->setText(tr("The iteration grows, box by box, over its plan, and then stands still for a moment."));
    about->setMinimumWidth(theme.px(380));
    kind_ = new ChoiceField(this);
    kind_->addItem(tr("Growth"));
    if (views_.size() == 2 && changeRefusal(views_[0], views_[1]).empty())
        kind_->addItem(tr("Change from one to the other"));
    seconds_ = new NumberField(FilmOptions::kLeast_s, FilmOptions::kMost_s, 0, this);
    seconds_->setDigits(3);
    seconds_->setNumber(usual.seconds);
    fps_ = new NumberField(FilmOptions::kLeastRate, FilmOptions::kMostRate, 0, this);
    fps_->setNumber(usual.fps);
    size_ = new ChoiceField(this);
    for (const QSize& size : kSizes)
        size_->addItem(QStringLiteral("%1 × %2").arg(size.width()).arg(size.height()));
    dark_ = new QCheckBox(tr("Dark"), this);
    dark_->setChecked(common_.theme == ThemeKind::Dark);
    progress_ = new QProgressBar(this);
    progress_->setRange(0, 100);
    QSizePolicy keeps_its_place = progress_->sizePolicy();
    keeps_its_place.setRetainSizeWhenHidden(true);
    progress_->setSizePolicy(keeps_its_place);
    why_ = makeParagraph(TextRole::Soft, this);
    if (ffmpegProgram().isEmpty())
        why_->setText(tr("MP4 and WebP are written by the program ffmpeg, which is not installed."));
    why_->setVisible(!why_->text().isEmpty());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    save_ = buttons->addButton(tr("Save as…"), QDialogButtonBox::ActionRole);
    save_->setProperty("primary", true);
    save_->style()->polish(save_);
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    form->addRow(about);
    form->addRow(tr("What happens"), kind_);
    form->addRow(tr("Seconds"), seconds_);
    form->addRow(tr("Frames per second"), fps_);
    form->addRow(tr("Size"), size_);
    form->addRow(dark_);
    form->addRow(progress_);
    form->addRow(why_);
    form->addRow(buttons);
    form->setRowVisible(kind_, kind_->count() > 1);
    setWriting(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(save_, &QPushButton::clicked, this, &FilmDialog::ask);
    connect(this, &QDialog::finished, &job_, &FilmJob::cancel);
    connect(&job_, &FilmJob::progress, progress_, &QProgressBar::setValue);
    connect(&job_, &FilmJob::written, this, [this](const QString& path) {
        emit written(path);
        accept();
    });
    connect(&job_, &FilmJob::failed, this, [this](const QString& why) {
        setWriting(false);
        why_->setText(why);
        why_->show();
        adjustSize();
    });
    save_->setFocus();
}

FilmOptions FilmDialog::options() const {
    FilmOptions options{common_, seconds_->value(), fps_->number(),
                        static_cast<FilmKind>(kind_->currentIndex())};
    options.figure.size_px = kSizes[static_cast<std::size_t>(size_->currentIndex())];
    options.figure.theme = dark_->isChecked() ? ThemeKind::Dark : ThemeKind::Light;
    return options;
}

void FilmDialog::writeTo(const QString& path) {
    setWriting(true);
    why_->hide();
    job_.start(views_, options(), path);
}

void FilmDialog::ask() {
    QStringList kinds{tr("GIF (*.gif)")};
    if (!ffmpegProgram().isEmpty()) kinds << tr("MP4 (*.mp4)") << tr("WebP (*.webp)");
    const QString name = QFileInfo(figureFileName(views_.front(), FigureFormat::Png)).completeBaseName();
    QString path = QFileDialog::getSaveFileName(
        this, tr("Export a film"), QDir(folder_).filePath(name + ".gif"), kinds.join(QStringLiteral(";;")));
    if (path.isEmpty()) return;
    if (!filmFormat(path)) path += QStringLiteral(".gif");
    writeTo(path);
}

void FilmDialog::setWriting(bool on) {
    for (QWidget* field : QWidgetList{kind_, seconds_, fps_, size_, dark_, save_}) field->setEnabled(!on);
    progress_->setValue(0);
    progress_->setVisible(on);
}

}  // namespace bscope::ui
