// Appearance: theme, palette, scale and language of the whole window in one place; all of them change while
// it runs. Light or dark follow the system unless chosen. Window thread only.
#pragma once

#include <QObject>
#include <vector>

#include "app/settings/preferences.h"
#include "app/settings/translations.h"

namespace bscope::ui {

class Appearance : public QObject {
    Q_OBJECT
public:
    explicit Appearance(const Preferences& preferences, QObject* parent = nullptr);

    ThemeChoice themeChoice() const { return choice_; }
    ColourScheme scheme() const { return scheme_; }
    double scale() const { return scale_; }
    bool projector() const { return projector_; }
    Language language() const { return language_; }

    void setThemeChoice(ThemeChoice choice);
    void setScheme(ColourScheme scheme);
    void nextScheme();
    void setScale(double scale);
    void zoomInterface(int steps);  // 10 % each; 0 = back to 100 %
    void setProjector(bool on);
    // Of type and lanes in projector mode, the greatest first: smaller ones for what would not fit.
    static inline const std::vector<double> kProjectorScales{1.4, 1.2, 1.0, 0.85, 0.7};
    void setProjectorScale(double scale);
    void setLanguage(Language language);
    void changeLanguage();  // to the other one

signals:
    void themeChanged();
    void languageChanged();  // every widget gets a LanguageChange event

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    Theme theme() const;  // what was chosen
    bool systemIsDark() const;

    ThemeChoice choice_;
    ColourScheme scheme_;
    double scale_;
    bool projector_ = false;
    double projector_scale_ = kProjectorScales.front();
    Language language_ = Language::English;
    Translations translations_;
};

}  // namespace bscope::ui
