// Columns and narrow boxes painted as an image: every pixel shows the operation whose part of the stack its
// row lies in.
#include <QImage>
#include <QTest>
#include <numeric>
#include <optional>
#include <random>

#include "registered_test.h"
#include "widgets/picture/busy_columns.h"

namespace tst_busy_columns {

using namespace bscope;
using namespace bscope::ui;

class TestBusyColumns : public QObject {
    Q_OBJECT

    static constexpr std::size_t kKinds = BusyColumns::kStacked.size();
    static constexpr QRgb kGround = 0xff202020, kBehind = 0xff707070, kBox = 0xff00ff7f;

    static std::array<QColor, kKinds> fills() {
        std::array<QColor, kKinds> colours;
        for (std::size_t kind = 0; kind < kKinds; ++kind)
            colours[kind] = QColor::fromRgb(qRgb(40 * static_cast<int>(kind) + 50, 200, 90));
        return colours;
    }

private slots:
    void everyPixelIsOfItsPart_data() {
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("kinds");
        QTest::addColumn<bool>("has_ground");
        QTest::newRow("two kinds") << 30 << 400 << 2 << true;
        QTest::newRow("all kinds") << 30 << 400 << int(kKinds) << true;
        QTest::newRow("what is behind shows") << 30 << 400 << 2 << false;
        QTest::newRow("several bands") << 300 << 700 << 3 << true;
        QTest::newRow("a band that is not full") << 47 << 1000 << 3 << false;
        QTest::newRow("one row") << 1 << 100 << int(kKinds) << true;
    }
    void everyPixelIsOfItsPart() {
        QFETCH(int, height);
        QFETCH(int, width);
        QFETCH(int, kinds);
        QFETCH(bool, has_ground);
        std::mt19937 random(11);
        for (const bool alike : {false, true}) {  // bands in which nothing ends
            QImage image(width + 10, height + 10, QImage::Format_RGB32);
            image.fill(kBehind);
            QPainter painter(&image);
            const QRectF strip(5, 4, width, height);
            BusyColumns columns(painter, strip, 1, fills(), has_ground ? QColor::fromRgb(kGround) : QColor());
            std::vector<std::optional<BusyColumns::Column>> stacks;  // nullopt: a box
            while (std::ssize(stacks) < width) {
                if (!alike && random() % 8 == 0) {
                    columns.addBox(5 + double(stacks.size()), 6 + double(stacks.size()),
                                   QColor::fromRgb(kBox));
                    stacks.emplace_back();
                    continue;
                }
                BusyColumns::Column& column = columns.add(5 + double(stacks.size()));
                for (int kind = 0; kind < kinds; ++kind)
                    column.share[std::size_t(kind)] = alike ? 0.8 / kinds
                                                      : random() % 3
                                                          ? double(random() % 100) / (110.0 * kinds)
                                                          : 0;
                stacks.emplace_back(column);
            }
            columns.paint();
            painter.end();
            for (int x = 0; x < width; ++x)
                for (int row = 0; row < height; ++row) {  // from the bottom
                    QRgb expected = has_ground ? kGround : kBehind;
                    double below = 0;
                    const auto& stack = stacks[std::size_t(x)];
                    for (std::size_t kind = 0; stack && kind < kKinds; ++kind) {
                        const bool before = row >= int(below * height + 0.5);
                        below += stack->share[kind];
                        if (before && row < int(below * height + 0.5)) expected = fills()[kind].rgb();
                    }
                    if (!stack) expected = kBox;
                    const QRgb painted = image.pixel(5 + x, 3 + height - row);
                    QVERIFY2(painted == expected,
                             qPrintable(QStringLiteral("column %1, row %2: %3, expected %4")
                                            .arg(x)
                                            .arg(row)
                                            .arg(painted, 0, 16)
                                            .arg(expected, 0, 16)));
                }
            for (const int y : {3, 4 + height})  // nothing beside it
                for (int x = 0; x < image.width(); ++x) QCOMPARE(image.pixel(x, y), kBehind);
        }
    }
};

BUBBLESCOPE_WINDOW_TEST(TestBusyColumns)

}  // namespace tst_busy_columns

#include "tst_busy_columns.moc"
