// The columns of a table file as docs/FILE_FORMATS.md lists them.
#pragma once

#include <QFile>
#include <QRegularExpression>
#include <QString>
#include <QStringList>

namespace bscope {

// Of the first table behind these words: the names in its first column, joined as in the file's first line.
inline QString documentedColumns(const QString& words) {
    QFile file(QStringLiteral(BUBBLESCOPE_SOURCE_DIR "/docs/FILE_FORMATS.md"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QString table = QString::fromUtf8(file.readAll()).section(words, 1).section("\n\n", 1, 1);
    static const QRegularExpression name(QStringLiteral("`([a-z_]+)`"));
    QStringList columns;
    for (const QString& row : table.split('\n').mid(2))
        for (auto matches = name.globalMatch(row.section('|', 1, 1)); matches.hasNext();)
            columns += matches.next().captured(1);
    return columns.join(',');
}

}  // namespace bscope
