// ScheduleField: the field that chooses a schedule. Its list holds the catalog by families, then what the
// frameworks call their schedules, and finds by what is typed. A file's schedule is an entry while it is
// chosen.
#pragma once

#include <QLineEdit>
#include <QListWidget>

#include "widgets/controls/field.h"

namespace bscope::ui {

// The list that drops down. One is made each time; it closes when something is chosen or on Esc.
class ScheduleList : public QFrame {
    Q_OBJECT
public:
    ScheduleList(const QString& current, const QStringList& files, QWidget* parent);
    QLineEdit* filter() const { return filter_; }
    QListWidget* list() const { return list_; }
    void setMostHeight(int height);  // as high as its rows need, up to this

signals:
    void chosen(const QString& schedule);  // "1f1b", "file:/path"

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // A row: name, schedule, what stands on the right, further words to find it by.
    void addGroup(const QString& head, const QList<QStringList>& rows);
    void filterBy(const QString& words);
    void fitHeight();
    void walk(int step);
    void take(const QListWidgetItem* item);

    QLineEdit* filter_;
    QListWidget* list_;
    int most_height_ = 0;
};

class ScheduleField : public ChoiceField {
    Q_OBJECT
public:
    explicit ScheduleField(QWidget* parent = nullptr);
    void setSchedule(const std::string& name);  // no signal
    QString schedule() const { return currentData().toString(); }
    void retranslate();
    void showPopup() override;

signals:
    void picked(const QString& schedule);  // by the user, from the list or with the arrow keys

private:
    QStringList files() const;
};

}  // namespace bscope::ui
