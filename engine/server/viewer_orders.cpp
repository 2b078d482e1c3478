#include "server/viewer_orders.h"

#include "schedule/formats/file_schedule.h"
#include "server/hello.h"
#include "wire/convert.h"
#include "words/sentence_error.h"

namespace bscope {

std::optional<wire::Message> ViewerOrders::handle(const wire::Message& message) {
    switch (message.body_case()) {
        case wire::Message::kConfigure: {
            wire::Message answer;
            *answer.mutable_configure_reply() = configure(message.configure());
            return answer;
        }
        case wire::Message::kControl:
            control(message.control().verb());
            return std::nullopt;
        case wire::Message::kStartSweep:
            loop_.startSweep(message.start_sweep());
            return std::nullopt;
        case wire::Message::kCancelSweep:
            loop_.cancelSweep();
            return std::nullopt;
        case wire::Message::kSaveState:
            loop_.save(allowed_.toWrite(message.save_state().path()));
            return std::nullopt;
        case wire::Message::kLoadState:
            loop_.load(allowed_.toRead(message.load_state().path()));
            return std::nullopt;
        default:
            return logMessage(sentence("This message has no meaning for the engine."));
    }
}

void ViewerOrders::control(wire::Control::Verb verb) {
    switch (verb) {
        case wire::Control::RUN:
            return loop_.go();
        case wire::Control::PAUSE:
            return loop_.pause();
        case wire::Control::STEP:
            return loop_.step();
        case wire::Control::STOP:
            return loop_.stop();
        case wire::Control::SHUTDOWN:
            return shut_down_();
        default:
            return;  // a verb of a later version
    }
}

wire::ConfigureReply ViewerOrders::configure(const wire::Configure& wanted) {
    RunConfig config;
    std::vector<Problem> found = overlay(wanted.config(), config);
    const auto refused = [&] {
        wire::ConfigureReply reply;
        reply.set_request(wanted.request());
        for (const Problem& problem : found) *reply.add_problems() = toWire(problem);
        return reply;
    };
    try {
        const std::size_t unknown = found.size();
        admitFiles(config, found);
        if (found.size() > unknown) return refused();  // before anything looks into such a file
        return loop_.configure(wanted.request(), config, found);
    } catch (const std::exception& error) {
        found.push_back({"", "{0}", {sentenceOf(error)}, {}});
        return refused();
    }
}

// Every file is checked here, at every request, so that the refusal names the folders; and once more when it
// is opened (ConfigurationFiles). What the owner named keeps its name, so that repeating it is no change;
// other files are named by their real paths from here on.
void ViewerOrders::admitFiles(RunConfig& config, std::vector<Problem>& found) const {
    const auto admit = [&](const char* field, const std::string& file) -> std::string {
        try {
            const std::string real = allowed_.resolved(file);
            return allowed_.isOwners(file) ? file : real;
        } catch (const NotAllowed& error) {
            found.push_back(error.problem);
            found.back().field = field;
            return file;
        }
    };
    if (isFileSchedule(config.schedule)) {
        const std::size_t prefix = config.schedule.find(':') + 1;
        config.schedule.replace(prefix, std::string::npos, admit("schedule", config.schedule.substr(prefix)));
    }
    if (!config.data_file.empty()) config.data_file = admit("data_file", config.data_file);
}

}  // namespace bscope
