// A browser without a window, as a test steers it: it opens a file, evaluates expressions in it, moves the
// mouse, types keys, and gives what its console says of the page. What differs between browsers stands in
// HeadlessChromium and HeadlessFirefox. Linux only.
#pragma once

#include <QJsonArray>
#include <QJsonValue>
#include <QPointF>
#include <QStandardPaths>
#include <initializer_list>

namespace bscope {

class HeadlessBrowser {
public:
    virtual ~HeadlessBrowser() = default;

    virtual bool isReady() const = 0;
    virtual bool open(const QString& file) = 0;  // true: it is loaded
    virtual QJsonValue evaluate(const QString& expression) = 0;
    // element: an expression.
    virtual void point(const QString& element) = 0;
    virtual void click(const QString& element) = 0;
    virtual void key(const QString& name) = 0;  // as KeyboardEvent.key has it
    virtual QStringList complaints() = 0;       // of its console

protected:
    static constexpr int kLimit_ms = 60'000;

    // The first of these that is on this machine, else empty.
    static QString firstFound(std::initializer_list<const char*> names) {
        for (const char* name : names)
            if (const QString found = QStandardPaths::findExecutable(QString::fromLatin1(name));
                !found.isEmpty())
                return found;
        return {};
    }

    QPointF middleOf(const QString& element) {
        const QJsonArray at =
            evaluate(QStringLiteral("(r=>[r.x+r.width/2,r.y+r.height/2])((%1).getBoundingClientRect())")
                         .arg(element))
                .toArray();
        return {at[0].toDouble(), at[1].toDouble()};
    }
};

}  // namespace bscope
