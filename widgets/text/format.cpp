// Number formatting shared by all panels.
#include "widgets/text/format.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <cmath>

#include "view/text/device_words.h"
#include "widgets/text/config_text.h"
#include "words/formula_text.h"
#include "words/number_text.h"

namespace bscope::ui {
namespace {

constexpr QChar kNoBreakSpace(0x00A0);
constexpr QChar kMinus(0x2212);
constexpr double kLong_ms = 1e5;

QString translated(const char* text) {
    return QCoreApplication::translate("Format", text);
}

// CJK marks and full-width forms bring their own blank.
bool isFullWidthMark(QChar c) {
    return (c.unicode() >= 0x3000 && c.unicode() <= 0x303f) ||
           (c.unicode() >= 0xff00 && c.unicode() <= 0xffef);
}

}  // namespace

QString numberText(double value, int decimals) {
    QString text = QString::fromStdString(fixedText(value, decimals));
    if (text.startsWith('-')) text.replace(0, 1, kMinus);
    return text;
}

QString trimmedText(double value, int decimals) {
    QString text = numberText(value, decimals);
    if (!text.contains('.')) return text;
    while (text.endsWith('0')) text.chop(1);
    if (text.endsWith('.')) text.chop(1);
    return text;
}

QString withUnit(const QString& number, const QString& unit) {
    return number + kNoBreakSpace + unit;
}

QString signedText(double value, int decimals) {
    const QString text = numberText(value, decimals);
    return roundedTo(value, decimals) > 0 ? '+' + text : text;
}

double printedDifference(double before, double after, int decimals) {
    return roundedTo(roundedTo(after, decimals) - roundedTo(before, decimals), decimals);
}

int decimalsFor(double shortest, int least) {
    return decimalsReaching(shortest, least, 2);
}

QString msNumber(double ms) {
    if (std::abs(ms) >= 1000) return numberText(ms, 0);
    return std::abs(ms) >= 1 ? numberText(ms, 1) : trimmedText(ms, decimalsOf(ms));
}

QString msText(double ms) {
    return ms < kLong_ms ? withUnit(msNumber(ms), "ms") : withUnit(numberText(ms / 1000, 1), "s");
}

QString shareNumber(double share) {
    return numberText(100 * share, 1);
}

QString shareText(double share) {
    return withUnit(shareNumber(share), "%");
}

QString pointsText(double from_share, double to_share) {
    return withUnit(signedText(printedDifference(100 * from_share, 100 * to_share, 1), 1),
                    translated(QT_TRANSLATE_NOOP("Format", "pt")));
}

QString megabytesNumber(double bytes) {
    const double value = bytes / 1e6;
    return numberText(value, value < 100 ? decimalsOf(value) : 0);
}

QString bytesText(double bytes) {
    const bool giga = bytes >= 1e9;
    return withUnit(megabytesNumber(giga ? bytes / 1e3 : bytes), giga ? "GB" : "MB");
}

QString capText(double cap_mb) {
    return cap_mb >= 1000 ? withUnit(trimmedText(cap_mb / 1000, 1), "GB")
                          : withUnit(trimmedText(cap_mb, 1), "MB");
}

QString rateNumber(double tokens_per_s) {
    if (tokens_per_s >= 1e6) return withUnit(numberText(tokens_per_s / 1e6, 2), "M");
    if (tokens_per_s >= 1e3) return withUnit(numberText(tokens_per_s / 1e3, tokens_per_s < 1e5 ? 2 : 1), "k");
    return numberText(tokens_per_s, 0);
}

QString changeText(double before, double after) {
    if (before <= 0) return {};
    return withUnit(signedText(100 * (after / before - 1), 1), "%");
}

QString clockText(int seconds) {
    return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QChar(u'0'));
}

QString rankText(int rank, bool is_gpu) {
    return (is_gpu ? translated(QT_TRANSLATE_NOOP("Format", "GPU %1"))
                   : translated(QT_TRANSLATE_NOOP("Format", "Rank %1")))
        .arg(rank);
}

QString rankInText(int rank, bool is_gpu) {
    return is_gpu ? rankText(rank, is_gpu) : translated(QT_TRANSLATE_NOOP("Format", "rank %1")).arg(rank);
}

QString chunkLetter(int chunk, int v) {
    return v > 1 && chunk >= 0 ? QString(QChar('a' + chunk % 26)) : QString();
}

QString deviceWords(const QString& device) {
    return said(bscope::deviceWords(device.toStdString()));
}

QString sentenceText(const QString& statement) {
    static const QRegularExpression word(QStringLiteral("^[a-z]{3,}\\b(?! =)"));
    static const QRegularExpression ended(QStringLiteral("[.!?…。！？]$"));
    QString text = statement;
    if (word.match(text).hasMatch()) text.front() = text.front().toUpper();
    return ended.match(text).hasMatch() ? text : translated(QT_TRANSLATE_NOOP("Format", "%1.")).arg(text);
}

QString sentencesText(const QStringList& sentences) {
    QString text;
    for (const QString& sentence : sentences) {
        if (!text.isEmpty() && !isFullWidthMark(text.back())) text += u' ';
        text += sentence;
    }
    return text;
}

QString listText(const QStringList& parts) {
    return parts.join(translated(QT_TRANSLATE_NOOP("Format", ", ")));
}

QString spaced(const QString& text) {
    return text.isEmpty() || isFullWidthMark(text.front()) ? text : u' ' + text;
}

// "(m + p − 1)(F + B)" and other formulas, too.
QString unbroken(QString text) {
    static const QRegularExpression before_unit(QStringLiteral("(?<=[\\dkM…–]) (?=%|tokens/s)"));
    // A name that ends in Chinese, put into a sentence that expects Latin letters.
    static const QRegularExpression in_chinese(
        QStringLiteral("(?<=[\\p{Han}，。：；、？！）》”]) (?=[\\p{Han}，。：；、（《“])"),
        QRegularExpression::UseUnicodePropertiesOption);
    // Else a line may end between "(p − 1)", "/" and "(m + p − 1)".
    static const QRegularExpression in_formula(
        QStringLiteral("(\u00a0[^()]{1,24}\\)(?:/(?=\\w)|/?(?=\\([^()]{1,24}\u00a0)))"));
    static const QRegularExpression of_letters(
        QStringLiteral("(\\([\\w·]{1,4}/(?=[\\w·]{1,4}\u00a0)|\\b\\w{1,3}/(?=\\([^()]{1,24}\u00a0))"));
    // "24/t", "5as/(ht)", "(34 + 5as/h)/t"
    static const QRegularExpression fraction(
        QStringLiteral("(\\b\\w{1,3}/(?=\\w{1,2}\\b(?!/)|\\(\\w{1,4}\\))|\\)/(?=\\w{1,2}\\b))"));
    text = QString::fromStdString(withFormulasHeld(text.remove(in_chinese).toStdString()));
    return text.replace(before_unit, QString(QChar::Nbsp))
        .replace(QStringLiteral("tokens/s"), QStringLiteral("tokens/\u2060s"))
        .replace(in_formula, QStringLiteral("\\1\u2060"))
        .replace(of_letters, QStringLiteral("\\1\u2060"))
        .replace(fraction, QStringLiteral("\\1\u2060"));
}

QString withoutMnemonic(QString text) {
    static const QRegularExpression chinese_mnemonic(QStringLiteral("\\(&[A-Z]\\)"));
    text.remove(chinese_mnemonic);
    return text.replace(QStringLiteral("&&"), QString(QChar(1)))
        .remove('&')
        .replace(QChar(1), QStringLiteral("&"));
}

QString microbatchText(int microbatch, bool count_from_zero, int segment) {
    const int first = count_from_zero ? 0 : 1;
    const QString number = QString::number(microbatch + first);
    return segment < 0 ? number : number + '.' + QString::number(segment + first);
}

}  // namespace bscope::ui
