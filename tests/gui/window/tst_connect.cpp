// Connecting to an engine elsewhere: its address, and the URL that it prints.
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "app/settings/program_options.h"
#include "app/window/connect_dialog.h"
#include "registered_test.h"

namespace tst_connect {

using namespace bscope;
using namespace bscope::ui;

class TestConnect : public QObject {
    Q_OBJECT

private slots:
    // A URL of `bscope serve --show-url` fills both fields; a command line is no place for a token.
    void urlIsPasted() {
        const QString url = QStringLiteral("bscope://a%20b%2Fc%40d@[::1]:7000");
        QStringList problems;
        parseOptions({QStringLiteral("bubblescope"), QStringLiteral("--connect"), url}, problems);
        QCOMPARE(problems.size(), 1);
        QVERIFY2(problems.front().contains(QStringLiteral("takes no token")), qPrintable(problems.front()));
        QWidget parent;
        ConnectDialog dialog(&parent);
        QSignalSpy chosen(&dialog, &ConnectDialog::chosen);
        const QList<QLineEdit*> fields = dialog.findChildren<QLineEdit*>();
        QApplication::clipboard()->setText(url + u'\n');
        fields.front()->paste();
        QCOMPARE(fields.front()->text(), QStringLiteral("[::1]:7000"));
        QCOMPARE(fields.back()->text(), QStringLiteral("a b/c@d"));
        for (QPushButton* button : dialog.findChildren<QPushButton*>())
            if (button->property("primary").toBool()) button->click();
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.front().front().value<EngineAddress>().port, quint16{7000});
    }
};

BUBBLESCOPE_WINDOW_TEST(TestConnect)

}  // namespace tst_connect

#include "tst_connect.moc"
