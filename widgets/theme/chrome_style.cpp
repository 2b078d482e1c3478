// The style sheet of everything around the canvas: flat, grey, one accent. Values come from the Theme only,
// so a theme or scale change is one setStyleSheet; the font is the application's, theme.font(12). Widgets
// choose variants by dynamic properties:
//   QPushButton[primary=true]   the one dark button of an area (Run)
//   QToolButton[segment=true]   a part of an exclusive group (Timeline | Tune | Lessons)
//   QLabel[role=head|soft|faint|big|accent|ok]
//   any control [pending=true]  accent border: waits for the next iteration;  [illegal=true]  dark underline
#include <QString>

#include "widgets/theme/theme.h"

namespace bscope::ui {

namespace {

// combobox-popup: a drop-down list, not the style's own menu, which takes no colours from a style sheet.
const char* const kSheet = R"(
QComboBox { combobox-popup: 0; }
QMainWindow, QDialog, QMenuBar, QToolBar, QStatusBar { background: @window; color: @text; }
QWidget { color: @text; }
QMainWindow::separator { width: 1px; height: 1px; background: @rule; }
#menuRow { border-bottom: 1px solid @rule; background: @window; }
QMenuBar { padding: 0 @6px; min-height: @27px; }
QMenuBar::item { padding: @6px @9px; background: transparent; border-radius: @4px; }
QMenuBar::item:selected { background: @rule; }
QMenu { background: @panel; border: 1px solid @rule; padding: @4px; }
QMenu::item { padding: @5px @28px @5px @22px; border-radius: @3px; }
QMenu::item:selected { background: @accent_tint; color: @text; }
QMenu::item:disabled { color: @faint; }
QMenu::separator { height: 1px; background: @rule; margin: @4px @6px; }
QToolBar { border: 0; border-bottom: 1px solid @rule; spacing: @6px; padding: 0 @12px; min-height: @47px; }
QToolBar::separator { width: 1px; background: @rule; margin: @10px @6px; }
QStatusBar { border-top: 1px solid @rule; min-height: @23px; }
QStatusBar::item { border: 0; }
QStatusBar QLabel { color: @soft; font-size: @11px; }
QDockWidget, QDockWidget > QWidget, QScrollArea, QScrollArea > QWidget > QWidget { background: @panel; }
QScrollArea, QStackedWidget { border: 0; }
QLabel { background: transparent; }
QLabel[role="head"] { font-size: @13px; font-weight: 600; }
QLabel[role="big"] { font-size: @30px; font-weight: 600; }
QLabel[role="soft"] { color: @soft; }
QLabel[role="faint"] { color: @faint; font-size: @11px; }
QLabel[role="accent"] { color: @accent; }
QLabel[role="ok"] { color: @ok; }
QPushButton, QToolButton, QComboBox, QSpinBox, QDoubleSpinBox, QLineEdit {
  background: @canvas; border: 1px solid @rule; border-radius: @4px; min-height: @26px; color: @text;
  selection-background-color: @accent; selection-color: @canvas; }
QPushButton { padding: 0 @12px; }
QToolButton { padding: 0 @8px; }
QComboBox { padding: 0 @4px 0 @8px; }
QSpinBox, QDoubleSpinBox, QLineEdit { padding: 0 @6px; }
QPushButton:hover, QToolButton:hover, QComboBox:hover, QSpinBox:hover, QDoubleSpinBox:hover, QLineEdit:hover {
  border-color: @faint; }
QPushButton:focus, QToolButton:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus, QLineEdit:focus {
  border-color: @accent; }
QPushButton:pressed, QToolButton:pressed { background: @window; }
QPushButton:disabled, QToolButton:disabled, QComboBox:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled,
QLineEdit:disabled, QLabel:disabled, QCheckBox:disabled, QRadioButton:disabled { color: @faint; }
QPushButton[primary="true"], QToolButton[primary="true"] {
  background: @text; color: @canvas; border-color: @text; font-weight: 600; }
QPushButton[primary="true"]:hover, QToolButton[primary="true"]:hover { background: @soft; border-color: @soft; }
QPushButton[primary="true"]:disabled { background: @rule; border-color: @rule; color: @faint; }
QToolButton[segment="true"] { background: @window; color: @soft; border-radius: @4px; padding: 0 @11px; }
QToolButton[segment="true"]:checked { background: @canvas; color: @text; border-color: @text; font-weight: 600; }
QToolButton[flat="true"], QPushButton[flat="true"] { background: transparent; border-color: transparent; }
QToolButton[flat="true"]:hover, QPushButton[flat="true"]:hover { background: @hair; }
QToolButton[flat="true"]:checked { color: @text; }
QToolButton::menu-indicator { image: url(:/chrome/down-@variant.svg); subcontrol-position: right center;
  subcontrol-origin: padding; width: @12px; height: @12px; right: @4px; }
*[pending="true"] { border-color: @accent; background: @accent_tint; color: @accent; }
*[illegal="true"] { border-bottom: 2px solid @text; }
QComboBox::drop-down { border: 0; width: @22px; }
QComboBox::down-arrow { image: url(:/chrome/down-@variant.svg); width: @12px; height: @12px; }
QComboBox QAbstractItemView { background: @panel; border: 1px solid @rule; color: @text;
  selection-background-color: @accent_tint; selection-color: @text; outline: 0; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-position: top right; width: @20px; border: 0;
  border-left: 1px solid @rule; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-position: bottom right; width: @20px; border: 0;
  border-left: 1px solid @rule; }
QSpinBox::up-button:hover, QSpinBox::down-button:hover, QDoubleSpinBox::up-button:hover,
QDoubleSpinBox::down-button:hover { background: @hair; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/chrome/up-@variant.svg); width: @10px; height: @10px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/chrome/down-@variant.svg); width: @10px;
  height: @10px; }
QCheckBox, QRadioButton { spacing: @7px; min-height: @22px; }
QCheckBox::indicator { width: @14px; height: @14px; border: 1px solid @faint; border-radius: @3px;
  background: @canvas; }
QCheckBox::indicator:checked { background: @text; border-color: @text; image: url(:/chrome/check-@variant.svg); }
QRadioButton::indicator { width: @12px; height: @12px; border: 1px solid @faint; border-radius: @7px;
  background: @canvas; }
QRadioButton::indicator:checked { border: @4px solid @text; width: @6px; height: @6px; }
QProgressBar { background: @hair; border: 0; border-radius: @3px; max-height: @6px; }
QProgressBar::chunk { background: @text; border-radius: @3px; }
QScrollBar:vertical { width: @10px; background: transparent; margin: 0; }
QScrollBar:horizontal { height: @10px; background: transparent; margin: 0; }
QScrollBar::handle { background: @rule; border-radius: @4px; margin: 1px; }
QScrollBar::handle:vertical { min-height: @28px; }
QScrollBar::handle:horizontal { min-width: @28px; }
QScrollBar::handle:hover { background: @faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QToolTip { background: @panel; color: @text; border: 1px solid @rule; padding: @6px @8px; }
QTableView, QTreeView, QListView, QTextBrowser, QPlainTextEdit { background: @canvas; border: 1px solid @rule;
  border-radius: @4px; selection-background-color: @accent_tint; selection-color: @text;
  gridline-color: @hair; }
QHeaderView { background: @panel; border: 0; }
QHeaderView::section { background: @panel; color: @soft; border: 0; border-bottom: 1px solid @rule;
  padding: @3px @6px; }
QTabWidget::pane { border: 1px solid @rule; border-radius: @4px; }
QTabBar::tab { padding: @5px @11px; color: @soft; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text; border-bottom-color: @text; }
)";

}  // namespace

QString chromeStyleSheet(const Theme& theme) {
    const auto colour = [&theme](const QString& name) -> QString {
        if (name == u"window") return theme.window.name();
        if (name == u"canvas") return theme.canvas.name();
        if (name == u"panel") return theme.panel.name();
        if (name == u"rule") return theme.rule.name();
        if (name == u"hair") return theme.hair.name();
        if (name == u"text") return theme.text.name();
        if (name == u"soft") return theme.text_soft.name();
        if (name == u"faint") return theme.text_faint.name();
        if (name == u"accent") return theme.accent.name();
        if (name == u"accent_tint") return theme.accent_tint.name();
        if (name == u"ok") return theme.ok.name();
        return theme.kind == ThemeKind::Dark ? QStringLiteral("dark") : QStringLiteral("light");
    };
    const QString sheet = QString::fromLatin1(kSheet);
    QString out;
    out.reserve(sheet.size() + 512);
    for (qsizetype i = 0; i < sheet.size(); ++i) {
        if (sheet[i] != u'@') {
            out += sheet[i];
            continue;
        }
        qsizetype end = i + 1;
        if (sheet[end].isDigit()) {  // @12px: a length at 100 %
            while (sheet[end].isDigit()) ++end;
            out += QString::number(theme.px(sheet.mid(i + 1, end - i - 1).toDouble()));
        } else {
            while (sheet[end].isLetter() || sheet[end] == u'_') ++end;
            out += colour(sheet.mid(i + 1, end - i - 1));
        }
        i = end - 1;
    }
    return out;
}

}  // namespace bscope::ui
