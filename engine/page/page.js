"use strict";
// Makes the pictures of the page live: cards, lives of micro-batches, zoom, switches, keys. It draws nothing of a
// run but the ticks of what is in sight, and says nothing that is not in the page.
(() => {
  const root = document.documentElement;
  const data = JSON.parse(document.getElementById("data").textContent);
  const card = document.getElementById("card");
  let zoom = 1, left = 0;  // the part of the time axis in sight begins at `left` of 0..1000
  let shown = null;        // what the card is about: {figure, kind, at, element}

  const words = (said) => typeof said === "string" ? said :
    data.words[said[0]][root.dataset.lang === "zh" ? 1 : 0].replace(/\{(\d+)\}/g, (whole, n) =>
      +n + 1 < said.length ? words(said[+n + 1]) : whole);

  const figures = [...document.querySelectorAll(".fig")].map((svg, n) => {
    const all = (selector) => [...svg.querySelectorAll(selector)];
    const plot = svg.querySelector(".plot");
    const figure = {
      svg, plot, data: data.figures[n], axis: svg.querySelector(".axis"), box: svg.getAttribute("viewBox"),
      height: +svg.dataset.h, ends: all(".end"), stretched: all(".plot .z"), arrows: all(".a>path"),
      texts: all(".plot .t text").map((element) =>
        ({element, x: +element.getAttribute("x"), width: +element.dataset.w, name: element.classList[0]})),
      b: all(".plot .b>rect"), m: all(".plot .m>g"), g: all(".plot .g>rect"), known: new Map(), lanes: [],
    };
    for (const kind of ["b", "m", "g"]) figure[kind].forEach((element, at) => figure.known.set(element, {kind, at}));
    for (const lane of plot.querySelectorAll(":scope>g")) {
      const items = [...lane.querySelectorAll(".b>rect,.g>rect")].filter((e) => figure.known.has(e));
      if (items.length) figure.lanes.push(items.sort((a, b) => a.getAttribute("x") - b.getAttribute("x")));
    }
    return figure;
  });

  // Of a text: the least width at which it is shown, and shown whole.
  const letters = (element) => {
    let width = 0;
    for (const c of element.textContent) width += c > "\u2e80" ? 12 : 7;
    return width;
  };
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  const measure = () => {
    for (const figure of figures) {
      // Numbers are shown on all boxes of a kind or on none.
      const widths = {};
      for (const box of figure.b) (widths[box.className.baseVal] ??= []).push(+box.getAttribute("width"));
      figure.usual = Object.fromEntries(Object.entries(widths).map(([kind, all]) => [kind, median(all)]));
      const numbers = figure.numbers = figure.texts.filter((text) => text.name in widths);
      figure.letters = 2 + Math.max(0, ...numbers.map((text) => letters(text.element)));
      for (const text of figure.texts) {
        const whole = [...text.element.querySelectorAll(root.dataset.lang === "zh" ? ".en" : ".zh")]
          .reduce((sum, hidden) => sum - letters(hidden), letters(text.element));
        const more = text.element.querySelector(".more");
        text.whole = whole + (text.name === "gl" || text.name === "ph" ? 12 : 2);
        text.least = more ? letters(more.previousSibling) + 8 : text.name in widths ? figure.letters : text.whole;
      }
    }
  };

  const ticks = (figure, scale) => {
    const ns = "http://www.w3.org/2000/svg", perMs = 1000 * scale / figure.data.ms;
    const raw = 90 / perMs, decade = 10 ** Math.floor(Math.log10(raw));
    const step = (raw <= decade ? 1 : raw <= 2 * decade ? 2 : raw <= 5 * decade ? 5 : 10) * decade;
    const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const from = left * figure.data.ms / 1000, parts = [];
    for (let tick = Math.ceil(from / step - 1e-9); ; ++tick) {
      const x = tick * step * perMs - left * scale;
      if (x > figure.width) break;
      const line = document.createElementNS(ns, "path"), text = document.createElementNS(ns, "text");
      line.setAttribute("d", `M${x} 22V${figure.axis.dataset.y}`);
      text.setAttribute("x", x);
      text.setAttribute("y", 14);
      text.textContent = (tick ? (tick * step).toFixed(decimals) : "0") + (parts.length ? "" : " ms");
      parts.push(line, text);
    }
    figure.axis.replaceChildren(...parts);
  };

  // On paper a picture stands as it is written, all of it.
  const layOut = (onPaper) => {
    if (onPaper) zoom = 1;
    left = Math.min(Math.max(left, 0), 1000 - 1000 / zoom);
    for (const figure of figures) {
      const {svg} = figure, sides = figure.data.left + figure.data.right;
      if (onPaper) svg.setAttribute("viewBox", figure.box), svg.removeAttribute("height");
      else svg.removeAttribute("viewBox"), svg.setAttribute("height", figure.height);
      figure.width = onPaper ? 1000 : Math.max(120, svg.getBoundingClientRect().width - sides);
      const scale = figure.scale = figure.width * zoom / 1000;
      figure.plot.setAttribute("width", figure.width);
      for (const group of figure.stretched) group.setAttribute("transform", `matrix(${scale} 0 0 1 ${-left * scale} 0)`);
      for (const end of figure.ends) {
        const y = end.transform.baseVal[0].matrix.f;
        end.setAttribute("transform", `translate(${figure.data.left + figure.width + 12} ${y})`);
      }
      ticks(figure, scale);
      for (const text of figure.texts) {
        const from = Math.max(0, (text.x - text.width / 2 - left) * scale);
        const to = Math.min(figure.width, (text.x + text.width / 2 - left) * scale);
        const room = to - from;
        const isShown = room >= text.least && !(figure.usual[text.name] * scale < text.least);
        text.element.setAttribute("class", text.name + (text.on ? " on" : "") + (!isShown ? " off" : room < text.whole ? " tight" : ""));
        if (isShown) text.element.setAttribute("x", (from + to) / 2);
      }
      const usual = figure.b.length ? +figure.b[figure.b.length >> 1].getAttribute("width") * scale : 9;
      svg.classList.toggle("fine", usual < 3);
      for (const hatch of document.querySelectorAll(".defs .z"))
        hatch.setAttribute(hatch.tagName === "pattern" ? "patternTransform" : "gradientTransform", `scale(${1 / scale} 1)`);
    }
    place();
  };

  const zoomAt = (factor, share) => {
    const at = left + share * 1000 / zoom;
    zoom = Math.min(Math.max(zoom * factor, 1), 400);
    left = at - share * 1000 / zoom;
    layOut();
  };

  // The card.
  const line = (text, tag = "p") => {
    const element = document.createElement(tag);
    element.textContent = text;
    return element;
  };
  const fill = () => {
    if (!shown) return;
    const said = shown.figure.data[shown.kind][shown.at];
    const isGap = shown.kind === "g";
    const head = isGap ? [said[0], words(said[1])] : [said[1], words(said[2])];
    const lines = said.slice(isGap ? 2 : 3).map(words);
    card.replaceChildren(line(head.filter(Boolean).join(" · "), "b"), ...lines.map((each) => line(each)));
    card.hidden = false;
    place();
  };
  const place = () => {
    if (card.hidden || !shown) return;
    const on = shown.element.getBoundingClientRect(), plot = shown.figure.plot.getBoundingClientRect();
    const area = shown.figure.svg.getBoundingClientRect();
    const from = Math.max(on.left, area.left + shown.figure.data.left);
    const to = Math.min(on.right, area.right - shown.figure.data.right);
    const middle = shown.x ?? (from + to) / 2, size = card.getBoundingClientRect(), wide = root.clientWidth;
    const below = on.bottom + 12 + size.height < innerHeight || on.top - 12 - size.height < 0;
    card.style.left = Math.max(8, Math.min(wide - size.width - 8, middle - size.width / 2)) + scrollX + "px";
    card.style.top = (below ? on.bottom + 12 : on.top - 12 - size.height) + scrollY + "px";
  };
  const show = (figure, element, x) => {
    const known = figure.known.get(element);
    if (!known) return hide();
    if (shown && shown.element === element) return;
    unmark();
    shown = {figure, element, x, ...known};
    element.classList.add("here");
    fill();
  };
  const unmark = () => { if (shown) shown.element.classList.remove("here"); };
  const hide = () => {
    unmark();
    shown = null;
    card.hidden = true;
  };
  const follow = (figure, life) => {
    for (const each of figures) {
      const on = each === figure && life >= 0;
      each.svg.classList.toggle("life", on);
      let number = 0;
      each.b.forEach((element, n) => {
        const lives = on && each.data.b[n][0] === life;
        element.classList.toggle("on", lives);
        if (each.data.b[n][1] === "" || element.classList.contains("r0")) return;
        const text = each.numbers[number++];
        text.on = lives;
        text.element.classList.toggle("on", lives);
      });
      each.m.forEach((element, n) => element.classList.toggle("on", on && each.data.m[n][0] === life));
      each.arrows.forEach((element, n) => element.classList.toggle("on", on && each.data.a[n] === life));
    }
  };
  const followShown = () => follow(shown?.figure, shown && shown.kind !== "g" ? shown.figure.data[shown.kind][shown.at][0] : -1);
  const pick = (figure, target) => figure.known.has(target) ? target : figure.known.has(target.parentNode) ? target.parentNode : null;

  // Keys: from box to box in a lane, to the nearest one of the next lane.
  const walk = (figure, key) => {
    const lanes = figure.lanes;
    let row = lanes.findIndex((items) => shown && items.includes(shown.element));
    if (row < 0) return lanes.length && step(figure, lanes[0][0]);
    const at = lanes[row].indexOf(shown.element), sideways = {ArrowLeft: -1, ArrowRight: 1}[key];
    if (sideways) return step(figure, lanes[row][at + sideways]);
    const next = lanes[row + (key === "ArrowUp" ? -1 : 1)];
    if (!next) return;
    const middle = (e) => +e.getAttribute("x") + e.getAttribute("width") / 2, here = middle(shown.element);
    step(figure, next.reduce((best, e) => Math.abs(middle(e) - here) < Math.abs(middle(best) - here) ? e : best));
  };
  // Where in sight the middle of what the card is about lies.
  const focus = (figure) => {
    if (!shown || shown.figure !== figure) return 0.5;
    const at = shown.element.getBBox(), share = (at.x + at.width / 2 - left) * zoom / 1000;
    return share >= 0 && share <= 1 ? share : 0.5;
  };
  const step = (figure, element) => {
    if (!element) return;
    const x = +element.getAttribute("x"), width = +element.getAttribute("width");
    if (x < left || x + width > left + 1000 / zoom) {
      left = x + width / 2 - 500 / zoom;
      layOut();
    }
    show(figure, element);
    followShown();
  };

  for (const figure of figures) {
    const {svg} = figure;
    let from = null, moved = false;
    svg.addEventListener("pointermove", (event) => {
      if (from !== null) {
        if (Math.abs(event.clientX - from.x) > 4 && !moved) {
          moved = true;
          svg.setPointerCapture(event.pointerId);
          svg.classList.add("drag");
          hide();
        }
        if (moved) {
          left = from.left - (event.clientX - from.x) / figure.scale;
          layOut();
        }
        return;
      }
      const element = pick(figure, event.target);
      if (element) show(figure, element, event.clientX);
      else if (!svg.classList.contains("life")) hide();
    });
    svg.addEventListener("pointerdown", (event) => {
      if (event.button === 0) from = {x: event.clientX, left};
      moved = false;
    });
    const release = () => { from = null; svg.classList.remove("drag"); };
    svg.addEventListener("pointercancel", release);
    svg.addEventListener("pointerup", (event) => {
      release();
      if (moved) return;
      const element = pick(figure, event.target);
      if (element) show(figure, element, event.clientX);
      else hide();
      followShown();
    });
    svg.addEventListener("pointerleave", () => { if (!svg.classList.contains("life")) hide(); });
    svg.addEventListener("wheel", (event) => {
      const rect = svg.getBoundingClientRect();
      // With Shift some browsers turn the wheel sideways themselves.
      const sideways = event.shiftKey ? event.deltaX || event.deltaY : Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : 0;
      if (sideways && zoom > 1) left += sideways / figure.scale, layOut();
      else if (event.ctrlKey || event.metaKey || document.activeElement === svg)
        zoomAt(2 ** (-event.deltaY / 300), (event.clientX - rect.left - figure.data.left) / figure.width);
      else return;
      event.preventDefault();
    }, {passive: false});
    svg.addEventListener("keydown", (event) => {
      const {key} = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (key.startsWith("Arrow")) walk(figure, key);
      else if (key === "+" || key === "=") zoomAt(1.5, focus(figure));
      else if (key === "-") zoomAt(1 / 1.5, focus(figure));
      else if (key === "0" || key === "Home") zoom = 1, left = 0, layOut();
      else return;
      event.preventDefault();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    hide();
    follow(null, -1);
  });

  // The switches.
  const press = () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme:dark)").matches;
    for (const button of document.querySelectorAll("[data-set]")) {
      const now = button.dataset.set === "theme" ? (dark ? "dark" : "light") : root.dataset[button.dataset.set];
      button.setAttribute("aria-pressed", now === button.value);
    }
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.set) {
      root.dataset[button.dataset.set] = button.value;
      if (button.dataset.set === "lang") root.lang = button.value;
      press();
      measure();
      layOut();
      fill();
    } else if (button.dataset.zoom === "all") {
      zoom = 1;
      layOut();
    } else {
      zoomAt(button.dataset.zoom === "in" ? 1.5 : 1 / 1.5, 0.5);
    }
  });
  matchMedia("(prefers-color-scheme:dark)").addEventListener("change", press);
  addEventListener("resize", () => layOut());
  addEventListener("beforeprint", () => {
    hide();
    layOut(true);
  });
  addEventListener("afterprint", () => layOut());
  press();
  measure();
  layOut();
})();
