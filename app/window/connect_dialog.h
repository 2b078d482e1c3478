// ConnectDialog: asks for the address and the token of an engine elsewhere. Window thread only.
#pragma once

#include <QDialog>

#include "app/engine/engine_client.h"

class QLineEdit;

namespace bscope::ui {

class Label;

class ConnectDialog : public QDialog {
    Q_OBJECT
public:
    explicit ConnectDialog(QWidget* parent);

signals:
    void chosen(const bscope::EngineAddress& address);  // a legal one; the dialog is closed

private:
    void tryAddress();

    QLineEdit *address_, *token_;
    Label* wrong_;
};

}  // namespace bscope::ui
