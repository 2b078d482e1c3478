// Parts of a lesson: the bar of its four steps, an answer to choose, the table of squares, a framed
// quotation.
#pragma once

#include <QAbstractButton>
#include <QPainter>
#include <QWidget>
#include <array>

#include "widgets/controls/themed.h"
#include "widgets/lessons/lesson_data.h"

namespace bscope::ui {

class StepBar : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit StepBar(QWidget* parent = nullptr);
    void setNames(const QStringList& names);
    void setStep(int step, int reachable);  // steps up to reachable can be clicked
    void followTheme() override;
    QRectF stepRect(int step) const;

signals:
    void stepClicked(int step);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    QStringList names_;
    int step_ = 0, reachable_ = 0;
};

// A framed answer with a radio mark. The verdict is a word and a frame, since the mark is not enough.
class ChoiceCard : public QAbstractButton {
    Q_OBJECT
public:
    enum class Verdict { Open, Right, Wrong };
    explicit ChoiceCard(QWidget* parent = nullptr);
    void setVerdict(Verdict verdict, const QString& remark);
    void setChosen(bool chosen);  // none of a question may be
    void setAllRemarks(const QStringList& remarks) {
        all_remarks_ = remarks;
    }  // room for the longest of them
    Verdict verdict() const { return verdict_; }
    QString remark() const { return remark_; }
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent*) override;

private:
    int remarkWidth() const;

    Verdict verdict_ = Verdict::Open;
    QString remark_;
    QStringList all_remarks_;
};

class ComparisonTable : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonTable(QWidget* parent = nullptr);
    void setComparison(const LessonComparison& comparison);
    const LessonComparison& comparison() const { return comparison_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    LessonComparison comparison_;
};

// The table with letters of 12 px times `scale`, from the top of the box.
double comparisonHeight(const LessonComparison& comparison, double scale);
void paintComparison(QPainter& painter, const QRectF& box, const LessonComparison& comparison, double scale);

}  // namespace bscope::ui
