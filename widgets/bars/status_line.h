// StatusLine: the one line at the foot of the window: state as glyph and word, engine, what tracing costs,
// how undisturbed the clock was, dropped events, then what is new; right: visible range, language, scale
// (both are buttons). Each has a place as wide as its widest words, so that nothing moves while numbers
// change; what has no room is in a menu, and under the pointer.
#pragma once

#include <vector>

#include "view/view_data.h"
#include "widgets/controls/button.h"
#include "widgets/controls/label.h"
#include "widgets/data/session_state.h"

namespace bscope::ui {

struct StatusData {
    SessionState state = SessionState::Idle;
    int iteration = -1;                     // running or last, counts from 0; -1 = none
    bool is_next = false;                   // the iteration has not begun
    double progress = -1;                   // 0..1 of the running iteration; -1 = unknown
    int retry_s = -1;                       // seconds until the next attempt to connect
    QString file;                           // replayed, or the name of what was imported
    bool imported = false, plays = true;    // of that
    QString read_to;                        // number of its last iteration so far; empty: all of it is there
    QString engine;                         // "this machine, CPU, 2 cores"
    std::optional<IterationReport> report;  // of the last complete iteration
    std::uint64_t dropped_events = 0;
    QString straggler;  // what is slow in most of the last iterations
    QString note;       // anything else worth a few words
    QString range;      // "0–285 ms"
    QString language;   // "English"
    double scale = 1;
};

class StatusLine : public QWidget, public Themed {
    Q_OBJECT
public:
    explicit StatusLine(QWidget* parent = nullptr);
    void setData(const StatusData& status);
    QString stateText() const;
    QStringList parts() const;  // after the state: those with places of their own, then what is new
    static QStringList costParts(const IterationReport& report);
    QStringList leftOut() const;  // what is not shown whole, in the menu of the button after the parts
    Button* moreButton() const { return more_; }
    Button* languageButton() const { return language_; }
    Button* scaleButton() const { return scale_; }
    void followTheme() override;
    QSize sizeHint() const override { return {currentTheme().px(600), currentTheme().px(24)}; }

signals:
    void languageClicked();
    void scaleClicked();

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override { place(); }
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Part {
        QString text;
        QStringList others;  // what may stand there too
        bool is_new;         // takes what is left beside the others
        bool operator==(const Part&) const = default;
    };
    // All that it says.
    struct Words {
        QString glyph, state, range, language, scale;
        std::vector<Part> parts;
        bool operator==(const Words&) const = default;
    };
    Words words() const;
    void say(Words words);
    void place();
    void showLeftOut();
    std::vector<Part> allParts() const;
    int stateTextWidth() const;
    int stateWidth() const;
    bool stateIsCut() const;
    int partWidth(const Part& part) const;
    int partsLeft() const;   // where they begin
    int partsRight() const;  // where they must end
    int rangeWidth() const;
    QString stateGlyph() const;

    struct Place {
        std::size_t part;
        int left, width;  // of its words
    };
    StatusData data_;
    Words words_;  // shown
    std::vector<Place> places_;
    Button *language_, *scale_, *more_;
};

}  // namespace bscope::ui
