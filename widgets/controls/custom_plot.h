// QCustomPlot, without the declarations of all of Qt: its header includes Qt Print Support as a whole, and
// with it all of Widgets and Gui, of which it uses nothing itself. That took four seconds of every source
// that draws.
#pragma once

#define QT_QTPRINTSUPPORT_MODULE_H  // the guard of that header
#include <qcustomplot.h>
