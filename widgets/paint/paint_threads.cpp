#include "widgets/paint/paint_threads.h"

#include <QImage>
#include <QSemaphore>
#include <QThread>
#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <vector>

namespace bscope::ui {

namespace {

// More take turns at the memory rather than paint.
constexpr int kMostHelpers = 3;

}  // namespace

PaintThreads::PaintThreads() {
    helpers_.setMaxThreadCount(std::clamp(QThread::idealThreadCount() - 1, 0, kMostHelpers));
    helpers_.setExpiryTimeout(-1);  // a thread has shaped its texts once
}

void PaintThreads::paint(QPainter& painter, std::size_t parts,
                         const std::function<void(QPainter&, std::size_t)>& paint) {
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr failure;  // the first one
    const auto guarded = [&](const auto& work) {
        try {
            work();
        } catch (...) {
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    };
    const auto paintFrom = [&](std::size_t part, QPainter& own) {
        for (; part < parts; part = next++) paint(own, part);
    };

    // The caller's painter must not be queried while it paints.
    const bool shared = painter.device()->devType() == QInternal::Image && parts > 1;
    QImage* const image = shared ? static_cast<QImage*>(painter.device()) : nullptr;
    uchar* const bits = shared ? image->bits() : nullptr;
    const QPainter::RenderHints hints = painter.renderHints();
    const QTransform transform = painter.worldTransform();
    const auto help = [&] {
        const std::size_t part = next++;
        if (part >= parts) return;
        QImage same(bits, image->width(), image->height(), image->bytesPerLine(), image->format());
        same.setDevicePixelRatio(image->devicePixelRatio());
        QPainter own(&same);
        own.setRenderHints(hints);
        own.setWorldTransform(transform);
        paintFrom(part, own);
    };

    const std::size_t most = shared ? static_cast<std::size_t>(helpers_.maxThreadCount()) : 0;
    QSemaphore done;
    std::vector<std::unique_ptr<QRunnable>> helpers;
    for (std::size_t i = 0; i < std::min(most, parts - 1); ++i) {
        helpers.emplace_back(QRunnable::create([&] {
            guarded(help);
            done.release();
        }));
        helpers.back()->setAutoDelete(false);
    }
    for (const auto& helper : helpers) helpers_.start(helper.get());
    guarded([&] { paintFrom(next++, painter); });
    for (const auto& helper : helpers)  // one that no core was free for is not waited for
        if (helpers_.tryTake(helper.get())) done.release();
    done.acquire(static_cast<int>(helpers.size()));
    if (failure) std::rethrow_exception(failure);
}

}  // namespace bscope::ui
