// Where an engine listens, as people write it and as it is copied in one line.
#include <QTest>

#include "registered_test.h"
#include "wire/engine_address.h"

namespace tst_engine_address {

using namespace bscope;

class TestEngineAddress : public QObject {
    Q_OBJECT

private slots:
    void addressesAreRead_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("host");
        QTest::addColumn<int>("port");
        QTest::addColumn<QString>("token");
        QTest::newRow("name") << "gpu-server:7070"
                              << "gpu-server" << 7070 << "";
        QTest::newRow("IPv4, pasted") << " 127.0.0.1:1\n"
                                      << "127.0.0.1" << 1 << "";
        QTest::newRow("IPv6") << "[::1]:65535"
                              << "::1" << 65535 << "";
        QTest::newRow("URL") << "bscope://0123456789abcdef@host:7000\n"
                             << "host" << 7000 << "0123456789abcdef";
        QTest::newRow("URL, completed") << "bscope://a@host:7000/"
                                        << "host" << 7000 << "a";
        QTest::newRow("URL, escaped") << "bscope://a%20b%2Fc%40d%3Ae%25@[::1]:7000"
                                      << "::1" << 7000 << "a b/c@d:e%";
        QTest::newRow("URL without a token") << "bscope://host:7000"
                                             << "host" << 7000 << "";
    }

    void addressesAreRead() {
        QFETCH(QString, text);
        const auto address = parseEngineAddress(text.toStdString());
        QVERIFY(address);
        QTEST(QString::fromStdString(address->host), "host");
        QTEST(int{address->port}, "port");
        QTEST(QString::fromStdString(address->token), "token");
        const auto again = parseEngineAddress(address->token.empty() ? address->text() : address->url());
        QVERIFY(again);
        QCOMPARE(again->host, address->host);
        QCOMPARE(again->port, address->port);
        QCOMPARE(again->token, address->token);
    }

    void othersAreNone() {
        for (const char* text :
             {"", "host", "host:", ":7000", "host:0", "host:70000", "host:-1", "host:7000x", "host:+7",
              "::1:7000", "[]:7000", "[::1:7000", "a b:7000", "http://host:7000", "bscope://x@host",
              "bscope://x@host:70000", "bscope://%zz@host:7000", "bscope://%4@host:7000"})
            QVERIFY2(!parseEngineAddress(text), text);
        QCOMPARE(int{parseEngineAddress("127.0.0.1:0", 0)->port}, 0);  // where a program listens
    }
};

BUBBLESCOPE_TEST(TestEngineAddress)

}  // namespace tst_engine_address

#include "tst_engine_address.moc"
