// Notice: a message to the user: one sentence, what to do about it, and the details behind it.
#pragma once

#include <QMetaType>
#include <QString>
#include <utility>
#include <vector>

#include "words/sentence.h"

namespace bscope::ui {

// The engine's words stay data until they are shown, in the language of that moment; the window's own are in
// the language in which they were made. Both: the engine's come first.
class NoticeWords {
public:
    NoticeWords() = default;
    NoticeWords(QString own) : own_(std::move(own)) {}
    NoticeWords(Sentence of_engine, QString own = {})
        : NoticeWords(std::vector{std::move(of_engine)}, std::move(own)) {}
    NoticeWords(std::vector<Sentence> of_engine, QString own) : own_(std::move(own)) {
        for (Sentence& each : of_engine)
            if (!each.empty()) of_engine_.push_back(std::move(each));
    }

    QString text() const;
    bool isEmpty() const { return of_engine_.empty() && own_.isEmpty(); }
    bool operator==(const NoticeWords&) const = default;

private:
    std::vector<Sentence> of_engine_;  // none empty
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
