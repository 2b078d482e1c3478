// The pages of the help: keys, mouse, about.
#include "widgets/help/help_dialog.h"

#include <QAction>
#include <QEvent>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

// Commands of a submenu with its name: "Export picture: With a preview…".
void collectKeys(const QMenu& menu, const QString& prefix, std::vector<HelpRow>& rows) {
    for (const QAction* action : menu.actions()) {
        if (action->menu() != nullptr)
            collectKeys(*action->menu(), HelpDialog::tr("%1: ").arg(withoutMnemonic(action->text())), rows);
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts()) keys << key.toString(QKeySequence::NativeText);
        if (!keys.isEmpty())
            rows.push_back({keys.join(QStringLiteral(", ")), prefix + withoutMnemonic(action->text())});
    }
}

}  // namespace

HelpDialog::HelpDialog(QWidget* window, Page page)
    : QDialog(window),
      pages_(new Segments(4, this)),
      search_(new TextField(this)),
      text_(new QTextBrowser(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(10);
    column->addWidget(pages_, 0, Qt::AlignLeft);
    column->addWidget(search_);
    column->addWidget(text_, 1);
    search_->setClearButtonEnabled(true);
    connect(search_, &QLineEdit::textChanged, this, &HelpDialog::refresh);
    connect(new QShortcut(Qt::Key_Escape, this), &QShortcut::activated, this, &QDialog::reject);
    text_->setOpenExternalLinks(true);
    pages_->setCurrent(static_cast<int>(page));
    connect(pages_, &Segments::chosen, this, &HelpDialog::refresh);
    followTheme();
    search_->setFocus();
}

QString HelpDialog::shownText() const {
    return text_->toPlainText();
}

void HelpDialog::followTheme() {
    const Theme& theme = currentTheme();
    QPalette ground = palette();
    ground.setColor(QPalette::Window, theme.window);
    setPalette(ground);
    resize(theme.px(680), theme.px(640));
    refresh();
}

// Of the rows those that the search finds.
QString HelpDialog::table(const QString& head, const std::vector<HelpRow>& all) const {
    const Theme& theme = currentTheme();
    std::vector<HelpRow> rows;
    std::ranges::copy_if(all, std::back_inserter(rows), [&](const HelpRow& row) {
        const QString text = head + u'\n' + row.keys + u'\n' + row.what;
        return std::ranges::all_of(search_->text().split(u' ', Qt::SkipEmptyParts), [&](const QString& word) {
            return text.contains(word, Qt::CaseInsensitive);
        });
    });
    if (rows.empty()) return {};
    QString html = QStringLiteral(
                       "<p style='margin:10px 0 4px 0'><b>%1</b></p><table cellspacing='0' cellpadding='2' "
                       "width='100%'>")
                       .arg(head.toHtmlEscaped());
    for (const HelpRow& row : rows)
        html +=
            QStringLiteral("<tr><td width='38%' style='color:%1'>%2</td><td style='color:%3'>%4</td></tr>")
                .arg(theme.text.name(), row.keys.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")),
                     theme.text_soft.name(), row.what.toHtmlEscaped());
    return html + QStringLiteral("</table>");
}

QString HelpDialog::keysHtml() const {
    QString html;
    const auto* bar = parentWidget() != nullptr ? parentWidget()->findChild<QMenuBar*>() : nullptr;
    if (bar != nullptr) {
        for (const QAction* action : bar->actions()) {
            std::vector<HelpRow> rows;
            if (action->menu() != nullptr) collectKeys(*action->menu(), {}, rows);
            html += table(withoutMnemonic(action->text()), rows);
        }
    }
    html += table(tr("In a field"), {{tr("Enter, Esc"), tr("apply the value and return to the picture")},
                                     {tr("Up, Down"), tr("one step")}});
    html +=
        table(tr("In the step-by-rank grid"), {{tr("Left, Right, Home, End"), tr("along the rank")},
                                               {tr("Up, Down"), tr("the rank above, below at the same step")},
                                               {tr("+, −, 0"), tr("wider steps, narrower steps, reset")},
                                               {tr("Enter, Esc"), tr("back to the picture")}});
    html += table(tr("In the iteration strip"), {{tr("PgUp, PgDn, J, K"), tr("iteration before, after")},
                                                 {tr("Home, End"), tr("first one shown, newest")}});
    html += table(tr("In the legend"), {{tr("Tab, then Left, Right"), tr("go to a switch")},
                                        {tr("Space, Enter"), tr("show it or draw it pale")}});
    html += table(tr("In the list of notes"), {{tr("Enter"), tr("go to the note")},
                                               {tr("F2, Del"), tr("change it, delete it")},
                                               {tr("Ctrl+Z"), tr("undo the last change of a note")}});
    html += table(tr("In the form of costs by hand"),
                  {{tr("Ctrl+Z"), tr("undo the last change of the costs")},
                   {tr("Ctrl+Shift+Z, Ctrl+Y"), tr("redo it")},
                   {tr("Left, Right, Up, Down"), tr("choose the bar of a stage, change it")}});
    return html;
}

QString HelpDialog::mouseHtml() const {
    return table(tr("Picture"),
                 {{tr("wheel, Ctrl + wheel, pinch"), tr("zoom at the pointer")},
                  {tr("Shift + wheel, right drag, Shift + drag"), tr("move left and right")},
                  {tr("left drag"), tr("measure: time, busy and bubble of the range")},
                  {tr("Alt + drag, middle drag"), tr("zoom to the range")},
                  {tr("Ctrl + drag"), tr("measure only on the lanes that it crosses")},
                  {tr("click"), tr("select: highlight the micro-batch's whole path")},
                  {tr("click on a gap"), tr("select: its length, share and cause, beside the picture")},
                  {tr("click on a box that a GPU computed"), tr("also: its kernels, beside the picture")},
                  {tr("click on the name of a lane"), tr("draw its boxes pale, or not (filter)")},
                  {tr("click on a flag with a number"), tr("open its note to change or delete it")},
                  {tr("double click on the ruler"), tr("the whole iteration")},
                  {tr("wheel over lane names"), tr("lanes up and down, when they do not fit")}}) +
           table(tr("Elsewhere"),
                 {{tr("drag in the strip under the lanes"),
                   tr("move the frame of the visible part; its edges zoom")},
                  {tr("click on a bar of the iteration strip"), tr("show that iteration")},
                  {tr("Ctrl + click on a bar of the iteration strip"),
                   tr("compare that iteration, as baseline, with the one on the canvas")},
                  {tr("drag along the ruler while an iteration is played slowly"),
                   tr("show it as it was at that time")},
                  {tr("click on a legend entry"), tr("show or hide it; operations become pale (filter)")},
                  {tr("click on a cell of the grid"), tr("select its box; Ctrl + wheel widens the steps")},
                  {tr("click on a column while tuning"), tr("pick that value")},
                  {tr("drop a file on the window"), tr("open a recording, a scenario or a schedule")},
                  {tr("drop a folder or several files"), tr("import the run that they hold")}});
}

QString HelpDialog::importsHtml() const {
    QString html;
    for (const HelpTable& each : importHelp()) html += table(each.head, each.rows);
    return html;
}

QString HelpDialog::aboutHtml() const {
    const auto paragraph = [](const QString& text) { return QStringLiteral("<p>%1</p>").arg(text); };
    return paragraph(QStringLiteral("<b>Bubblescope %1</b>").arg(QStringLiteral(BUBBLESCOPE_VERSION))) +
           paragraph(tr("Trains a real Transformer through a real pipeline, times every operation and shows "
                        "it live.")
                         .toHtmlEscaped()) +
           paragraph(tr("Free software under the GNU General Public License, version 3 or later; without any "
                        "warranty.")
                         .toHtmlEscaped()) +
           table(tr("Made with"),
                 {{QStringLiteral("Qt %1").arg(QLatin1String(qVersion())), QStringLiteral("LGPL-3.0")},
                  {QStringLiteral("QCustomPlot"), QStringLiteral("GPL-3.0-or-later")},
                  {QStringLiteral("oneDNN"), QStringLiteral("Apache-2.0")},
                  {QStringLiteral("Protocol Buffers"), QStringLiteral("BSD-3-Clause")},
                  {QStringLiteral("Asio"), QStringLiteral("BSL-1.0")},
                  {QStringLiteral("CLI11"), QStringLiteral("BSD-3-Clause")},
                  {QStringLiteral("JSON for Modern C++"), QStringLiteral("MIT")},
                  {QStringLiteral("Inter"), QStringLiteral("OFL-1.1")},
                  {QStringLiteral("Noto Sans CJK"), QStringLiteral("OFL-1.1")}});
}

void HelpDialog::refresh() {
    const Theme& theme = currentTheme();
    setWindowTitle(tr("Help"));
    pages_->setTexts({tr("Keys"), tr("Mouse"), tr("Other programs' runs"), tr("About")});
    text_->document()->setDefaultFont(theme.font(12));
    text_->document()->setDocumentMargin(theme.px(12));
    search_->setPlaceholderText(tr("Search: pause, gap, Ctrl+E …"));
    search_->setAccessibleName(tr("Search"));
    if (!search_->text().trimmed().isEmpty()) {
        const QString found = keysHtml() + mouseHtml() + importsHtml();
        return text_->setHtml(
            found.isEmpty() ? tr("Nothing here contains all of these words.").toHtmlEscaped() : found);
    }
    switch (static_cast<Page>(pages_->current())) {
        case Page::Keys:
            return text_->setHtml(keysHtml());
        case Page::Mouse:
            return text_->setHtml(mouseHtml());
        case Page::Imports:
            return text_->setHtml(importsHtml());
        case Page::About:
            return text_->setHtml(aboutHtml());
    }
}

void HelpDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QDialog::changeEvent(event);
}

}  // namespace bscope::ui
