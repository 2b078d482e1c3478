// Viewer: the terminal view without a terminal: messages of a stream and keys go in, pictures come out. What
// it asks of an engine waits in takeRequests(). Nothing that comes in a stream makes it throw. One thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "terminal/keys.h"
#include "terminal/picture.h"
#include "terminal/setup_form.h"
#include "terminal/sweep_form.h"
#include "wire/bubblescope.pb.h"

namespace bscope::terminal {

class Viewer {
public:
    explicit Viewer(Language language) : language_(language) { look_.follow = false; }

    // The recording that the messages are read from.
    void setFile(const std::string& file);
    void take(const wire::Message& message);
    // All of a recording is taken; what of it was left out, or is not as the file says.
    void setRead(std::vector<Sentence> warnings);

    // What is known of the engine. Waiting: the next try comes by itself.
    enum class Link { None, Starting, Attached, Waiting, Ended };
    void setLink(Link link, const std::vector<Sentence>& notices, int seconds_to_retry = 0);
    Link link() const { return link_; }
    // For the engine, since the last call.
    std::vector<wire::Message> takeRequests();
    // Whether a connection was asked for since the last call.
    bool takeReconnect() { return std::exchange(wants_connection_, false); }

    // For a screen of that size. False: the person quits.
    bool handle(const Input& input, int columns, int rows);
    Grid draw(const Colours& colours, int columns, int rows);

    const Look& look() const { return look_; }

private:
    enum class Shown { Picture, Help, Explanation, Setup, Sweep };

    void append(const wire::Message& message);
    void announce(const wire::Message& message);
    void ask(const wire::Message& request);
    void control(wire::Control::Verb verb);
    void configure(const RunConfig& wanted);
    bool handleForm(Key key);
    void sweep(SweepForm::Outcome asked);
    bool direct(Command command);
    void describeLink(Scene& scene) const;
    void prepare();
    Scene scene();
    Page page() const;
    void followNewest();
    void show(std::int32_t iteration);
    void carryOut(Command command, const Layout& layout);
    void scrollPage(Command command, int rows);
    void point(const Input& input, const Layout& layout);
    void click(const Input& input, const Layout& layout);
    void zoomBy(double factor);
    void panBy(double share);
    void setRange(const TimeRange& range);
    void focus();
    void select(const std::optional<Selection>& box);
    void select(const std::optional<GapSelection>& gap);
    void stepBox(int direction);
    void stepLane(int direction);
    void reveal();

    Language language_;
    RunHistory history_;
    PreparedView view_;
    bool has_view_ = false, is_stale_ = true;
    Look look_;
    Shown shown_ = Shown::Picture;
    int scroll_ = 0;
    std::string file_;
    std::vector<Sentence> notices_;
    int columns_ = 80, rows_ = 24;

    Link link_ = Link::None;
    int seconds_to_retry_ = 0;
    wire::RunState run_state_ = wire::IDLE;
    std::int64_t started_unix_ms_ = 0;
    bool controls_ = false, wants_connection_ = false;
    RunConfig config_, wanted_;  // the last that the engine accepted, that it was asked for
    SetupForm form_;
    SweepForm sweep_;
    std::uint64_t request_ = 0;
    std::vector<wire::Message> requests_;
};

}  // namespace bscope::terminal
