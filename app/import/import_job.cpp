#include "app/import/import_job.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include "app/engine/engine_words.h"
#include "widgets/text/config_text.h"
#include "widgets/text/format.h"

namespace bscope::ui {
namespace {

constexpr int kExplain_ms = 10'000;
constexpr qsizetype kBeginning = 1 << 16;
constexpr qint64 kMostScenarioBytes = 16 << 20;

// [[0,2],[1,3]]
QList<QList<int>> ranksOf(const QJsonArray& json) {
    QList<QList<int>> replicas;
    for (const QJsonValue& each : json) {
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
      command_(BscopeCommand::Output::Dropped, this),
      explain_(BscopeCommand::Output::Kept, this) {
    connect(&command_, &BscopeCommand::progressed, this, [this](int done, int of) {
        emit progress(of > 0 ? 100 * done / of : 0);
    });
    connect(&command_, &BscopeCommand::reported, this, [this](const QString& key, const QJsonValue& value) {
        if (key == u"unfinished")
            unfinished_ = true;
        else if (key == u"continued")
            part_ = true;
        else if (key == u"some_ranks")
            partial_ = value.toObject();
        else if (key == u"replicas")
            replicas_ = ranksOf(value.toArray());
    });
    explain_limit_.setSingleShot(true);
    connect(&explain_limit_, &QTimer::timeout, this, [this] {
        explain_.cancel();
        emit failed(failure_);
    });
    connect(&explain_, &BscopeCommand::ended, this, &ImportJob::explained);
    connect(&explain_, &BscopeCommand::notStarted, this, &ImportJob::explained);
    connect(&command_, &BscopeCommand::ended, this, &ImportJob::finish);
    connect(&command_, &BscopeCommand::notStarted, this, [this](const QString& why) {
        emit failed({tr("The files could not be read: %1.").arg(why),
                     tr("Check that the program bscope is installed beside this one."),
                     {}});
    });
}

void ImportJob::start(const QStringList& paths, std::optional<int> replica, bool goes_on,
                      std::optional<int> start_up) {
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
    if (start_up) arguments << QStringLiteral("--iteration") << QString::number(*start_up);
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
    failure_ = {tr("%1 cannot be imported.").arg(name_),
                sentenceText(command_.refusal().empty() ? command_.errors().join(u' ')
                                                        : said(command_.refusal())),
                {}};
    QStringList arguments{QStringLiteral("import"), QStringLiteral("--explain"), QStringLiteral("--json")};
    for (const QString& path : paths_) arguments << QFileInfo(path).absoluteFilePath();
    explain_limit_.start(kExplain_ms);
    explain_.start(arguments);
}

// What every file was taken for.
void ImportJob::explained() {
    explain_limit_.stop();
    QStringList lines;
    const QJsonObject answer = QJsonDocument::fromJson(explain_.takeOutput()).object();
    for (const QJsonValue& each : answer.value(u"files").toArray()) {
        const QJsonObject file = each.toObject();
        lines << file.value(u"file").toString() + QStringLiteral(": ") +
                     said(sentenceFrom(file.value(u"words").toObject()));
    }
    failure_.details = lines.join(u'\n');
    emit failed(failure_);
}

void ImportJob::cancel() {
    explain_limit_.stop();
    command_.cancel();
    explain_.cancel();
}

}  // namespace bscope::ui
