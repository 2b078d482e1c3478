// KernelList: the kernels that a GPU ran for the selected box, in order: name, duration, share of the box;
// above them how long none ran, and where the times come from. A box without kernels says why where that is
// worth saying, and shows nothing on a CPU. Rows can be selected and copied.
#pragma once

#include <QTableWidget>

#include "view/view_data.h"
#include "widgets/controls/button.h"
#include "widgets/controls/label.h"

class QVBoxLayout;

namespace bscope::ui {

class KernelList : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit KernelList(QWidget* parent = nullptr);
    // box: the event selected in the view, named by `title`; null: none, nothing is shown.
    void setBox(const IterationView& view, const Event* box, const QString& title);
    void followTheme() override;

    QString title() const { return head_->text(); }
    QString note() const { return note_->text(); }
    QTableWidget& table() { return *table_; }
    const QTableWidget& table() const { return *table_; }
    Button* copyButton() const { return copy_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(const Event& box, std::span<const KernelEvent> kernels);
    void fitHeight();
    void copy() const;

    Label* head_;
    Button* copy_;
    Label* note_;
    QTableWidget* table_;
    QVBoxLayout* column_;
};

}  // namespace bscope::ui
