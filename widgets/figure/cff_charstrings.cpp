#include "widgets/figure/cff_charstrings.h"

#include <algorithm>

namespace bscope::ui {

namespace {

constexpr quint8 kCallSubr = 10, kEscape = 12, kHintMask = 19, kCounterMask = 20, kShort = 28,
                 kCallGlobal = 29;
constexpr quint8 kCharStringsOperator = 17, kLongNumber = 29, kRealNumber = 30;

quint8 byteAt(QByteArrayView bytes, qsizetype at) {
    return at >= 0 && at < bytes.size() ? static_cast<quint8>(bytes[at]) : 0;
}

// rmoveto, rlineto, the curves: what draws, or moves to where something is drawn.
bool makesPath(quint8 op) {
    return (op >= 4 && op <= 8) || op == 21 || op == 22 || (op >= 24 && op <= 27) || op == 30 || op == 31;
}

}  // namespace

CffCharstrings::CffCharstrings(const QByteArray& cff) : cff_(cff) {
    if (cff.size() < 8) return;
    const qsizetype top = endOf(byteAt(cff, 2));  // behind the names
    if (count(top) == 0) return;
    const qsizetype end = std::min(entry(top, 1), cff.size());
    qint64 value = 0;
    for (qsizetype at = entry(top, 0); at < end;) {
        const quint8 first = byteAt(cff, at++);
        if (first == kCharStringsOperator) {
            index_ = value > 0 && value < cff.size() ? static_cast<qsizetype>(value) : 0;
        } else if (first == kShort) {
            value = static_cast<qint16>(number(at, 2));
            at += 2;
        } else if (first == kLongNumber) {
            value = static_cast<qint32>(number(at, 4));
            at += 4;
        } else if (first == kRealNumber) {
            while (at < end && (byteAt(cff, at) & 15) != 15 && byteAt(cff, at) >> 4 != 15) ++at;
            ++at;
        } else if (first == kEscape) {
            ++at;
        } else if (first >= 32 && first <= 246) {
            value = first - 139;
        } else if (first >= 247 && first <= 254) {
            value = first < 251 ? (first - 247) * 256 + byteAt(cff, at) + 108
                                : -(first - 251) * 256 - byteAt(cff, at) - 108;
            ++at;
        }
    }
}

quint32 CffCharstrings::number(qsizetype at, int size) const {
    quint32 value = 0;
    for (int i = 0; i < size; ++i) value = value << 8 | byteAt(cff_, at + i);
    return value;
}

qsizetype CffCharstrings::entry(qsizetype at, quint32 index) const {
    const int size = byteAt(cff_, at + 2);
    const qsizetype data = at + 3 + (static_cast<qsizetype>(count(at)) + 1) * size - 1;
    return data + static_cast<qsizetype>(number(at + 3 + static_cast<qsizetype>(index) * size, size));
}

QByteArrayView CffCharstrings::of(quint32 glyph) const {
    if (index_ == 0 || glyph >= count(index_)) return {};
    const qsizetype first = entry(index_, glyph), past = entry(index_, glyph + 1);
    if (first < 0 || past < first || past > cff_.size()) return {};
    return QByteArrayView(cff_).sliced(first, past - first);
}

// Up to the first mask there are numbers and operators alone, so that nothing has to be known of the hints.
bool CffCharstrings::losesSubroutines(quint32 glyph) const {
    const QByteArrayView program = of(glyph);
    bool draws = false;
    for (qsizetype at = 0; at < program.size();) {
        const quint8 first = byteAt(program, at++);
        if (first == kHintMask || first == kCounterMask) {
            const auto calls = [](char byte) {
                return static_cast<quint8>(byte) == kCallSubr || static_cast<quint8>(byte) == kCallGlobal;
            };
            return draws && std::any_of(program.begin() + at, program.end(), calls);
        }
        if (first == kShort) at += 2;
        if (first == kEscape || (first >= 247 && first <= 254)) ++at;
        if (first == 255) at += 4;
        draws |= makesPath(first);
    }
    return false;
}

}  // namespace bscope::ui
