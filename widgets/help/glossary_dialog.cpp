// Filtering and layout of the glossary.
#include "widgets/help/glossary_dialog.h"

#include <QEvent>
#include <QShortcut>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "widgets/help/glossary.h"

namespace bscope::ui {

GlossaryDialog::GlossaryDialog(QWidget* parent)
    : QDialog(parent), search_(new TextField(this)), text_(new QTextBrowser(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(10);
    column->addWidget(search_);
    column->addWidget(text_, 1);
    search_->setClearButtonEnabled(true);
    text_->setOpenLinks(false);
    connect(search_, &QLineEdit::textChanged, this, &GlossaryDialog::refresh);
    followTheme();
    search_->setFocus();
    // The field would keep the key for itself.
    connect(new QShortcut(Qt::Key_Escape, this), &QShortcut::activated, this, &QDialog::reject);
}

QString GlossaryDialog::shownText() const {
    return text_->toPlainText();
}

void GlossaryDialog::followTheme() {
    const Theme& theme = currentTheme();
    QPalette ground = palette();
    ground.setColor(QPalette::Window, theme.window);
    setPalette(ground);
    resize(theme.px(620), theme.px(640));
    refresh();
}

void GlossaryDialog::refresh() {
    const Theme& theme = currentTheme();
    setWindowTitle(tr("Glossary"));
    search_->setPlaceholderText(tr("Search: bubble, VPP, 重计算 …"));
    QString html;
    shown_ = 0;
    const auto text = [](const char* source) { return QString::fromUtf8(source).toHtmlEscaped(); };
    for (const GlossaryTerm& term : glossary()) {
        if (!matches(term, search_->text())) continue;
        ++shown_;
        html +=
            QStringLiteral(
                "<p style='margin:0 0 12px 0'><b style='color:%1'>%2</b> &nbsp;<b style='color:%1'>%3</b>")
                .arg(theme.text.name(), text(term.english), text(term.chinese));
        if (*term.aliases != '\0')
            html += QStringLiteral(" &nbsp;<span style='color:%1'>%2</span>")
                        .arg(theme.text_faint.name(), text(term.aliases));
        html += QStringLiteral("<br><span style='color:%1'>%2<br>%3</span></p>")
                    .arg(theme.text_soft.name(), text(term.meaning_en), text(term.meaning_zh));
    }
    if (shown_ == 0) html = tr("No term has all of these words.").toHtmlEscaped();
    text_->document()->setDefaultFont(theme.font(12));
    text_->document()->setDocumentMargin(theme.px(12));
    text_->setHtml(html);
}

void GlossaryDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QDialog::changeEvent(event);
}

}  // namespace bscope::ui
