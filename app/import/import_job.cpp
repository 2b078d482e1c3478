#include "app/import/import_job.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include "app/engine/engine_process.h"
#include "app/engine/engine_words.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr int kStop_ms = 3000, kExplain_ms = 10'000;
constexpr qsizetype kBeginning = 1 << 16;
constexpr qint64 kMostScenarioBytes = 16 << 20;

// "[[0,2],[1,3]]"
QList<QList<int>> ranksOf(const QString& json) {
    QList<QList<int>> replicas;
    for (const QJsonValue& each : QJsonDocument::fromJson(json.toUtf8()).array()) {
        QList<int> ranks;
        for (const QJsonValue& rank : each.toArray()) ranks << rank.toInt();
        replicas << ranks;
    }
    return replicas;
}

}  // namespace

bool looksLikeImport(const QString& path) {
    const QFileInfo info(path);
    if (info.isDir()) return true;
    const QString name = info.fileName().toLower();
    for (const char* ending : {".gz", ".sqlite", ".db", ".jsonl"})
        if (name.endsWith(QLatin1String(ending))) return true;
    if (!name.endsWith(QStringLiteral(".json"))) return false;
    static const QRegularExpression known(QStringLiteral("^(pp_rank_\\d+|event_times_pp.*)\\.json$"));
    if (info.size() > kMostScenarioBytes || known.match(name).hasMatch()) return true;
    QFile file(path);
    if (!info.isFile() || !file.open(QIODevice::ReadOnly)) return false;
    const QByteArray text = file.read(kBeginning).trimmed();
    return text.startsWith('[') || text.contains("\"traceEvents\"") || text.contains("\"pp_size\"");
}

ImportJob::ImportJob(QObject* parent)
    : QObject(parent),
      command_(QRegularExpression(QStringLiteral("^(read|replicas|unfinished|partial|part) (\\d+|\\[.*|\\{.*)( %)?$")),
               BscopeCommand::Output::Dropped, this) {
    connect(&command_, &BscopeCommand::progressed, this, [this](const QRegularExpressionMatch& match) {
        if (match.captured(1) == u"read")
            emit progress(match.captured(2).toInt());
        else if (match.captured(1) == u"unfinished")
            unfinished_ = true;
        else if (match.captured(1) == u"part")
            part_ = true;
        else if (match.captured(1) == u"partial")
            partial_ = QJsonDocument::fromJson(match.captured(2).toUtf8()).object();
        else
            replicas_ = ranksOf(match.captured(2));
    });
    connect(&command_, &BscopeCommand::ended, this, &ImportJob::finish);
    connect(&command_, &BscopeCommand::notStarted, this, [this](const QString& why) {
        emit failed({tr("The files could not be read: %1.").arg(why),
                     tr("Check that the program bscope is installed beside this one."),
                     {}});
    });
}

void ImportJob::start(const QStringList& paths, std::optional<int> replica, bool goes_on) {
    cancel();
    paths_ = paths;
    replicas_.clear();
    partial_ = {};
    unfinished_ = part_ = false;
    const QFileInfo first(QDir::cleanPath(paths.front()));
    name_ = paths.size() == 1 ? first.fileName() : first.dir().dirName();
    const QString number = QString::number(++made_);
    QDir(folder_.path()).mkdir(number);
    recording_ = folder_.filePath(number + u'/' + name_ + QStringLiteral(".bscope"));
    const QString since = folder_.filePath(QStringLiteral("since.json"));
    if (!goes_on) QFile::remove(since);
    QStringList arguments{QStringLiteral("import"),  QStringLiteral("--progress"),
                          QStringLiteral("-o"),      recording_,
                          QStringLiteral("--since"), since};
    if (replica) arguments << QStringLiteral("--replica") << QString::number(*replica);
    for (const QString& path : paths) arguments << QFileInfo(path).absoluteFilePath();
    command_.start(arguments);
}

void ImportJob::finish(int code, QProcess::ExitStatus status) {
    if (status == QProcess::NormalExit && code == 0) return emit done(recording_);
    if (status != QProcess::NormalExit)
        return emit failed(
            {tr("Reading %1 ended unexpectedly.").arg(name_), {}, command_.errors().join(u'\n')});
    if (!replicas_.isEmpty()) return emit severalReplicas(replicas_);
    if (!partial_.isEmpty()) return emit partOfPipeline(partial_);
    QString why = command_.errors().join(u' ');
    static const QRegularExpression program(QStringLiteral("^bscope[a-z ]*: "));
    why.remove(program);
    emit failed({tr("%1 cannot be imported.").arg(name_),
                 sentenceText(command_.refusal().empty() ? why : said(command_.refusal())), explained()});
}

// What every file was taken for.
QString ImportJob::explained() const {
    QStringList arguments{QStringLiteral("import"), QStringLiteral("--explain"), QStringLiteral("--json")};
    for (const QString& path : paths_) arguments << QFileInfo(path).absoluteFilePath();
    QProcess explain;
    explain.start(EngineProcess::findProgram(), arguments, QIODevice::ReadOnly);
    if (!explain.waitForFinished(kExplain_ms)) {
        explain.kill();
        explain.waitForFinished(kStop_ms);
        return {};
    }
    QStringList lines;
    const QJsonObject told = QJsonDocument::fromJson(explain.readAllStandardOutput()).object();
    for (const QJsonValue& each : told.value(u"files").toArray()) {
        const QJsonObject file = each.toObject();
        lines << file.value(u"file").toString() + QStringLiteral(": ") +
                     said(sentenceFrom(file.value(u"words").toObject()));
    }
    return lines.join(u'\n');
}

}  // namespace bscope::ui
