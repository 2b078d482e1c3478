#include "app/find/search_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>

namespace bscope::ui {

SearchBar::SearchBar(ViewState& state, QWidget* parent)
    : QWidget(parent), state_(state), field_(new QLineEdit(this)), answer_(new Label(TextRole::Soft, this)) {
    auto* row = new QHBoxLayout(this);
    designLayout(*row, {16, 4, 16, 4}, 12);
    row->addWidget(field_);
    row->addWidget(answer_, 1);
    connect(field_, &QLineEdit::textChanged, this, &SearchBar::search);
    retranslate();
    hide();
}

void SearchBar::setView(const IterationView& view) {
    const bool another = view.iteration != view_.iteration || !(view.config == view_.config);
    view_ = view;
    if (!isVisible() || !another) return;
    const int kept = current_;  // going through the hits goes on in the next iteration
    search();
    if (kept >= 0 && kept < static_cast<int>(hits_.size())) setCurrent(kept);
}

void SearchBar::open() {
    show();
    field_->setFocus();
    field_->selectAll();
    search();
}

void SearchBar::followTheme() {
    const Theme& theme = currentTheme();
    field_->setFont(theme.font(12));
    field_->setMinimumWidth(theme.px(220));
}

void SearchBar::search() {
    find();
    emit marked(hits_);
}

void SearchBar::find() {
    hits_.clear();
    current_ = -1;
    if (field_->text().trimmed().isEmpty())
        return answer_->setText(tr("F12, B3 @2, 12, bubble>5ms, bubble>2F"));
    const auto query = parseSearch(field_->text(), state_.countFromZero());
    if (!query)
        return answer_->setText(tr("Not understood. Try F12, B3 @2 (rank 2), 12, bubble>5ms, bubble>2F"));
    if (view_.ran) hits_ = findAll(*query, view_);
    answer_->setText(hits_.empty()
                         ? tr("Nothing found in this iteration")
                         : tr("%n found, Enter goes through them", nullptr, static_cast<int>(hits_.size())));
}

void SearchBar::go(int step) {
    if (hits_.empty()) return;
    const int count = static_cast<int>(hits_.size());
    setCurrent(current_ < 0 ? (step > 0 ? 0 : count - 1) : (current_ + step + count) % count);
    emit found(hits_[static_cast<std::size_t>(current_)]);
}

void SearchBar::setCurrent(int hit) {
    current_ = hit;
    answer_->setText(tr("%1 of %2").arg(hit + 1).arg(hits_.size()));
}

void SearchBar::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return go(event->modifiers() & Qt::ShiftModifier ? -1 : +1);
        case Qt::Key_Escape:
            hide();
            emit marked({});
            emit closed();
            return;
        default:
            QWidget::keyPressEvent(event);
    }
}

void SearchBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void SearchBar::retranslate() {
    field_->setPlaceholderText(tr("Find in this iteration"));
    field_->setAccessibleName(tr("Find in this iteration"));
}

}  // namespace bscope::ui
