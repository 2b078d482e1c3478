// FigureExporter: pictures of what the canvas shows: the export menu, the file dialog, the clipboard. Always
// light, unless the menu says otherwise; the caption can be left out, the provenance badge cannot. Window
// thread only.
#pragma once

#include <QMenu>
#include <functional>

#include "app/actions/window_actions.h"
#include "widgets/figure/figure.h"

namespace bscope::ui {

class FigureExporter : public QObject {
    Q_OBJECT
public:
    // views and state: what is on the canvas at the moment of the export.
    using Source = std::function<std::vector<IterationView>()>;
    FigureExporter(Source source, const ViewState& state, WindowActions& actions, QWidget* window);

    QMenu* menu() const { return menu_; }
    void setFolder(const QString& folder) { folder_ = folder; }
    void copy();
    // Returns whether it was written; written() or failed() says it in words.
    bool writeTo(const QString& path, FigureOptions options);

signals:
    void written(const QString& path);
    void failed(const QString& sentence);

private:
    FigureOptions options() const;
    void ask(FigureFormat format, double scale, double width_mm);
    bool write(const std::vector<IterationView>& views, const QString& path, const FigureOptions& options);

    Source source_;
    const ViewState& state_;
    QWidget* window_;
    QMenu* menu_;
    QAction *caption_ = nullptr, *dark_ = nullptr, *transparent_ = nullptr;
    QString folder_;
};

}  // namespace bscope::ui
