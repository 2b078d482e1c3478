// FigureArguments: the options of the command line that say how a picture looks and what stands in it, the
// same that the export sheet offers.
#pragma once

#include <QCommandLineParser>
#include <QStringList>
#include <vector>

#include "app/settings/program_options.h"

namespace bscope::ui {

class FigureArguments {
public:
    explicit FigureArguments(QCommandLineParser& parser);  // adds them
    // After the parsing; one sentence for each thing that is wrong is added to problems.
    void read(const QCommandLineParser& parser, ProgramOptions& options, QStringList& problems) const;

private:
    void readWidth(const QCommandLineParser& parser, FigureOptions& figure, QStringList& problems) const;
    void readResolution(const QCommandLineParser& parser, ProgramOptions& options,
                        QStringList& problems) const;
    void readPlans(const QCommandLineParser& parser, ProgramOptions& options, QStringList& problems) const;

    QCommandLineOption width_, dpi_, palette_, caption_, no_caption_, no_legend_, plan_, boxes_only_, arrows_,
        svg_text_, predicted_, costs_, below_;
};

}  // namespace bscope::ui
