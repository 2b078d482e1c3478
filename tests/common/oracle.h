// Reads tests/data/oracle: the reference orders and the reference times of the schedules.
#pragma once

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QString>
#include <QStringList>
#include <stdexcept>
#include <vector>

#include "schedule/formats/csv.h"
#include "schedule/schedule.h"

namespace oracle {

inline QByteArray readFile(const QString& name) {
    QFile file(QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/tests/data/oracle/") + name);
    if (!file.open(QIODevice::ReadOnly))
        throw std::runtime_error("cannot read " + file.fileName().toStdString());
    return file.readAll();
}

struct Order {
    bscope::ScheduleParams params;
    QStringList rows;  // (p,) comma separated cells
};

// Every block of orders/NAME.csv.
inline std::vector<Order> orders(const QString& schedule) {
    static const QRegularExpression header(
        "^# p=(\\d+) v=(\\d+) m=(\\d+) group=(\\d+)(?: segments=(\\d+))?$");
    std::vector<Order> blocks;
    for (const QString& line :
         QString::fromUtf8(readFile("orders/" + schedule + ".csv")).split('\n', Qt::SkipEmptyParts)) {
        const QRegularExpressionMatch match = header.match(line);
        if (!match.hasMatch()) {
            blocks.back().rows.push_back(line);
            continue;
        }
        blocks.push_back({{match.captured(1).toInt(), match.captured(2).toInt(), match.captured(3).toInt(),
                           match.captured(4).toInt()},
                          {}});
        if (match.hasCaptured(5)) blocks.back().params.segments = match.captured(5).toInt();
    }
    return blocks;
}

// Every entry of expected.json for the schedule.
inline std::vector<QJsonObject> expected(const QString& schedule) {
    std::vector<QJsonObject> entries;
    for (const QJsonValue& entry : QJsonDocument::fromJson(readFile("expected.json")).array())
        if (entry["schedule"] == schedule) entries.push_back(entry.toObject());
    return entries;
}

inline bscope::ScheduleParams paramsOf(const QJsonObject& entry) {
    return {entry["p"].toInt(), entry["v"].toInt(), entry["m"].toInt(), entry["group"].toInt()};
}

inline QString rowOf(const std::vector<bscope::Action>& order) {
    std::string row;
    bscope::appendRow(row, order, ",");
    return QString::fromStdString(row);
}

}  // namespace oracle
