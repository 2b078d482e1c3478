#include "widgets/figure/gif_file.h"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace bscope::ui {
namespace {

constexpr qsizetype kColours = 256;
constexpr int kAlike = 12;  // squared distance below which two colours need only one place

int distance(QRgb a, QRgb b) {
    const int red = qRed(a) - qRed(b), green = qGreen(a) - qGreen(b), blue = qBlue(a) - qBlue(b);
    return red * red + green * green + blue * blue;
}

const QRgb* lineOf(const QImage& image, int y) {
    return reinterpret_cast<const QRgb*>(image.constScanLine(y));
}

// The most frequent colours, but of those that look alike one, while there is room for others.
QList<QRgb> paletteOf(const std::vector<QImage>& samples) {
    QHash<QRgb, qint64> counts;
    for (const QImage& sample : samples)
        for (int y = 0; y < sample.height(); ++y)
            for (int x = 0, past = 0; x < sample.width(); x = past) {
                const QRgb* line = lineOf(sample, y);
                while (past < sample.width() && line[past] == line[x]) ++past;
                counts[line[x] | 0xff000000U] += past - x;
            }
    std::vector<std::pair<qint64, QRgb>> by_count;
    for (auto each = counts.cbegin(); each != counts.cend(); ++each)
        by_count.emplace_back(-each.value(), each.key());
    std::ranges::sort(by_count);
    QList<QRgb> palette;
    for (const bool also_alike : {false, true})
        for (const auto& entry : by_count) {
            if (palette.size() == kColours) return palette;
            const QRgb colour = entry.second;
            const auto isNear = [&](QRgb other) {
                return other == colour || (!also_alike && distance(other, colour) < kAlike);
            };
            if (std::ranges::none_of(palette, isNear)) palette << colour;
        }
    return palette;
}

int write(GifFileType* gif, const GifByteType* bytes, int count) {
    auto* out = static_cast<QIODevice*>(gif->UserData);
    return static_cast<int>(out->write(reinterpret_cast<const char*>(bytes), count));
}

// What differs between two images of one size.
QRect changeBetween(const QImage& before, const QImage& after) {
    int top = 0, bottom = after.height() - 1, left = after.width(), right = -1;
    const auto isSame = [&](int y) {
        return std::memcmp(before.constScanLine(y), after.constScanLine(y),
                           static_cast<std::size_t>(after.width()) * sizeof(QRgb)) == 0;
    };
    while (top <= bottom && isSame(top)) ++top;
    while (bottom >= top && isSame(bottom)) --bottom;
    for (int y = top; y <= bottom; ++y) {
        const QRgb *a = lineOf(before, y), *b = lineOf(after, y);
        int first = 0, last = after.width() - 1;
        while (first < left && a[first] == b[first]) ++first;
        while (last > right && a[last] == b[last]) --last;
        left = std::min(left, first);
        right = std::max(right, last);
    }
    return right < left ? QRect() : QRect(QPoint(left, top), QPoint(right, bottom));
}

}  // namespace

struct GifFile::Encoder {
    GifFileType* gif = nullptr;
    bool good = true;

    void check(int status) { good = good && status == GIF_OK; }
    bool close() {
        if (gif != nullptr) {
            int error = 0;
            check(EGifCloseFile(gif, &error));
            gif = nullptr;
        }
        return good;
    }
    ~Encoder() { close(); }
};

GifFile::GifFile(QIODevice& out, const QSize& size, const std::vector<QImage>& samples)
    : encoder_(std::make_unique<Encoder>()), palette_(paletteOf(samples)) {
    int error = 0;
    encoder_->gif = EGifOpen(&out, write, &error);
    encoder_->good = encoder_->gif != nullptr;
    std::array<GifColorType, kColours> colours{};
    for (qsizetype i = 0; i < palette_.size(); ++i)
        colours[static_cast<std::size_t>(i)] = {static_cast<GifByteType>(qRed(palette_[i])),
                                                static_cast<GifByteType>(qGreen(palette_[i])),
                                                static_cast<GifByteType>(qBlue(palette_[i]))};
    ColorMapObject* map = GifMakeMapObject(kColours, colours.data());
    if (!encoder_->good || map == nullptr) {
        encoder_->good = false;
        return;
    }
    GifFileType* gif = encoder_->gif;
    EGifSetGifVersion(gif, true);
    encoder_->check(EGifPutScreenDesc(gif, size.width(), size.height(), 8, 0, map));
    GifFreeMapObject(map);
    constexpr std::array<GifByteType, 3> kForEver{1, 0, 0};
    encoder_->check(EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE));
    encoder_->check(EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0"));
    encoder_->check(EGifPutExtensionBlock(gif, static_cast<int>(kForEver.size()), kForEver.data()));
    encoder_->check(EGifPutExtensionTrailer(gif));
}

GifFile::~GifFile() = default;

bool GifFile::add(const QImage& frame, int hundredths_s) {
    const QRect changed = shown_.isNull() ? frame.rect() : changeBetween(shown_, frame);
    if (changed.isEmpty()) {
        waiting_ += hundredths_s;
        return encoder_->good;
    }
    if (!flush()) return false;
    shown_ = frame;
    changed_ = changed;
    waiting_ = hundredths_s;
    return true;
}

bool GifFile::finish() {
    return flush() && encoder_->close();
}

// What waits.
bool GifFile::flush() {
    if (waiting_ == 0 || !encoder_->good) return encoder_->good;
    GifFileType* gif = encoder_->gif;
    GraphicsControlBlock control{};
    control.DisposalMode = DISPOSE_DO_NOT;
    control.DelayTime = std::min(waiting_, 0xffff);
    control.TransparentColor = NO_TRANSPARENT_COLOR;
    std::array<GifByteType, 4> bytes{};
    EGifGCBToExtension(&control, bytes.data());
    encoder_->check(
        EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(bytes.size()), bytes.data()));
    encoder_->check(EGifPutImageDesc(gif, changed_.left(), changed_.top(), changed_.width(),
                                     changed_.height(), false, nullptr));
    std::vector<GifPixelType> line(static_cast<std::size_t>(changed_.width()));
    for (int y = changed_.top(); y <= changed_.bottom() && encoder_->good; ++y) {
        const QRgb* pixels = lineOf(shown_, y) + changed_.left();
        for (std::size_t x = 0; x < line.size(); ++x)
            line[x] = x > 0 && pixels[x] == pixels[x - 1] ? line[x - 1] : nearest(pixels[x]);
        encoder_->check(EGifPutLine(gif, line.data(), changed_.width()));
    }
    waiting_ = 0;
    return encoder_->good;
}

unsigned char GifFile::nearest(QRgb colour) {
    const QRgb opaque = colour | 0xff000000U;
    if (const auto known = indices_.constFind(opaque); known != indices_.cend()) return *known;
    const auto best =
        std::ranges::min_element(palette_, {}, [opaque](QRgb each) { return distance(each, opaque); });
    return indices_[opaque] = static_cast<unsigned char>(best - palette_.begin());
}

}  // namespace bscope::ui
