// Chromium, steered over a pipe by its DevTools protocol.
#pragma once

#include <poll.h>
#include <unistd.h>

#include <QDeadlineTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <array>

#include "headless_browser.h"

namespace bscope {

class HeadlessChromium : public HeadlessBrowser {
public:
    // Empty: there is none on this machine.
    static QString program() { return firstFound({"chromium", "chromium-browser", "google-chrome"}); }

    HeadlessChromium() {
        if (pipe(to_.data()) != 0 || pipe(from_.data()) != 0) return;
        process_.setChildProcessModifier([this] {
            dup2(to_[0], 3);
            dup2(from_[1], 4);
        });
        process_.setStandardErrorFile(QProcess::nullDevice());
        process_.start(program(), {"--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
                                   "--user-data-dir=" + profile_.path(), "about:blank"});
        if (!process_.waitForStarted()) return;
        const QString target = send("Target.createTarget", {{"url", "about:blank"}})["targetId"].toString();
        session_ =
            send("Target.attachToTarget", {{"targetId", target}, {"flatten", true}})["sessionId"].toString();
        for (const char* domain : {"Runtime.enable", "Log.enable", "Page.enable"}) send(domain);
    }
    ~HeadlessChromium() override {
        process_.kill();
        process_.waitForFinished();
        for (const int each : {to_[0], to_[1], from_[0], from_[1]}) close(each);
    }

    bool isReady() const override { return !session_.isEmpty(); }
    QStringList complaints() override { return complaints_; }

    bool open(const QString& file) override {
        send("Page.navigate", {{"url", "file://" + file}});
        for (QDeadlineTimer limit(kLimit_ms); !limit.hasExpired();)
            if (evaluate("document.readyState === 'complete' && location.protocol === 'file:'").toBool())
                return true;
        return false;
    }
    QJsonValue evaluate(const QString& expression) override {
        return send("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}})["result"]
            .toObject()["value"];
    }
    void point(const QString& element) override { mouse("mouseMoved", element); }
    void click(const QString& element) override {
        for (const char* kind : {"mouseMoved", "mousePressed", "mouseReleased"}) mouse(kind, element);
    }
    void key(const QString& name) override {
        for (const char* kind : {"keyDown", "keyUp"})
            send("Input.dispatchKeyEvent", {{"type", kind}, {"key", name}});
    }

private:
    void mouse(const char* kind, const QString& element) {
        const QPointF at = middleOf(element);
        send("Input.dispatchMouseEvent", {{"type", kind},
                                          {"x", at.x()},
                                          {"y", at.y()},
                                          {"button", *kind && kind[5] != 'M' ? "left" : "none"},
                                          {"clickCount", 1}});
    }

    QJsonObject send(const char* method, QJsonObject parameters = {}) {
        QJsonObject request{{"id", ++sent_}, {"method", method}, {"params", parameters}};
        if (!session_.isEmpty()) request["sessionId"] = session_;
        QByteArray bytes = QJsonDocument(request).toJson(QJsonDocument::Compact);
        bytes.append('\0');
        for (qsizetype done = 0; done < bytes.size();) {
            const auto written =
                write(to_[1], bytes.constData() + done, static_cast<std::size_t>(bytes.size() - done));
            if (written <= 0) return {};
            done += written;
        }
        for (;;) {
            const QJsonObject message = receive();
            if (message.isEmpty()) return {};
            if (message["id"].toInt() == sent_) return message["result"].toObject();
            const QString what = message["method"].toString();
            if (what == u"Runtime.exceptionThrown" || what == u"Log.entryAdded" ||
                what == u"Runtime.consoleAPICalled")
                complaints_ << QString::fromUtf8(QJsonDocument(message).toJson(QJsonDocument::Compact));
        }
    }

    QJsonObject receive() {
        while (!received_.contains('\0')) {
            pollfd ready{from_[0], POLLIN, 0};
            if (poll(&ready, 1, kLimit_ms) <= 0) return {};
            std::array<char, 65536> bytes;
            const auto count = read(from_[0], bytes.data(), bytes.size());
            if (count <= 0) return {};
            received_.append(bytes.data(), count);
        }
        const qsizetype end = received_.indexOf('\0');
        const QJsonObject message = QJsonDocument::fromJson(received_.left(end)).object();
        received_.remove(0, end + 1);
        return message;
    }

    std::array<int, 2> to_{-1, -1}, from_{-1, -1};
    QTemporaryDir profile_;
    QProcess process_;
    QString session_;
    QByteArray received_;
    QStringList complaints_;
    int sent_ = 0;
};

}  // namespace bscope
