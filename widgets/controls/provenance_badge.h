// Badge: where numbers come from, by shape before colour: MEASURED solid, RECONSTRUCTED half filled,
// PREDICTED dashed. No picture goes without one.
#pragma once

#include <QWidget>

#include "timeline/event.h"
#include "widgets/controls/themed.h"

namespace bscope::ui {

class Badge : public QWidget {
    Q_OBJECT
public:
    explicit Badge(QWidget* parent = nullptr);
    void setProvenance(Provenance provenance, const QString& device = {});
    QString text() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override;
    void changeEvent(QEvent* event) override;

private:
    Provenance provenance_ = Provenance::Predicted;
    QString device_;
};

}  // namespace bscope::ui
