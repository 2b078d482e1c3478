// Numbers as the window writes them: one decimal point in every language, a no-break space before the unit, a
// real minus sign. Differences are taken between rounded numbers, so that no reader finds an error by
// subtracting what is on screen. Pure functions, any thread; words in them are translated.
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>

namespace bscope::ui {

// value rounded to decimals places, "−" for negative numbers; trimmed = without trailing zeros.
QString numberText(double value, int decimals);
QString trimmedText(double value, int decimals);
QString withUnit(const QString& number, const QString& unit);
// "+0.4", "−3.7", "0.0".
QString signedText(double value, int decimals);

// after − before as a reader would compute it from both printed numbers.
double printedDifference(double before, double after, int decimals);
// The fewest decimals, `least` of them at least, with which the shortest of several values does not come out
// as nothing or as 1: 0.2 with one, 0.19 with two. 0 asks for none.
int decimalsFor(double shortest, int least);

QString msNumber(double ms);        // "282.4", "1019", "0.84"
QString msText(double ms);          // "282.4 ms", from 100 s on "284.9 s"
QString shareNumber(double share);  // 0.31 -> "31.0"
QString shareText(double share);    // 0.31 -> "31.0 %"
QString pointsText(double from_share,
                   double to_share);              // "−3.7 pt": difference of the two printed percentages
QString bytesText(double bytes);                  // "75.2 MB", "25.1 GB", "150 MB"; 1 MB = 1e6 bytes
QString capText(double cap_mb);                   // "96 MB", "32 GB"
QString megabytesNumber(double bytes);            // "75.2", "512", "0.043": of bytesText() in MB
QString rateNumber(double tokens_per_s);          // "14.50 k"
QString changeText(double before, double after);  // "+7.0 %"
QString clockText(int seconds);                   // 75 -> "1:15"

// "Rank 0", or "GPU 0" when every rank is a GPU of its own.
QString rankText(int rank, bool is_gpu = false);
QString rankInText(int rank, bool is_gpu = false);  // within a sentence: "rank 0"
// Chunk letter of a stage's chunk index: a, b, c, ...; empty for v = 1.
QString chunkLetter(int chunk, int v);
// What computes, as the engine calls it ("CPU, 2 cores", "4 x H200"), in the window's words.
QString deviceWords(const QString& device);
// A statement as a sentence: "there is none" -> "There is none."; names of fields stay as they are.
QString sentenceText(const QString& statement);
// Sentences one after the other, parts of an enumeration, and a text after others: with the blanks that the
// language wants, none beside full-width marks.
QString sentencesText(const QStringList& sentences);
QString listText(const QStringList& parts);
QString spaced(const QString& text);
// With "6.2 k tokens/s", "27 %", "m = 32" and formulas, "(m + p − 1)", held together where a line may break.
QString unbroken(QString text);
// A menu's or a button's text without what marks its key: "&File" -> "File", "文件(&F)" -> "文件".
QString withoutMnemonic(QString text);
// Number of a micro-batch as pictures print it.
// "4", and of a segment "4.2".
QString microbatchText(int microbatch, bool count_from_zero, int segment = -1);

}  // namespace bscope::ui
