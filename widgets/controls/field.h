// NumberField and ChoiceField: the input fields of tool bar and forms. They keep what was typed, show a
// waiting change (accent frame; "8 → 12" where there is a place for it) and an illegal value (dark
// underline), and give the focus back on Enter and Esc. Window thread only.
#pragma once

#include <QBasicTimer>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <optional>

#include "widgets/controls/themed.h"

namespace bscope::ui {

enum class FieldLook { Normal, Pending, Illegal };

// Frame and ground every field shares.
void paintFieldFrame(QPainter& painter, const QRect& rect, const Theme& theme, FieldLook look, bool focus,
                     bool enabled);

class NumberField : public QDoubleSpinBox, public Themed {
    Q_OBJECT
public:
    // decimals = 0 for whole numbers. Values below least can be typed (and are then explained), not stepped
    // to.
    explicit NumberField(double least, double greatest, int decimals = 0, QWidget* parent = nullptr);
    int number() const;
    void setNumber(double value);                      // no signal
    void setPendingFrom(std::optional<double> value);  // what is still in force
    void setIllegal(bool on);
    FieldLook look() const;
    void setDigits(int digits);  // room for so many figures
    // As wide as its digits need, whatever it holds; with_former: and as those of a former value.
    void setSteady(bool with_former);
    QString formerText() const;  // "8 →" of what is still in force, as it is shown; empty: it is not
    void followTheme() override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    void stepBy(int steps) override;
    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;

signals:
    void done();  // Enter or Esc: the focus goes back
    void entered();  // by Enter, after that

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void timerEvent(QTimerEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool leavesToWindow(const QKeyEvent& event) const;
    void placeEditor();
    void selectWhole();
    int arrowsWidth() const { return currentTheme().px(19); }
    int formerWidth() const;
    QString withArrow(const QString& value) const;

    double least_;
    int digits_ = 2;
    bool steady_ = false, former_has_place_ = false;
    std::optional<double> former_;
    bool illegal_ = false;
    int held_step_ = 0;
    QBasicTimer repeat_;
};

class ChoiceField : public QComboBox, public Themed {
    Q_OBJECT
public:
    explicit ChoiceField(QWidget* parent = nullptr);
    void setLook(FieldLook look);
    FieldLook look() const { return look_; }
    void setSizedToCurrent(bool on) { sized_to_current_ = on; }  // else to the widest item
    // As wide as this at 100 %, whatever is chosen; 0: by what it holds.
    void setSteadyWidth(int px);
    void followTheme() override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void done();

protected:
    void paintEvent(QPaintEvent*) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showPopup() override;

private:
    int widestItem() const;

    FieldLook look_ = FieldLook::Normal;
    bool sized_to_current_ = false;
    int steady_width_ = 0;
};

class TextField : public QLineEdit, public Themed {
    Q_OBJECT
public:
    explicit TextField(QWidget* parent = nullptr);
    void setIllegal(bool on);
    void followTheme() override;
    QSize sizeHint() const override;

signals:
    void done();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool illegal_ = false;
};

}  // namespace bscope::ui
