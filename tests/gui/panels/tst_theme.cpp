// The palette: the exact tested colours, ink that can be read on every box, kinds that stay apart for every
// kind of colour vision (CIEDE2000 after Machado, Oliveira and Fernandes 2009 at full severity).
#include <QTest>
#include <array>
#include <cmath>

#include "registered_test.h"
#include "widgets/theme/theme.h"

namespace tst_theme {

using namespace bscope;
using namespace bscope::ui;

namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

constexpr Matrix kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritan{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

Vector linearRgb(const QColor& colour) {
    const auto linear = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return {linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())};
}

Vector times(const Matrix& m, const Vector& v) {
    Vector out{};
    for (std::size_t i = 0; i < 3; ++i) out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    return out;
}

Vector lab(const QColor& colour, const Matrix& vision) {
    Vector rgb = times(vision, linearRgb(colour));
    for (double& c : rgb) c = std::clamp(c, 0.0, 1.0);
    constexpr Matrix to_xyz{{{0.4124564, 0.3575761, 0.1804375},
                             {0.2126729, 0.7151522, 0.0721750},
                             {0.0193339, 0.1191920, 0.9503041}}};
    const Vector xyz = times(to_xyz, rgb);
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f(xyz[0] / 0.95047), y = f(xyz[1]), z = f(xyz[2] / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

// CIEDE2000 (Sharma, Wu and Dalal 2005).
double difference(const Vector& a, const Vector& b) {
    constexpr double pi = 3.14159265358979323846, deg = pi / 180;
    const double mean_c = (std::hypot(a[1], a[2]) + std::hypot(b[1], b[2])) / 2;
    const double g = 0.5 * (1 - std::sqrt(std::pow(mean_c, 7) / (std::pow(mean_c, 7) + std::pow(25.0, 7))));
    const double a1 = a[1] * (1 + g), a2 = b[1] * (1 + g);
    const double c1 = std::hypot(a1, a[2]), c2 = std::hypot(a2, b[2]);
    const auto hue = [](double x, double y) {
        const double h = std::atan2(y, x) / deg;
        return x == 0 && y == 0 ? 0.0 : h < 0 ? h + 360 : h;
    };
    const double h1 = hue(a1, a[2]), h2 = hue(a2, b[2]);
    double dh = h2 - h1;
    if (c1 * c2 == 0)
        dh = 0;
    else if (dh > 180)
        dh -= 360;
    else if (dh < -180)
        dh += 360;
    const double dl = b[0] - a[0], dc = c2 - c1, big_dh = 2 * std::sqrt(c1 * c2) * std::sin(dh / 2 * deg);
    const double l = (a[0] + b[0]) / 2, c = (c1 + c2) / 2;
    double h = h1 + h2;
    if (c1 * c2 != 0) h = std::abs(h1 - h2) <= 180 ? h / 2 : (h < 360 ? h + 360 : h - 360) / 2;
    const double t = 1 - 0.17 * std::cos((h - 30) * deg) + 0.24 * std::cos(2 * h * deg) +
                     0.32 * std::cos((3 * h + 6) * deg) - 0.20 * std::cos((4 * h - 63) * deg);
    const double sl = 1 + 0.015 * std::pow(l - 50, 2) / std::sqrt(20 + std::pow(l - 50, 2));
    const double sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t;
    const double rotation = -std::sin(60 * std::exp(-std::pow((h - 275) / 25, 2)) * deg) * 2 *
                            std::sqrt(std::pow(c, 7) / (std::pow(c, 7) + std::pow(25.0, 7)));
    return std::sqrt(std::pow(dl / sl, 2) + std::pow(dc / sc, 2) + std::pow(big_dh / sh, 2) +
                     rotation * dc / sc * big_dh / sh);
}

constexpr std::array kBoxes{Op::Forward, Op::Backward, Op::BackwardInput, Op::BackwardWeight, Op::Recompute};

}  // namespace

class TestTheme : public QObject {
    Q_OBJECT
private slots:
    // The five steps of a difference stay apart, and each can be read on.
    void stepsOfADifferenceStayApart() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            const Theme theme = Theme::make(kind);
            for (const Matrix& vision : {kNormal, kProtan, kDeutan, kTritan})
                for (int a = -2; a <= 2; ++a)
                    for (int b = a + 1; b <= 2; ++b)
                        QVERIFY(difference(lab(theme.change(a), vision), lab(theme.change(b), vision)) > 13);
            for (int step = -2; step <= 2; ++step)
                QVERIFY(contrastRatio(theme.ink(theme.change(step)), theme.change(step)) >= 4.5);
        }
    }

    void exactColours() {
        const Theme light = Theme::make(ThemeKind::Light), dark = Theme::make(ThemeKind::Dark);
        const std::array<const char*, 9> light_colours{"#2f7fd0", "#205b98", "#7ea1da", "#f39103", "#c37302",
                                                       "#f7b992", "#1b5e20", "#114214", "#537554"};
        const std::array<const char*, 9> dark_colours{"#5c99ec", "#4779bb", "#96b7f0", "#f6c462", "#cfa451",
                                                      "#fae2c0", "#1b7a33", "#146127", "#629269"};
        constexpr std::array ops{Op::Forward, Op::Backward, Op::BackwardWeight};
        for (std::size_t i = 0; i < 9; ++i) {
            const int chunk = static_cast<int>(i % 3);
            QCOMPARE(light.fill(ops[i / 3], chunk).name(), QLatin1String(light_colours[i]));
            QCOMPARE(dark.fill(ops[i / 3], chunk).name(), QLatin1String(dark_colours[i]));
            QCOMPARE(light.fill(ops[i / 3], chunk + 3), light.fill(ops[i / 3], chunk));  // the shades repeat
        }
        QCOMPARE(light.fill(Op::Recompute).name(), QStringLiteral("#bdd3ed"));
        QCOMPARE(dark.fill(Op::Recompute).name(), QStringLiteral("#e5f9ff"));
        QCOMPARE(light.communication.name(), QStringLiteral("#a82a6e"));
        QCOMPARE(dark.communication.name(), QStringLiteral("#a83e7c"));
        QCOMPARE(light.bubble.name() + light.bubble_hatch.name(), QStringLiteral("#f1f3f5#c9cfd6"));
        QCOMPARE(dark.bubble.name() + dark.bubble_hatch.name(), QStringLiteral("#23272e#3a414b"));
        QCOMPARE(light.canvas.name() + dark.canvas.name(), QStringLiteral("#ffffff#14171c"));
        QCOMPARE(light.accent.name() + dark.accent.name(), QStringLiteral("#5b45d6#afa0ff"));
    }

    void inkIsReadableOnEveryBox() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Projector}) {
            const Theme theme = Theme::make(kind);
            for (const Op op : kBoxes)
                for (int chunk = 0; chunk < 3; ++chunk) {
                    const QColor fill = theme.fill(op, chunk);
                    QVERIFY2(contrastRatio(theme.ink(fill), fill) >= 4.5, qPrintable(fill.name()));
                }
        }
    }

    void textIsReadable() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Projector}) {
            const Theme theme = Theme::make(kind);
            for (const QColor& ground : {theme.canvas, theme.window, theme.panel}) {
                QVERIFY(contrastRatio(theme.text, ground) >= 7);
                QVERIFY(contrastRatio(theme.text_soft, ground) >= 4.5);
                QVERIFY(contrastRatio(theme.text_faint, ground) >= 4.4);
                QVERIFY(contrastRatio(theme.accent, ground) >= 4.5);
                QVERIFY(contrastRatio(theme.ok, ground) >= 4.5);
            }
        }
        const Theme projector = Theme::make(ThemeKind::Projector);
        QVERIFY(contrastRatio(projector.rule, projector.canvas) >= 2.9);
        QVERIFY(contrastRatio(projector.bubble_hatch, projector.bubble) >= 2.5);
    }

    void differenceFormulaMatchesPublishedPairs() {
        QVERIFY(std::abs(difference({50, 2.6772, -79.7751}, {50, 0, -82.7485}) - 2.0425) < 1e-4);
        QVERIFY(std::abs(difference({50, 2.5, 0}, {73, 25, -18}) - 27.1492) < 1e-4);
        QVERIFY(std::abs(difference({22.7233, 20.0904, -46.6940}, {23.0331, 14.9730, -42.5619}) - 2.0373) <
                1e-4);
    }

    void kindsStayApartForEveryVision() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            const Theme theme = Theme::make(kind);
            const std::array kinds{theme.fill(Op::Forward), theme.fill(Op::Backward),
                                   theme.fill(Op::BackwardWeight), theme.fill(Op::Recompute),
                                   theme.communication};
            for (const Matrix& vision : {kNormal, kProtan, kDeutan, kTritan})
                for (std::size_t i = 0; i < kinds.size(); ++i)
                    for (std::size_t j = i + 1; j < kinds.size(); ++j) {
                        const double apart = difference(lab(kinds[i], vision), lab(kinds[j], vision));
                        QVERIFY2(apart >= 20, qPrintable(kinds[i].name() + u' ' + kinds[j].name() + u' ' +
                                                         QString::number(apart)));
                    }
        }
    }

    void kindsStayOrderedInGrey() {
        const Theme theme = Theme::make(ThemeKind::Light);
        const auto lightness = [&theme](Op op) { return lab(theme.fill(op), kNormal)[0]; };
        QVERIFY(lightness(Op::BackwardWeight) + 10 < lightness(Op::Forward));
        QVERIFY(lightness(Op::Forward) + 10 < lightness(Op::Backward));
        QVERIFY(lightness(Op::Backward) + 10 < lightness(Op::Recompute));
    }

    // Of the palette by stage: neighbours in the pipeline and the first four are apart for every vision; its
    // depths keep their order in grey, for every stage, and each can be read on.
    void stagesStayApartAndDepthsInOrder() {
        const Theme theme = Theme::make(ThemeKind::Light, ColourScheme::Stages);
        const int hues = theme.palette().shades();
        for (const Op op : {Op::Forward, Op::Backward})
            for (const Matrix& vision : {kNormal, kProtan, kDeutan, kTritan})
                for (int a = 0; a < hues; ++a)
                    for (int b = a + 1; b < hues; ++b) {
                        const double apart =
                            difference(lab(theme.fill(op, a), vision), lab(theme.fill(op, b), vision));
                        const bool near = b < 4 || b == a + 1 || (a == 0 && b == hues - 1);
                        QVERIFY2(apart > (near                ? 11
                                          : vision == kNormal ? 13
                                                              : 5),
                                 qPrintable(QStringLiteral("%1 %2: %3").arg(a).arg(b).arg(apart)));
                    }
        const auto lightness = [&](Op op, int stage) { return lab(theme.fill(op, stage), kNormal)[0]; };
        for (int stage = 0; stage < hues; ++stage) {
            QVERIFY(lightness(Op::BackwardWeight, stage) + 12 < lightness(Op::Backward, stage));
            QVERIFY(lightness(Op::Backward, stage) + 12 < lightness(Op::Forward, stage));
            QVERIFY(lightness(Op::Forward, stage) + 12 < lightness(Op::Recompute, stage));
            QCOMPARE(theme.fill(Op::BackwardInput, stage), theme.fill(Op::Backward, stage));
            for (const Op op : kBoxes) {
                const QColor fill = theme.fill(op, stage);
                QVERIFY2(contrastRatio(theme.ink(fill), fill) >= 4.5, qPrintable(fill.name()));
            }
        }
    }

    void iterationShadeHasFourSteps() {
        const Theme theme = Theme::make(ThemeKind::Light);
        QCOMPARE(theme.iterationShade(0.05), theme.iterationShade(0.199));
        QCOMPARE(theme.iterationShade(0.25).name(), QStringLiteral("#94a0ac"));
        QCOMPARE(theme.iterationShade(0.35).name(), QStringLiteral("#667380"));
        QCOMPARE(theme.iterationShade(0.9).name(), QStringLiteral("#39434d"));
    }

    void scaleAndProjector() {
        const Theme normal = Theme::make(ThemeKind::Light),
                    large = Theme::make(ThemeKind::Light, ColourScheme::Bubblescope, 1.5);
        QCOMPARE(normal.font(12).pixelSize(), 12);
        QCOMPARE(large.font(12).pixelSize(), 18);
        QCOMPARE(large.px(26), 39);
        const Theme projector = Theme::make(ThemeKind::Projector);
        QCOMPARE(projector.font(10).pixelSize(), 14);
        QCOMPARE(projector.line(), 2.0);
        QVERIFY(projector.hatchSpacing() > 1.9 * normal.hatchSpacing());
        QCOMPARE(normal.font(12).families(), (QStringList{"Inter", "Noto Sans CJK SC"}));
    }

    void styleSheetIsComplete() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            const QString sheet = chromeStyleSheet(Theme::make(kind));
            QVERIFY(!sheet.contains(u'@'));
            QCOMPARE(sheet.count(u'{'), sheet.count(u'}'));
            QVERIFY(sheet.contains(Theme::make(kind).window.name()));
        }
    }

    // Numbers on boxes can be read, also on those that a selection dims.
    void dimmedBoxesKeepTheirNumbers() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::Projector})
            for (const ColourScheme scheme : kColourSchemes) {
                const Theme theme = Theme::make(kind, scheme);
                for (const Op op : {Op::Forward, Op::Backward, Op::BackwardInput, Op::BackwardWeight,
                                    Op::Recompute, Op::OptimizerStep})
                    for (int shade = 0; shade < theme.palette().shades(); ++shade)
                        for (const double share : {0.3, 0.5, 1.0}) {
                            const QColor fill = mixed(theme.fill(op, shade), theme.canvas, share);
                            QVERIFY(contrastRatio(theme.quietInk(fill, 0.72), fill) >= 4.5);
                        }
            }
    }
};

BUBBLESCOPE_WINDOW_TEST(TestTheme)

}  // namespace tst_theme

#include "tst_theme.moc"
