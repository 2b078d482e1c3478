#include "app/session/session_failure.h"

#include "widgets/text/config_text.h"

namespace bscope::ui {

void whenFailed(Session& session, QObject* context, const std::function<void(const QString&)>& fail) {
    QObject::connect(&session, &Session::stateChanged, context, [&session, fail] {
        if (session.state() != SessionState::Failed && session.state() != SessionState::Disconnected) return;
        const Notice& trouble = session.trouble();
        fail((trouble.sentence.text() + QLatin1Char(' ') + trouble.what_to_do.text()).trimmed());
    });
    QObject::connect(&session, &Session::problemsChanged, context, [&session, fail] {
        QStringList all;
        for (const Problem& problem : session.problems()) all.append(problemText(problem));
        if (!all.isEmpty()) fail(all.join(QLatin1Char('\n')));
    });
}

}  // namespace bscope::ui
