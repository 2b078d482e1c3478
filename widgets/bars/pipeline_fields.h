// PipelineFields: what of a configuration stands open in the tool bar: schedule, p, m, v and checkpointing,
// each with its label. They show a configuration, put what stands in them into one, and are marked where a
// value is illegal or waits. Plain values in, signals out. Window thread only.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "catalog/catalog.h"
#include "widgets/bars/config_edit.h"
#include "widgets/controls/field.h"
#include "widgets/controls/label.h"
#include "widgets/schedule/schedule_field.h"

namespace bscope::ui {

class PipelineFields : public QObject {
    Q_OBJECT
public:
    explicit PipelineFields(QWidget* parent);  // which they stand in

    // No signal. knows_checkpointing: false of a run of another program.
    void show(const RunConfig& config, bool knows_checkpointing);
    // `base` with what stands in the fields; what was said of single stages goes when their number changes.
    RunConfig appliedTo(RunConfig base) const;
    // As if it had been chosen in its field, but without a signal.
    void setSchedule(const QString& name);
    // The schedule was chosen by its name, its v was not: the one that `chunks` says comes with it; a file's
    // schedule comes with p, m and v. Gives a sentence when v changed, otherwise nothing.
    QString takeUsual(const ConfigEdit& edit);
    void markIllegal(const std::vector<Problem>& problems, const std::vector<Fix>& fixes);
    void markPending(const ConfigEdit& edit);
    void setEnabled(bool on);
    void retranslate();

    ScheduleField* const schedule;
    NumberField *const p, *const m, *const v;
    ChoiceField* const recompute;
    Label *const schedule_label, *const p_label, *const m_label, *const v_label, *const recompute_label;

    struct Named {
        const char* source;  // of the name's translation in kContext
        QWidget* field;
    };
    static constexpr const char* kContext = "bscope::ui::PipelineFields";
    std::vector<Named> all() const;

private:
    // The greatest legal v from `usual` down, for the schedule that its field shows; none: `usual`.
    int mostLegalChunks(const RunConfig& shown, const CatalogEntry& entry, int usual) const;

signals:
    void edited();
    void done();            // Enter or Esc in a field
    void schedulePicked();  // by the user
    void chunksEdited(int v);
};

}  // namespace bscope::ui
