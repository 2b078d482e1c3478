// A variable of the environment, gone at the end of the scope.
#pragma once

#include <QByteArray>
#include <QtGlobal>

namespace bscope {

class Setting {
public:
    Setting(const char* name, const QByteArray& value) : name_(name) { qputenv(name, value); }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;
    ~Setting() { qunsetenv(name_); }

private:
    const char* name_;
};

}  // namespace bscope
