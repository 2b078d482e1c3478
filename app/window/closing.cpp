#include "app/window/closing.h"

#include <QCheckBox>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

#include "app/settings/preferences.h"
#include "app/window/file_controller.h"
#include "app/window/notices.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

const QString kOpen = QStringLiteral("open-left-over"), kDiscard = QStringLiteral("discard-left-over");

}  // namespace

Closing::Closing(const Parts& parts, Shell& shell) : QObject(shell.widget()), parts_(parts), shell_(shell) {
#ifndef QT_NO_SESSIONMANAGER
    connect(qGuiApp, &QGuiApplication::commitDataRequest, this, [this] { endOfSession(); });
#endif
}

void Closing::keepRuns(const QString& folder) {
    folder_ = folder;
    parts_.session.keeper().keepIn(folder);
    offerLeftOver();
}

void Closing::addActions(WindowActions& actions) {
    asks_ = actions.addCheckable(MenuName::File,
                                 QT_TRANSLATE_NOOP("bscope::ui::WindowActions", "Ask &before a run is discarded"), {},
                                 [this](bool on) { setAsks(on); });
    asks_->setChecked(parts_.preferences.ask_before_discarding);
}

void Closing::setAsks(bool on) {
    parts_.preferences.ask_before_discarding = on;
    if (asks_ != nullptr) asks_->setChecked(on);
    parts_.preferences.save();
}

QString Closing::whatIsLost() const {
    const RunKeeper& keeper = parts_.session.keeper();
    QStringList parts;
    const int iterations = keeper.iterations(), notes = keeper.path().isEmpty() ? 0 : keeper.notes();
    const bool is_in_file = parts_.session.recorder().active();
    if (!is_in_file && (iterations >= kWorthAsking || notes > 0)) {
        parts << (iterations == 1 ? tr("1 iteration") : tr("%1 iterations").arg(iterations));
        if (notes > 0) parts << (notes == 1 ? tr("1 note") : tr("%1 notes").arg(notes));
    }
    return listText(parts);
}

bool Closing::mayClose() {
    if (answered_) return true;
    if (at_session_end_ || qGuiApp->isSavingSession()) return true;  // what was kept is offered the next time
    const QString what = whatIsLost();
    const bool has_notes = parts_.files.hasUnsavedNotes() ||
                           (!parts_.session.keeper().path().isEmpty() && parts_.session.keeper().notes() > 0);
    if ((what.isEmpty() && !parts_.files.hasUnsavedNotes()) ||
        (!parts_.preferences.ask_before_discarding && !has_notes)) {
        parts_.session.keeper().discard();
        return true;
    }
    if (!question_) ask(what);
    question_->raise();
    return false;
}

void Closing::ask(const QString& what) {
    question_ = new QMessageBox(shell_.widget());
    question_->setAttribute(Qt::WA_DeleteOnClose);
    question_->setIcon(QMessageBox::Question);
    question_->setWindowTitle(QStringLiteral("Bubblescope"));
    if (what.isEmpty())
        question_->setText(tr("Keep the notes on this imported run?"));
    else
        question_->setText(tr("Keep this run? (%1)").arg(what));
    QPushButton* keeps = question_->addButton(tr("Keep…"), QMessageBox::AcceptRole);
    QPushButton* discards = question_->addButton(tr("Discard"), QMessageBox::DestructiveRole);
    QPushButton* stays = question_->addButton(tr("Cancel"), QMessageBox::RejectRole);
    question_->setDefaultButton(keeps);
    question_->setEscapeButton(stays);
    if (!what.isEmpty())
        question_->setCheckBox(new QCheckBox(tr("Do not ask again: discard runs without notes"), question_));
    connect(question_, &QMessageBox::buttonClicked, this, [this, keeps, discards](QAbstractButton* pressed) {
        const QCheckBox* const never = question_->checkBox();
        if (pressed == discards && never != nullptr && never->isChecked()) setAsks(false);
        if (pressed == discards) parts_.session.keeper().discard();
        answered_ = pressed == discards || (pressed == keeps && keep());
        if (answered_) QMetaObject::invokeMethod(shell_.widget(), "close", Qt::QueuedConnection);
    });
    question_->open();
}

// Asks for a name; without one, or where it cannot be written, the window stays.
bool Closing::keep() {
    if (parts_.files.hasUnsavedNotes() && !parts_.files.askForCopy()) return false;
    if (whatIsLost().isEmpty()) {
        parts_.session.keeper().discard();
        return true;
    }
    const QString name = QStringLiteral("run-%1.bscope")
                             .arg(QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmm")));
    const QString path = QFileDialog::getSaveFileName(shell_.widget(), tr("Keep this run"),
                                                      QDir(parts_.preferences.folder).filePath(name),
                                                      tr("Recordings (*.bscope)"));
    if (path.isEmpty()) return false;
    if (const QString why = parts_.session.keeper().saveAs(path); !why.isEmpty()) {
        parts_.notices.say({tr("%1 could not be written: %2.").arg(QFileInfo(path).fileName(), why), {}, {}});
        return false;
    }
    parts_.preferences.remember(path);
    return true;
}

void Closing::offerLeftOver() {
    const QStringList left_over = RunKeeper::leftOver(folder_);
    if (left_over.isEmpty()) return;
    const QFileInfo newest(left_over.front());
    FailureNotice offer;
    offer.sentence =
        tr("Bubblescope ended without closing; its run is kept up to %1.")
            .arg(QLocale::c().toString(newest.lastModified(), QStringLiteral("yyyy-MM-dd hh:mm:ss")));
    offer.what_to_do = tr("Of such runs the newest three are kept, until they are opened or discarded.");
    offer.actions = {{kOpen, tr("Open it")}, {kDiscard, tr("Discard")}};
    parts_.notices.offer(offer, [this, left_over](const QString& id) {
        if (id == kOpen) return openLeftOver(left_over.front());
        const QFileInfo file(left_over.front());
        QFile::remove(left_over.front());
        QFile::remove(file.dir().filePath(file.completeBaseName() + QStringLiteral("-earlier.bscope")));
    });
}

// Under a name by which it is not offered again; the newest few of these stay.
void Closing::openLeftOver(const QString& path) {
    QDir folder(QFileInfo(path).dir());
    const QString kept = folder.filePath(QFileInfo(path).fileName().replace(0, 3, QStringLiteral("kept")));
    const QFileInfoList before =
        folder.entryInfoList({QStringLiteral("kept-*.bscope")}, QDir::Files, QDir::Time);
    for (qsizetype i = RunKeeper::kMostLeftOver - 1; i < before.size(); ++i)
        QFile::remove(before[i].absoluteFilePath());
    parts_.files.openFile(QFile::rename(path, kept) ? kept : path);
}

}  // namespace bscope::ui
