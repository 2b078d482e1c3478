// Filtering and layout of the glossary.
#include "widgets/help/glossary_dialog.h"

#include <QEvent>
#include <QShortcut>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/help/glossary.h"
#include "widgets/text/format.h"

namespace bscope::ui {

GlossaryDialog::GlossaryDialog(QWidget* parent, const QString& about)
    : QDialog(parent), about_(termsIn(about)), search_(new TextField(this)), text_(new QTextBrowser(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(10);
    column->addWidget(search_);
    column->addWidget(text_, 1);
    search_->setClearButtonEnabled(true);
    text_->setOpenLinks(false);
    connect(search_, &QLineEdit::textChanged, this, &GlossaryDialog::refresh);
    connect(search_, &TextField::done, this, &GlossaryDialog::showFirst);  // Enter; Esc is a shortcut
    connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& what) {
        emit showMe(what.toString());
        accept();
    });
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

QString GlossaryDialog::termHtml(const GlossaryTerm& term) const {
    const Theme& theme = currentTheme();
    const auto text = [](const char* source) { return unbroken(QString::fromUtf8(source)).toHtmlEscaped(); };
    QString html =
        QStringLiteral(
            "<p style='margin:0 0 12px 0'><b style='color:%1'>%2</b> &nbsp;<b style='color:%1'>%3</b>")
            .arg(theme.text.name(), text(term.english), text(term.chinese));
    if (*term.aliases != '\0')
        html += QStringLiteral(" &nbsp;<span style='color:%1'>%2</span>")
                    .arg(theme.text_faint.name(), text(term.aliases));
    html += QStringLiteral("<br><span style='color:%1'>%2<br>%3</span>")
                .arg(theme.text_soft.name(), text(term.meaning_en), text(term.meaning_zh));
    if (*term.show != '\0')
        html += QStringLiteral("<br><a style='color:%1' href='%2'>%3</a>")
                    .arg(theme.accent.name(), text(term.show), tr("Show me").toHtmlEscaped());
    return html + QStringLiteral("</p>");
}

void GlossaryDialog::showFirst() {
    if (found_.empty() || *found_.front()->show == '\0') return;
    emit showMe(QString::fromUtf8(found_.front()->show));
    accept();
}

void GlossaryDialog::refresh() {
    const Theme& theme = currentTheme();
    setWindowTitle(tr("Glossary"));
    search_->setPlaceholderText(tr("Search: bubble, VPP, 重计算 …"));
    QString html;
    found_.clear();
    const auto add = [&](const GlossaryTerm& term) {
        found_.push_back(&term);
        html += termHtml(term);
    };
    const auto head = [&](const QString& words) {
        html += QStringLiteral("<p style='margin:0 0 8px 0; color:%1'>%2</p>")
                    .arg(currentTheme().text_faint.name(), words.toHtmlEscaped());
    };
    const bool of_text = !about_.empty() && search_->text().isEmpty();
    if (of_text) {
        head(tr("Terms of this text"));
        for (const GlossaryTerm* term : about_) add(*term);
        head(tr("All other terms"));
    }
    for (const GlossaryTerm& term : glossary())
        if (matches(term, search_->text()) && !(of_text && std::ranges::find(about_, &term) != about_.end()))
            add(term);
    if (found_.empty()) html = tr("No term contains all of these words.").toHtmlEscaped();
    text_->document()->setDefaultFont(theme.font(12));
    text_->document()->setDocumentMargin(theme.px(12));
    text_->setHtml(html);
}

void GlossaryDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) refresh();
    QDialog::changeEvent(event);
}

}  // namespace bscope::ui
