#include "widgets/puzzle/puzzle_dialog.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QShortcut>
#include <QVBoxLayout>
#include <algorithm>

#include "catalog/catalog.h"
#include "puzzle/starting_point.h"
#include "schedule/index.h"
#include "schedule/stage_places.h"
#include "widgets/controls/tab_order.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {

PuzzleDialog::PuzzleDialog(QWidget* parent)
    : QDialog(parent), grid_(puzzleLevels().front()), stars_(puzzleLevels().size(), 0) {
    setWindowFlag(Qt::WindowMaximizeButtonHint);
    levels_ = new QListWidget(this);
    levels_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    levels_->setWordWrap(true);
    auto* all = new QHBoxLayout(this);
    designLayout(*all, {16, 16, 20, 16}, 18);
    all->addWidget(levels_);
    auto* column = new QVBoxLayout;
    designLayout(*column, {0, 0, 0, 0}, 8);
    all->addLayout(column, 1);
    buildHead(*column);
    buildFoot(*column);
    buildKeys();
    connect(levels_, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0) openLevel(row);
    });
    connect(board_, &PuzzleBoard::caretMoved, this, &PuzzleDialog::syncTray);
    connect(board_, &PuzzleBoard::dropped, this, &PuzzleDialog::drop);
    connect(board_, &PuzzleBoard::moveRequested, this, [this](int direction) {
        const GridPlace caret = board_->caret();
        const int to = caret.index + direction;
        const int size = static_cast<int>(grid_.order(caret.row).size());
        if (caret.index >= size || to < 0 || to >= size) return;
        const auto refusal = grid_.move(caret.row, caret.index, to);
        took(refusal);
        if (!refusal) board_->setCaret({caret.row, to});
    });
    connect(board_, &PuzzleBoard::removeRequested, this, [this](int position) {
        const int rank = board_->caret().row;
        if (position < 0 || position >= static_cast<int>(grid_.order(rank).size())) return;
        const auto refusal = grid_.remove(rank, position);
        took(refusal);
        if (!refusal) board_->setCaret({rank, position});
    });
    connect(tray_, &PuzzleTray::placeRequested, this, &PuzzleDialog::place);
    connect(tray_, &PuzzleTray::removeDropped, this, [this](const Action& action) {
        if (const auto found = placeOf(grid_.schedule(), action))
            took(grid_.remove(found->rank, found->position));
    });
    chainTabs(
        {board_, tray_, undo_, redo_, hint_, bound_, start_, open_, save_, train_, comparison_, levels_});
    openLevel(0);
    board_->setFocus();
}

void PuzzleDialog::buildHead(QVBoxLayout& column) {
    title_ = new Label(TextRole::Title, this);
    goal_ = makeParagraph(TextRole::Body, this);
    par_ = makeParagraph(TextRole::Soft, this);
    board_ = new PuzzleBoard(state_, this);
    board_->setFilling(true);
    tray_ = new PuzzleTray(this);
    figures_ = makeParagraph(TextRole::Strong, this);
    verdict_ = makeParagraph(TextRole::Body, this);
    message_ = makeParagraph(TextRole::Accent, this);
    for (QWidget* part : QWidgetList{title_, goal_, par_, board_, figures_, verdict_, message_, tray_})
        column.addWidget(part, part == board_ ? 2 : 0);
}

void PuzzleDialog::buildFoot(QVBoxLayout& column) {
    auto* row = new QHBoxLayout;
    designLayout(*row, {0, 4, 0, 0}, 8);
    const auto add = [&](ButtonLook look) {
        auto* made = new Button(look, Glyph::None, this);
        row->addWidget(made);
        return made;
    };
    undo_ = add(ButtonLook::Plain);
    redo_ = add(ButtonLook::Plain);
    hint_ = add(ButtonLook::Plain);
    bound_ = add(ButtonLook::Plain);
    row->addStretch(1);
    start_ = add(ButtonLook::Plain);
    open_ = add(ButtonLook::Plain);
    save_ = add(ButtonLook::Plain);
    train_ = new Button(ButtonLook::Primary, Glyph::Run, this);
    row->addWidget(train_);
    column.addLayout(row);
    trained_ = makeParagraph(TextRole::Soft, this);
    comparison_ = new GanttView(comparison_state_, this);
    column.addWidget(trained_);
    column.addWidget(comparison_, 1);
    column.addStretch(0);
    comparison_->hide();
    starts_ = new QMenu(this);
    connect(undo_, &QAbstractButton::clicked, this, [this] {
        grid_.undo();
        refresh();
    });
    connect(redo_, &QAbstractButton::clicked, this, [this] {
        grid_.redo();
        refresh();
    });
    connect(hint_, &QAbstractButton::clicked, this, &PuzzleDialog::hint);
    connect(bound_, &QAbstractButton::clicked, this, [this] { say(said(boundSentence(level()))); });
    connect(start_, &QAbstractButton::clicked, this,
            [this] { starts_->popup(start_->mapToGlobal(QPoint(0, -starts_->sizeHint().height()))); });
    connect(open_, &QAbstractButton::clicked, this, &PuzzleDialog::openClicked);
    connect(save_, &QAbstractButton::clicked, this, &PuzzleDialog::saveClicked);
    connect(train_, &QAbstractButton::clicked, this, &PuzzleDialog::train);
}

void PuzzleDialog::buildKeys() {
    const auto onKey = [this](const QKeySequence& key, Button* button) {
        connect(new QShortcut(key, this), &QShortcut::activated, button, [button] {
            if (button->isEnabled()) button->click();
        });
    };
    onKey(QKeySequence::Undo, undo_);
    onKey(Qt::CTRL | Qt::SHIFT | Qt::Key_Z, redo_);
    onKey(Qt::Key_H, hint_);
    onKey(Qt::Key_G, bound_);
    onKey(Qt::Key_S, start_);
    onKey(QKeySequence::Open, open_);
    onKey(QKeySequence::Save, save_);
    onKey(Qt::Key_T, train_);
    const auto placing = [this](Qt::Key key, Op op) {
        connect(new QShortcut(key, this), &QShortcut::activated, this, [this, op] { placeNext(op); });
    };
    placing(Qt::Key_F, Op::Forward);
    placing(Qt::Key_B, Op::Backward);
    placing(Qt::Key_I, Op::BackwardInput);
    placing(Qt::Key_W, Op::BackwardWeight);
    const auto step = [this](Qt::Key key, int direction) {
        connect(new QShortcut(key, this), &QShortcut::activated, this, [this, direction] {
            levels_->setCurrentRow(std::clamp(levels_->currentRow() + direction, 0, levels_->count() - 1));
        });
    };
    step(Qt::Key_PageDown, 1);
    step(Qt::Key_PageUp, -1);
    connect(new QShortcut(Qt::Key_F1, this), &QShortcut::activated, this, [this] {
        emit explain(goal_->text() + u'\n' + par_->text() + u'\n' + figures_->text() + u'\n' +
                     message_->text());
    });
}

void PuzzleDialog::openLevel(int index) {
    const PuzzleLevel& wanted = puzzleLevels()[at(index)];
    if (&wanted != &level()) {
        others_.insert_or_assign(level().id, grid_);
        const auto kept = others_.find(wanted.id);
        grid_ = kept == others_.end() ? PuzzleGrid(wanted) : kept->second;
        board_->setCaret({0, 0});
    }
    retranslate();
}

void PuzzleDialog::setStars(const std::vector<int>& stars) {
    stars_ = stars;
    syncLevels();
}

void PuzzleDialog::setCountFromZero(bool on) {
    state_.setCountFromZero(on);
    comparison_state_.setCountFromZero(on);
    refresh();
}

QString PuzzleDialog::nameOf(const Action& action) const {
    Action shown = action;
    shown.microbatch += state_.countFromZero() ? 0 : 1;
    return QString::fromStdString(toText(shown));
}

QString PuzzleDialog::wordsOf(const Sentence& sentence) const {
    Sentence shown = sentence;
    for (Argument& argument : shown.arguments)
        if (const auto action = parseAction(argument.text)) argument.text = nameOf(*action).toStdString();
    return said(shown);
}

void PuzzleDialog::startFrom(const std::string& schedule) {
    const Sentence why = openCatalog(grid_, schedule);
    refresh();
    if (!why.empty()) say(said(why));
}

void PuzzleDialog::openSchedule(const ScheduleFile& file) {
    const Sentence why = openFile(grid_, file);
    refresh();
    if (!why.empty()) say(said(why));
}

void PuzzleDialog::say(const QString& text) {
    message_->setText(text);
    message_->show();
}

void PuzzleDialog::setComparison(const std::vector<IterationView>& views, const QString& remark) {
    trained_->setText(remark.isEmpty() ? keysText() : remark);
    comparison_->setVisible(!views.empty());
    if (!views.empty()) {
        comparison_->setStacked(views);
        comparison_->fit();
    }
    arrange();
    syncTray();
}

void PuzzleDialog::took(const std::optional<PuzzleRefusal>& refusal) {
    if (!refusal) return refresh();
    board_->setRefusal(refusal);
    say(wordsOf(refusal->why));
}

// The first of its kind that is possible at the caret; when none is, why the first is not.
void PuzzleDialog::placeNext(Op op) {
    std::optional<Action> first;
    for (const TrayChip& chip : tray_->chips()) {
        if (chip.action.op != op) continue;
        if (!first) first = chip.action;
        if (chip.possible) return place(chip.action);
    }
    if (first) return place(*first);
    const bool half = op == Op::BackwardInput || op == Op::BackwardWeight;
    say(half && !level().split ? tr("This level has whole backwards only.")
                               : tr("None of these is left on this rank."));
}

void PuzzleDialog::place(const Action& action) {
    const GridPlace caret = board_->caret();
    const auto refusal = grid_.place(action, caret.index);
    took(refusal);
    if (!refusal) board_->setCaret({caret.row, caret.index + 1});
}

void PuzzleDialog::drop(const Action& action, int position) {
    const int rank = grid_.schedule().placement[at(action.stage)];
    if (rank != board_->caret().row)
        return say(tr("%1 belongs to rank %2, which holds its stage.").arg(nameOf(action)).arg(rank));
    const auto from = placeOf(grid_.schedule(), action);
    const int to = from && from->position < position ? position - 1 : position;
    const auto refusal = from ? grid_.move(rank, from->position, to) : grid_.place(action, position);
    took(refusal);
    if (!refusal) board_->setCaret({rank, to + 1});
}

void PuzzleDialog::hint() {
    const std::vector<Action> next = possibleNext(grid_);
    if (!next.empty()) {
        const int rank = grid_.schedule().placement[at(next.front().stage)];
        board_->setCaret({rank, static_cast<int>(grid_.order(rank).size())});
        return say(tr("Possible next: %1 at the end of rank %2.")
                       .arg(nameOf(next.front()))
                       .arg(rank));
    }
    say(standing_.isComplete()
            ? tr("Everything is placed. To shorten it, move operations of the critical path.")
            : tr("Within the memory cap of this level, nothing can be placed at the end of any rank. Move a "
                 "backward to an earlier place, or undo."));
}

void PuzzleDialog::train() {
    if (!standing_.isComplete()) return say(tr("It can train once everything is placed."));
    emit trainClicked();
}

void PuzzleDialog::refresh() {
    standing_ = standingOf(grid_);
    board_->setGrid(grid_, standing_);
    message_->setText(QString());
    const PuzzlePar& par = parOf(level());
    QStringList held;
    for (const int each : standing_.in_flight) held << QString::number(each);
    const QString cap = level().cap > 0 ? tr(" (%1 allowed)").arg(level().cap) : QString();
    figures_->setText(
        tr("Steps %1 (par %2)  ·  idle %3, bubble %4  ·  most in flight on each rank: %5%6")
            .arg(standing_.steps)
            .arg(par.steps)
            .arg(standing_.idle)
            .arg(standing_.steps > 0 ? shareText(standing_.bubble_of_total) : QStringLiteral("–"),
                 held.join(QStringLiteral(", ")), cap));
    verdict_->setText(starText(standing_.stars) + QStringLiteral("  ") +
                      said(starSentence(level(), standing_)));
    undo_->setEnabled(grid_.canUndo());
    redo_->setEnabled(grid_.canRedo());
    train_->setEnabled(standing_.isComplete());
    syncTray();
    emit standingChanged();
}

void PuzzleDialog::syncTray() {
    const GridPlace caret = board_->caret();
    std::vector<TrayChip> chips;
    const PuzzleGrid::Orders left = grid_.left();
    const StagePlaces places(grid_.schedule());
    for (const Action& action : left[at(caret.row)]) {
        QString text =
            QString::fromStdString(std::string(opText(action.op))) +
            QString::number(action.microbatch + (state_.countFromZero() ? 0 : 1));
        if (places.lettered()) text += QChar(u'a' + places.of(action.stage).chunk);
        chips.push_back({action, !grid_.wouldRefuse(action, caret.index), text});
    }
    tray_->setChips(std::move(chips), level().p, level().split ? 4 : 2);
    // The pictures of what was trained need the room.
    const bool tight = !comparison_->isHidden();
    tray_->setVisible(!tight || !standing_.isComplete());
    message_->setVisible(!tight || !message_->text().isEmpty());
}

QString PuzzleDialog::keysText() const {
    return tr(
        "In the grid: arrow keys move the caret; F, B, I, W place the next operation of that kind there; "
        "Delete removes one; Ctrl with an arrow key moves one; Page keys change the level. Below the grid "
        "are the operations left for the caret's rank: click one, press Enter, or drag it to the grid; drag "
        "it back to remove it. Underlined: the critical path.");
}

QString PuzzleDialog::starText(int stars) const {
    return QString(stars, u'★') + QString(3 - stars, u'☆');
}

void PuzzleDialog::syncLevels() {
    const QSignalBlocker quiet(levels_);
    levels_->clear();
    int index = 0, open = 0;
    for (const PuzzleLevel& each : puzzleLevels()) {
        levels_->addItem(starText(stars_[at(index)]) + QStringLiteral("  ") + said(sentence(each.title)));
        if (&each == &level()) open = index;
        ++index;
    }
    levels_->setCurrentRow(open);
}

void PuzzleDialog::retranslate() {
    setWindowTitle(tr("Build your own schedule"));
    syncLevels();
    title_->setText(
        said(sentence(level().title)) +
        QStringLiteral("  ·  p = %1, v = %2, m = %3").arg(level().p).arg(level().v).arg(level().m));
    goal_->setText(said(sentence(level().goal)));
    par_->setText(said(parSentence(level())) + QStringLiteral("  ·  ") +
                  tr("F, I and W take 1 step, B takes 2; messages take none: predicted, nothing ran."));
    undo_->setText(tr("Undo"));
    redo_->setText(tr("Redo"));
    hint_->setText(tr("Hint  H"));
    bound_->setText(tr("Why not shorter?  G"));
    start_->setText(tr("Start from…  S"));
    open_->setText(tr("Open…"));
    save_->setText(tr("Save…"));
    train_->setText(tr("Train it  T"));
    if (comparison_->isHidden()) trained_->setText(keysText());
    starts_->clear();
    for (const CatalogEntry& entry : catalog()) {
        const std::string name = entry.name;
        connect(starts_->addAction(scheduleTitle(name)), &QAction::triggered, this,
                [this, name] { startFrom(name); });
    }
    starts_->addSeparator();
    connect(starts_->addAction(tr("Empty grid")), &QAction::triggered, this, [this] {
        grid_.clear();
        refresh();
    });
    arrange();
    refresh();
}

void PuzzleDialog::followTheme() {
    const Theme& theme = currentTheme();
    QPalette ground = palette();
    ground.setColor(QPalette::Window, theme.panel);
    setPalette(ground);
    levels_->setFixedWidth(theme.px(270));
    arrange();
    const QSize room = parentWidget() != nullptr ? parentWidget()->size() - QSize(40, 60) : QSize(4000, 4000);
    resize(QSize(theme.px(1200), theme.px(760)).boundedTo(room));
}

// The grid has the room that the pictures of what was trained leave.
void PuzzleDialog::arrange() {
    const int least = board_->heightForRows(level().p);
    board_->setMinimumHeight(least);
    board_->setMaximumHeight(comparison_->isHidden() ? QWIDGETSIZE_MAX : least);
}

void PuzzleDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

void PuzzleDialog::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), currentTheme().panel);
}

}  // namespace bscope::ui
