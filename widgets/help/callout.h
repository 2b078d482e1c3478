// Callout: a few sentences beside something on the screen, pointing at it and never over it. One of a row
// that is walked through or left. Takes the keys only when it is asked to. Window thread only.
#pragma once

#include <QFrame>

#include "widgets/controls/button.h"
#include "widgets/controls/label.h"

namespace bscope::ui {

class Callout : public QFrame, public Themed {
    Q_OBJECT
public:
    explicit Callout(QWidget* parent);

    // number: from 1; the last of them has no further one.
    void setText(const QString& title, const QString& text, int number, int of);
    // In the parent's coordinates. False, and hidden, where no side of it has room.
    bool pointAt(const QRect& target);
    QRect target() const { return target_; }
    QString title() const { return title_->text(); }
    QString text() const { return text_->text(); }
    Button* nextButton() const { return next_; }
    Button* closeButton() const { return close_; }
    void followTheme() override;

signals:
    void nextClicked();
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void changeEvent(QEvent* event) override;

private:
    enum class Side { Below, Above, Right, Left };
    void retranslate();
    QRect placeAt(Side side, const QSize& size) const;

    QRect target_;
    Side side_ = Side::Below;
    int number_ = 1, of_ = 1;
    Label *title_, *text_, *count_;
    Button *next_, *close_;
};

}  // namespace bscope::ui
