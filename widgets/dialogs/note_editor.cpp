#include "widgets/dialogs/note_editor.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QStyle>

#include "report/run_notes.h"
#include "widgets/theme/theme_style.h"

namespace bscope::ui {
namespace {

constexpr int kMostLetters = RunNote::kMostBytes / 4;  // of UTF-8 at most

}  // namespace

NoteEditor::NoteEditor(int iteration, const QStringList& places, const QString& text, QWidget* parent)
    : QDialog(parent), place_(new QComboBox(this)), text_(new QLineEdit(text, this)) {
    const Theme& theme = currentTheme();
    setWindowTitle((text.isEmpty() ? tr("New note, iteration %1") : tr("Note, iteration %1")).arg(iteration));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(theme.px(20), theme.px(18), theme.px(20), theme.px(18));
    form->setVerticalSpacing(theme.px(10));
    form->setHorizontalSpacing(theme.px(14));
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    place_->addItems(places);
    place_->setEnabled(places.size() > 1);
    place_->setAccessibleName(tr("On"));
    text_->setMaxLength(kMostLetters);
    text_->setMinimumWidth(theme.px(380));
    text_->setAccessibleName(tr("Text"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* save = buttons->addButton(tr("Save"), QDialogButtonBox::AcceptRole);
    save->setProperty("primary", true);
    save->style()->polish(save);
    save->setDefault(true);
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    if (!text.isEmpty()) {
        QPushButton* remove = buttons->addButton(tr("Delete"), QDialogButtonBox::DestructiveRole);
        connect(remove, &QPushButton::clicked, this, [this] {
            accept();
            emit removed();
        });
    }
    form->addRow(tr("On"), place_);
    form->addRow(tr("Text"), text_);
    form->addRow(buttons);
    const auto enable = [this, save] { save->setEnabled(!text_->text().trimmed().isEmpty()); };
    connect(text_, &QLineEdit::textChanged, this, enable);
    enable();
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        const QString written = text_->text().trimmed();
        if (written.isEmpty()) return;
        accept();
        emit saved(place_->currentIndex(), written);
    });
    text_->setFocus();
    text_->selectAll();
}

}  // namespace bscope::ui
