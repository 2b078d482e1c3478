// GifFile: an animated GIF by giflib that repeats for ever: one palette for all frames, and of each frame the
// rectangle that changed. What looks the same as the frame before makes that one last longer. One thread at a
// time.
#pragma once

#include <QHash>
#include <QIODevice>
#include <QImage>
#include <QList>
#include <memory>
#include <vector>

namespace bscope::ui {

class GifFile {
public:
    // Times in a GIF are hundredths of a second, and viewers slow down what is shorter than two.
    static constexpr int kMostRate = 50;

    // samples: frames whose colours are taken, the most frequent ones as they are.
    GifFile(QIODevice& out, const QSize& size, const std::vector<QImage>& samples);
    ~GifFile();
    // False where the device took no more. Frames are of the same size.
    bool add(const QImage& frame, int hundredths_s);
    bool finish();

private:
    struct Encoder;
    bool flush();
    unsigned char nearest(QRgb colour);

    std::unique_ptr<Encoder> encoder_;
    QList<QRgb> palette_;
    QHash<QRgb, unsigned char> indices_;
    QImage shown_;  // what is to be written of it waits, until it is known how long it lasts
    QRect changed_;
    int waiting_ = 0;  // hundredths of a second; 0: nothing waits
};

}  // namespace bscope::ui
