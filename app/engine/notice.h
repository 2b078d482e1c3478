// Notice: a message to the user: one sentence, what to do about it, and the details behind it.
#pragma once

#include <QMetaType>
#include <QString>
#include <utility>

#include "words/sentence.h"

namespace bscope::ui {

// The engine's words stay data until they are shown, in the language of that moment; the window's own are in
// the language in which they were made. Both: the engine's come first.
class NoticeWords {
public:
    NoticeWords() = default;
    NoticeWords(QString own) : own_(std::move(own)) {}
    NoticeWords(Sentence of_engine, QString own = {})
        : of_engine_(std::move(of_engine)), own_(std::move(own)) {}

    QString text() const;
    bool isEmpty() const { return of_engine_.empty() && own_.isEmpty(); }
    bool operator==(const NoticeWords&) const = default;

private:
    Sentence of_engine_;
    QString own_;
};

struct Notice {
    NoticeWords sentence;
    NoticeWords what_to_do;
    QString details;
    bool operator==(const Notice&) const = default;
};

}  // namespace bscope::ui
Q_DECLARE_METATYPE(bscope::ui::Notice)
Q_DECLARE_METATYPE(bscope::ui::NoticeWords)
