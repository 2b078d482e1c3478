// Firefox, steered over a socket by Marionette, its own protocol below WebDriver: messages "LENGTH:JSON", a
// command [0, number, name, parameters], its answer [1, number, error, result].
#pragma once

#include <QDeadlineTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <cmath>

#include "headless_browser.h"
#include "raw_socket.h"

namespace bscope {

class HeadlessFirefox : public HeadlessBrowser {
public:
    // Empty: there is none on this machine.
    static QString program() { return firstFound({"firefox-esr", "firefox"}); }

    HeadlessFirefox() {
        const int port = start();
        if (port == 0) return;
        socket_.connect(port);
        receive();  // what it is
        is_ready_ = send("WebDriver:NewSession").isObject();
    }
    ~HeadlessFirefox() override {
        process_.kill();
        process_.waitForFinished();
    }

    bool isReady() const override { return is_ready_; }

    bool open(const QString& file) override {
        send("WebDriver:Navigate", {{"url", "file://" + file}});
        return evaluate("document.readyState === 'complete' && location.protocol === 'file:'").toBool();
    }
    QJsonValue evaluate(const QString& expression) override {
        return send("WebDriver:ExecuteScript",
                    {{"script", "return " + expression}, {"args", QJsonArray()}})["value"];
    }
    void point(const QString& element) override { act("pointer", {moved(element)}); }
    void click(const QString& element) override {
        act("pointer", {moved(element), QJsonObject{{"type", "pointerDown"}, {"button", 0}},
                        QJsonObject{{"type", "pointerUp"}, {"button", 0}}});
    }
    void key(const QString& name) override {
        act("key", {QJsonObject{{"type", "keyDown"}, {"value", code(name)}},
                    QJsonObject{{"type", "keyUp"}, {"value", code(name)}}});
    }

    // Its console holds what the browser says of itself, too.
    QStringList complaints() override {
        send("Marionette:SetContext", {{"value", "chrome"}});
        const QJsonArray said = evaluate(
                                    "Services.console.getMessageArray().filter(each => each instanceof "
                                    "Ci.nsIScriptError && each.sourceName.startsWith('file:')).map(String)")
                                    .toArray();
        send("Marionette:SetContext", {{"value", "content"}});
        QStringList all = refusals_;
        for (const QJsonValue& each : said) all << each.toString();
        return all;
    }

private:
    // The port it listens at, which it writes into its profile; 0: it does not.
    int start() {
        QFile preferences(profile_.filePath("user.js"));
        if (!preferences.open(QIODevice::WriteOnly)) return 0;
        preferences.write("user_pref(\"marionette.port\", 0);\n");
        preferences.close();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HOME", profile_.path());
        process_.setProcessEnvironment(environment);
        process_.setStandardOutputFile(QProcess::nullDevice());
        process_.setStandardErrorFile(QProcess::nullDevice());
        process_.start(program(),
                       {"--headless", "--no-remote", "--marionette", "--remote-allow-system-access",
                        "--profile", profile_.path(), "about:blank"});
        if (!process_.waitForStarted()) return 0;
        QFile port(profile_.filePath("MarionetteActivePort"));
        for (QDeadlineTimer limit(kLimit_ms); !limit.hasExpired() && !process_.waitForFinished(50);
             port.close())
            if (port.open(QIODevice::ReadOnly))
                if (const int number = port.readAll().toInt()) return number;
        return 0;
    }

    QJsonObject moved(const QString& element) {
        const QPointF at = middleOf(element);
        return {{"type", "pointerMove"}, {"x", std::round(at.x())}, {"y", std::round(at.y())}};
    }
    void act(const char* kind, const QJsonArray& actions) {
        send("WebDriver:PerformActions",
             {{"actions", QJsonArray{QJsonObject{{"type", kind}, {"id", kind}, {"actions", actions}}}}});
    }
    // Of the keys without a character, the numbers of WebDriver, section "Keyboard actions".
    static QString code(const QString& key) {
        static const std::map<QString, char16_t> kNumbers{{"Escape", 0xE00C},
                                                          {"ArrowLeft", 0xE012},
                                                          {"ArrowUp", 0xE013},
                                                          {"ArrowRight", 0xE014},
                                                          {"ArrowDown", 0xE015}};
        const auto found = kNumbers.find(key);
        return found == kNumbers.end() ? key : QString(QChar(found->second));
    }

    QJsonValue send(const char* command, const QJsonObject& parameters = {}) {
        const QByteArray bytes =
            QJsonDocument(QJsonArray{0, ++sent_, command, parameters}).toJson(QJsonDocument::Compact);
        socket_.send((QByteArray::number(bytes.size()) + ':' + bytes).toStdString());
        const QJsonArray answer = receive().array();
        if (answer[2].isObject())
            refusals_ << command + QString::fromUtf8(": ") + answer[2].toObject()["message"].toString();
        return answer[3];
    }

    // Empty: nothing came.
    QJsonDocument receive() {
        for (;;) {
            const qsizetype begin = received_.indexOf(':') + 1,
                            end = begin + received_.left(begin - 1).toLongLong();
            if (begin > 0 && received_.size() >= end) {
                const QJsonDocument message = QJsonDocument::fromJson(received_.mid(begin, end - begin));
                received_.remove(0, end);
                return message;
            }
            const std::string_view bytes = socket_.receive(std::chrono::milliseconds(kLimit_ms));
            if (bytes.empty()) return {};
            received_.append(bytes.data(), static_cast<qsizetype>(bytes.size()));
        }
    }

    QTemporaryDir profile_;
    QProcess process_;
    RawSocket socket_;
    QByteArray received_;
    QStringList refusals_;
    int sent_ = 0;
    bool is_ready_ = false;
};

}  // namespace bscope
