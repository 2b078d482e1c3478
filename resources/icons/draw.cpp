// draw SVG FOLDER SIZE...: the icon as FOLDER/SIZExSIZE/apps/bubblescope.png, as themes of icons have their
// pictures. Part of the build. Exit status 1 with the cause when one cannot be drawn or written.
#include <QDir>
#include <QGuiApplication>
#include <QImageReader>
#include <QTextStream>

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication application(argc, argv);
    const QStringList arguments = QGuiApplication::arguments();
    for (const QString& size : arguments.mid(3)) {
        QImageReader svg(arguments[1]);
        svg.setScaledSize({size.toInt(), size.toInt()});
        const QImage icon = svg.read();
        const QString folder = QStringLiteral("%1/%2x%2/apps").arg(arguments[2], size);
        if (icon.isNull() || !QDir().mkpath(folder) ||
            !icon.save(folder + QStringLiteral("/bubblescope.png"))) {
            QTextStream(stderr) << folder << ": "
                                << (icon.isNull() ? svg.errorString() : QStringLiteral("not written"))
                                << '\n';
            return 1;
        }
    }
    return 0;
}
