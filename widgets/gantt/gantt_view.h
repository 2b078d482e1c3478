// GanttView: the canvas. One QCustomPlot with one custom plottable that draws everything below the cursor
// into a buffer; what follows the pointer or the selection is painted over the buffer, so that a mouse move
// draws no picture. What is looked at is in the shared ViewState; the view keeps only what it
// draws. Window thread only.
#pragma once

#include <QPointer>
#include <QScrollBar>
#include <memory>
#include <optional>
#include <vector>

#include "view/view_data.h"
#include "widgets/controls/button.h"
#include "widgets/controls/custom_plot.h"
#include "widgets/controls/words_under.h"
#include "widgets/data/view_state.h"
#include "widgets/gantt/commands.h"
#include "widgets/picture/hit_test.h"
#include "widgets/picture/picture.h"
#include "widgets/theme/theme.h"

namespace bscope::ui {

class CanvasBuffer;
class HoverCard;

class GanttView : public QCustomPlot, public WordsUnder, public Themed {
    Q_OBJECT
public:
    explicit GanttView(ViewState& state, QWidget* parent = nullptr);
    ~GanttView() override;

    void followTheme() override;
    // One iteration. While it runs (now_ns >= 0), lane ends keep the numbers of the last complete iteration.
    void setView(const IterationView& view);
    // What lane ends and title show while the shown iteration runs; otherwise the last one shown complete.
    // nullopt: no iteration of this run is complete.
    void setLastComplete(const std::optional<IterationView>& view);
    // Two or more iterations on one time axis, each with its own title: a lesson's runs below each other, or
    // an iteration and its baseline below each other or side by side.
    void setStacked(const std::vector<IterationView>& views);
    // One quiet line in place of the title's numbers: "Starting engine, 1.2 s", "Paused at 37"; empty = the
    // numbers.
    void setNotice(const QString& notice);
    // At the right end of the title line, beside the numbers they are about; "short_text" where room is
    // short.
    struct TitleChip {
        QString id, text, short_text, tip;
        bool enabled = true;
        bool operator==(const TitleChip&) const = default;
    };
    void setTitleChips(const std::vector<TitleChip>& chips);
    const std::vector<Button*>& titleChips() const { return chip_buttons_; }
    // Where it lies over the title line, this ends before it, without its numbers.
    void layTitleBeside(QWidget* over);
    // The boundary of a pending change at the end of this iteration: "from here m = 12"; empty = none.
    void setBoundaryNote(const QString& note);

    const Picture& picture() const { return picture_; }
    std::vector<IterationView> views() const;  // for exporting what is shown
    Commands& commands() { return *commands_; }
    ViewState& state() { return state_; }
    TimeRange fitRange() const;  // the whole iteration with a small margin
    QString hoverText() const;   // of the visible hover card, empty when there is none
    // Where it is visible, hover cards are not if there is room elsewhere. Of the same window.
    void keepCardsOutOf(QWidget* other) { over_canvas_ = other; }

    // What the commands do.
    void zoomBy(double factor);  // at the pointer, else in the middle
    void zoomAt(double factor, double x_px);
    void panBy(double share_of_width);
    void fit();
    void focusSelection();  // centre it; centred already: fit it
    void zoomToMeasured();
    void revealSelection();             // brings its box into sight: pans, scrolls the lanes; the zoom stays
    void stepSelection(int direction);  // neighbour box on the lane
    void stepGap(int direction);        // +1: the next smaller gap of the iteration, the largest at first
    // -1: what it waited for, +1: what waits for it; of a gap along its chain of reasons.
    void followDependency(int direction);
    void stepLink(int direction);  // -1: back to what the selected gap hung on
    void lightUpLife();            // of the box under the pointer
    void measureSelection();
    void extendMeasured();       // to the selection
    void toggleMeasuredLanes();  // the range on the lanes that it was made from, or on all
    void clear();                // selection and range; without both the filter
    // Only what is like the selected box; again: no longer.
    enum class Likeness { Kind, Rank, Stage, Microbatch };
    void filterLike(Likeness likeness);
    // Of the first iteration; nullopt: there is no range, or nothing may be said.
    std::optional<RangeReading> reading() const;
    // What a search found, marked on the lanes and on the ruler.
    void setMarks(std::vector<Mark> marks);
    // Flags of notes on the first iteration.
    void setNotes(std::vector<NoteMark> notes);
    // Where the pointer is, relative to the first iteration's start; nullopt: beside the lanes.
    std::optional<double> pointerTime() const { return cursor_.time_ns; }
    // Drawing along the ruler moves the now line in place of measuring.
    void setScrubbable(bool on) { scrubbable_ = on; }
    void toggleLayer(bool Layers::*member);
    void scrollLanes(double dy_px);
    QString wordsAt(const QPoint& at) const override;  // what every mark there stands for
    QScrollBar* scrollBar() const { return scroll_bar_; }

signals:
    void titleChipClicked(const QString& id);
    void noteClicked(int number);
    void hovered(double time_ns);   // relative to the iteration's start; NaN: the pointer left
    void rangeRead();               // reading() is another
    void scrubbed(double time_ns);  // relative to the first iteration's start
    void cleared();                 // Esc

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    enum class Drag { None, Pending, Measure, MeasureLanes, ZoomRange, Pan, Scrub };

    void setGroups(const std::vector<IterationView>& views);
    bool showsOneRun() const;
    void followNow();
    void collectMessages();  // for the arrows of all
    void relayout();
    void placeScrollBar();
    void placeChips();
    void setRangeClamped(TimeRange range, bool remember);
    void refreshSelection();
    struct Span {  // relative
        int rank;
        double from_ns, to_ns;
    };
    std::optional<Span> selectedSpan() const;  // of the selected box, gap or link of its chain
    // That selection or gap lies in, else the first; there is one.
    const PreparedView& selectedGroup() const { return picture_.groups[picture_.selected_group]; }
    Selection selectionIn(const Hit& hit) const;
    std::optional<int> linkUnder(const Hit& hit) const;
    void showCriticalPath();
    void redraw();
    void redrawOverlay();
    TimeRange draggedRange(const QPointF& to) const;
    std::optional<LaneSpan> draggedLanes(const QPointF& to) const;
    void readRanges();
    void endDrag(const QPointF& at);
    void scrubTo(const QPointF& at);
    void clickAt(const QPointF& at);
    void hoverAt(const QPointF& whole);
    void hideCard();
    void showCard();
    bool gesture(QEvent* event);

    ViewState& state_;
    QSharedPointer<CanvasBuffer> buffer_;
    Picture picture_;
    Cursor cursor_;
    std::unique_ptr<HoverCard> card_;
    QPointer<QWidget> over_canvas_;
    Commands* commands_ = nullptr;  // child
    QScrollBar* scroll_bar_;        // of the lanes, while they do not fit
    std::vector<TitleChip> chips_;
    std::vector<Button*> chip_buttons_;
    QPointer<QWidget> over_title_;
    QTimer hover_timer_;
    QElapsedTimer since_zoom_;
    QPointF pointer_;
    Hit under_pointer_;
    Drag drag_ = Drag::None;
    Qt::MouseButton drag_button_ = Qt::NoButton;
    Qt::KeyboardModifiers drag_modifiers_;
    QPointF drag_from_;
    TimeRange drag_range_;
    double scroll_px_ = 0;
    bool scrubbable_ = false;
    bool fitted_ = true;  // the whole iteration is shown and stays so when its length changes
};

}  // namespace bscope::ui
