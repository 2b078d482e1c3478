// GradientDialog: whether the pipeline computes what one device computes. Says which configuration was
// checked, what came out, and what has changed since. Plain values in, signals out. Window thread only.
#pragma once

#include <QDialog>
#include <QProgressBar>
#include <optional>

#include "widgets/controls/button.h"
#include "widgets/controls/label.h"
#include "widgets/dialogs/gradient_check.h"

namespace bscope::ui {

class GradientDialog : public QDialog, public Themed {
    Q_OBJECT
public:
    explicit GradientDialog(QWidget* parent = nullptr);

    // What the window shows now; obstacle: why it cannot be checked, "" = it can.
    void setCurrent(const RunConfig& config, const QString& obstacle);
    // A check of this configuration goes on; pauses: the run waits for it. total 0: not known yet.
    void setRunning(const RunConfig& config, int done, int total, bool pauses);
    void setResult(const GradientCheck& check);
    void setFailure(const RunConfig& config, const QString& why);
    void setCancelled();  // what was found before is shown again
    void followTheme() override;

    bool running() const { return running_; }
    QString configuration() const { return configuration_->text(); }
    QString verdict() const { return verdict_->text(); }
    QString details() const { return details_->text(); }
    QString outdated() const { return outdated_->isHidden() ? QString() : outdated_->text(); }
    QString progressText() const { return progress_text_->text(); }
    Button* startButton() const { return start_; }
    Button* cancelButton() const { return cancel_; }

signals:
    void startClicked();
    void cancelClicked();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void refreshFound();
    const RunConfig& about() const;  // the configuration that the dialog speaks of

    RunConfig current_, tested_;
    QString obstacle_, failure_;
    std::optional<GradientCheck> found_;
    bool running_ = false, pauses_ = false;
    int done_ = 0, total_ = 0;
    Label *title_, *configuration_, *verdict_, *details_, *outdated_, *progress_text_, *note_;
    QProgressBar* bar_;
    Button *start_, *cancel_, *close_;
};

}  // namespace bscope::ui
