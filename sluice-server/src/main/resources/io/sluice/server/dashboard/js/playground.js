// Playground: several limits on the same traffic, decided by the server's own engine. The address reproduces it.
import { call, post } from "./api.js";
import { copy, debounced, fill, h, notice, svg } from "./dom.js";
import { count, many, micros, percent, visible } from "./format.js";
import { timeChart } from "./charts.js";
import { timeAxis } from "./axis.js";

const SHAPES = [
  ["steady", "Steady", "M2 14H78"],
  ["burst", "Bursts", "M2 20H18V4H22V20H48V4H52V20H78"],
  ["edge", "Window's edge", "M2 24H32V4H48V24H78"],
  ["attack", "Attack", "M2 20H26V4H54V20H78"],
  ["on-off", "On and off", "M2 24V8H22V24H42V8H62V24H78"],
  ["diurnal", "Day and night", "M2 24C16 24 22 4 40 4S64 24 78 24"],
  ["trace", "My trace", "M2 20H10V12H16V22H24V6H30V18H40V10H48V22H58V14H66V8H78"],
];
const FIELDS = {
  rate: ["Rate", "requests / s"], seconds: ["Lasts", "s"], size: ["Size", "requests"], every: ["Every", "s"], keys: ["Number of keys", ""],
};
const USED = {
  steady: ["rate", "seconds", "keys"], burst: ["rate", "size", "every", "seconds", "keys"], edge: ["size", "every", "seconds", "keys"],
  attack: ["rate", "size", "seconds"], "on-off": ["rate", "every", "seconds", "keys"], diurnal: ["rate", "every", "seconds", "keys"], trace: [],
};
const USUAL = {
  steady: { rate: 12, seconds: 20, keys: 1 }, burst: { rate: 4, size: 30, every: 10, seconds: 30, keys: 1 },
  edge: { size: 10, every: 1, seconds: 8, keys: 1 }, attack: { rate: 8, size: 100, seconds: 30 },
  "on-off": { rate: 20, every: 5, seconds: 30, keys: 1 }, diurnal: { rate: 25, every: 60, seconds: 120, keys: 1 }, trace: {},
};
const LIMITS = ["token-bucket 10/s burst 20", "leaky-bucket 10/s capacity 20", "fixed-window 10 per 1s", "sliding-log 10 per 1s"];
const MORE = ["sliding-counter 10 per 1s slots 10", "warm-up 10/s over 10s", "token-bucket 10/s burst 1", "fixed-window 100 per 10s from-first"];
const MOST = 6;
/** After so many milliseconds a server that does not answer is asked again. */
const AGAIN = 3000;
/** A longer trace is not part of the address: few programs keep such links whole. */
const MOST_IN_LINK = 30000;
const MOST_OF_TRACE = 1000000;
/** The lines of the busiest keys, and the same in the legend. */
const DASHES = [[], [6, 3], [2, 3]];
const STROKES = ["", "dashed", "dotted"];
const TRACE = "time_us,key,permits\n0,alice,1\n100000,alice,1\n150000,bob,2\n900000,alice,5\n1100000,alice,5\n";

/** A limit as a word for a shell. The link may come from somebody else, and a shell would run what stands in $(…). */
const quoted = (text) => (/^[\w .:/-]*$/.test(text) ? `"${text}"` : `'${visible(text).replaceAll("'", "'\\''")}'`);

/** Whether the remaining permits change over time. Those of a warm-up are all or none, with every request. */
const hasRemaining = (one) => one.capacity > 0 && !/^(unlimited|warm-up)\b/.test(one.limit);

export function playground(main, query) {
  let charts = [];
  let turn = 0;
  let gone = false;
  let shape = SHAPES.some(([id]) => id === query.get("shape")) ? query.get("shape") : "edge";
  const limits = query.getAll("limit").length ? query.getAll("limit").slice(0, MOST) : [...LIMITS];
  const numbers = { ...USUAL[shape] };
  for (const name of Object.keys(FIELDS)) if (/^\d+$/.test(query.get(name) ?? "")) numbers[name] = Number(query.get(name));

  const list = h("div", { id: "limits" });
  const fields = h("div", { class: "fields" });
  const trace = h("textarea", { rows: "8", "aria-label": "Trace in CSV", wrap: "off", spellcheck: "false", value: query.get("trace") ?? TRACE, oninput: () => later() });
  const file = h("input", { type: "file", accept: ".csv,text/csv,text/plain", "aria-label": "Open a trace", class: "visually-hidden", tabindex: "-1", onchange: () => openTrace() });
  const own = h("div", { class: "gap" },
    h("p", { class: "lead" }, "CSV with the header ", h("code", {}, "time_us,key,permits"), ": times in microseconds, never falling."), trace,
    h("div", { class: "row" }, h("button", { type: "button", onclick: () => file.click() }, "Open a file"), file));
  const save = h("div", { class: "row" }, h("button", { type: "button", onclick: () => download() }, "Download as a trace"));
  const results = h("div", { class: "results", id: "results" });
  const summary = h("p", { class: "lead", role: "status", id: "summary" }, "");
  const error = h("div", { class: "box bad", role: "alert", hidden: true });
  const command = h("div", { class: "command", id: "command", tabindex: "0", role: "region", "aria-label": "The same on the command line" });

  function showLimits() {
    fill(list, limits.map((text, i) => h("div", { class: "limit-row" },
      h("input", { type: "text", value: text, "aria-label": `Limit ${i + 1}`, list: "known-limits", spellcheck: "false", autocapitalize: "off",
        oninput: (event) => { limits[i] = event.target.value; later(); } }),
      h("button", { type: "button", "aria-label": `Remove limit ${i + 1}`, title: "Remove", disabled: limits.length === 1,
        onclick: () => { limits.splice(i, 1); showLimits(); run(); } }, "×"))));
    addLimit.disabled = limits.length >= MOST;
  }
  const addLimit = h("button", { type: "button", onclick: () => {
    limits.push(MORE.find((text) => !limits.includes(text)) ?? LIMITS[0]);
    showLimits();
    list.lastElementChild.querySelector("input").focus();
    run();
  } }, "Add a limit");

  function label(name) {
    const [text, unit] = shape === "attack" && name === "size" ? ["Attack", "requests / s"] : FIELDS[name];
    return unit ? `${text}, ${unit}` : text;
  }

  function showFields() {
    fill(fields, USED[shape].map((name) => h("label", { class: "field" }, label(name),
      h("input", { type: "number", min: "1", value: String(numbers[name] ?? 1), name, oninput: (event) => { numbers[name] = Number(event.target.value); later(); } }))));
    own.hidden = shape !== "trace";
    save.hidden = shape === "trace";
  }

  function body() {
    if (shape === "trace") return { limits, trace: trace.value };
    const traffic = { shape };
    for (const name of USED[shape]) traffic[name] = numbers[name] ?? 1;
    return { limits, traffic };
  }

  const isLong = () => shape === "trace" && trace.value.length > MOST_IN_LINK;

  function link() {
    const words = new URLSearchParams();
    words.set("shape", shape);
    for (const name of USED[shape]) words.set(name, String(numbers[name] ?? 1));
    limits.forEach((text) => words.append("limit", text));
    if (shape === "trace" && !isLong()) words.set("trace", trace.value);
    return `#/playground?${words}`;
  }

  async function run() {
    if (gone) return;
    const mine = ++turn;
    history.replaceState(null, "", link());
    command.textContent = `./sluice simulate ${limits.map((text) => `--limit ${quoted(text)}`).join(" ")} --plot plot.svg trace.csv`;
    try {
      const it = await post("/v1/simulate", body());
      if (mine !== turn) return;
      error.hidden = true;
      results.classList.remove("outdated");
      show(it);
    } catch (problem) {
      if (mine !== turn) return;
      error.textContent = problem.message;
      error.hidden = false;
      results.classList.add("outdated");
      if (problem.status === 503) later();
      if (problem.status === 0) {
        error.textContent = `${problem.message} This page tries again by itself.`;
        setTimeout(() => { if (mine === turn) run(); }, AGAIN);
      }
    }
  }
  const later = debounced(350, run);

  function show(it) {
    charts.forEach((chart) => chart.destroy());
    charts = [];
    if (it.requests === 0) {
      summary.textContent = "There are no requests.";
      fill(results, h("p", { class: "empty" }, shape === "trace" ? "Add a line to the trace for each request, such as 0,alice,1." : "Make the traffic last longer."));
      return;
    }
    const axis = timeAxis(it.start_us, it.bars * it.bar_us);
    summary.textContent = `${many(it.requests, "request")}, ${it.more_keys ? "more than " : ""}${many(it.keys, "key")}, in bars of ${micros(it.bar_us)}.${axis.note}${isLong() ? " The trace is too long to be part of the link." : ""}`;
    const top = Math.max(1, ...it.limits.flatMap((one) => one.on_time_bars.map((n, i) => n + one.delayed_bars[i] + one.denied_bars[i])));
    const drawn = it.limits.map((one) => panel(it, one, axis, top));
    fill(results, drawn.map((each) => each.element));
    charts = drawn.map((each) => each.draw());
  }

  function panel(it, one, axis, top) {
    const canvas = h("canvas");
    const all = one.admitted + one.denied;
    const worst = one.worst;
    const over = worst && worst.permits > worst.limit_permits;
    const since = (us) => us - it.start_us + axis.from;
    const keys = hasRemaining(one) ? one.keys : [];
    const element = h("section", { class: "card", "data-limit": one.limit, "data-admitted": one.admitted, "data-denied": one.denied, "data-delayed": one.delayed },
      h("h2", { class: "mono" }, one.limit),
      h("div", { class: "result-counts" },
        h("span", {}, h("b", {}, count(one.admitted)), ` admitted (${percent(one.admitted, all)})`),
        h("span", {}, h("b", {}, count(one.denied)), " denied"),
        one.delayed > 0 && h("span", {}, h("b", {}, count(one.delayed)), ` delayed, up to ${micros(one.longest_delay_us)}`)),
      keys.length > 1 && h("ul", { class: "legend lines" }, h("li", {}, "Remaining:"),
        keys.map((key, i) => h("li", {}, h("span", { class: `swatch line c-text ${STROKES[i]}` }), h("bdi", {}, visible(key.key))))),
      h("div", { class: "chart small" }, canvas),
      worst && h("p", { class: `box ${over ? "warm" : ""}` },
        `Worst ${micros(worst.window_us)}: `, h("bdi", {}, visible(worst.key)), ` got ${many(worst.permits, "permit")}, from ${axis.text(since(worst.from_us))} on. The rate is ${count(worst.limit_permits)}.`));
    return { element, draw: () => {
      const bars = (numbersOf) => numbersOf.map((y, i) => ({ x: axis.from + (i + 0.5) * it.bar_us, y }));
      const chart = timeChart(canvas, {
        bars: true, stacked: true, yTitle: `requests / ${micros(it.bar_us)}`, rightTitle: keys.length ? "remaining" : null,
        xText: axis.text,
        series: [
          { label: "admitted", colour: "allowed", stack: "a" },
          { label: "admitted later", colour: "delayed", stack: "a" },
          { label: "denied", colour: "denied", stack: "a" },
          ...keys.map((key, i) => ({ label: `remaining, ${visible(key.key)}`, colour: "text", type: "line", right: true, step: true, dash: DASHES[i], stack: `r${i}` })),
        ],
        marks: worst ? [{ from: since(worst.from_us), to: since(Math.max(worst.to_us, worst.from_us + worst.window_us)) }] : [],
      });
      chart.chart.options.scales.y.suggestedMax = top;
      if (keys.length > 0) chart.chart.options.scales.right.suggestedMax = one.capacity;
      chart.set([bars(one.on_time_bars), bars(one.delayed_bars), bars(one.denied_bars), ...keys.map((key) => bars(key.remaining))],
        [axis.from, axis.from + it.bars * it.bar_us],
        `${one.limit}: ${count(one.admitted)} admitted, ${count(one.delayed)} of them delayed, ${count(one.denied)} denied.`, axis.step);
      return chart;
    } };
  }

  async function openTrace() {
    const [chosen] = file.files;
    if (!chosen) return;
    if (chosen.size > MOST_OF_TRACE) notice(`${chosen.name} has ${count(chosen.size)} bytes (at most ${count(MOST_OF_TRACE)}). Use ./sluice simulate for it.`);
    else {
      trace.value = await chosen.text();
      run();
    }
    file.value = "";
  }

  async function download() {
    try {
      const { body: csv } = await call("POST", "/v1/simulate/trace", { json: body() });
      const address = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
      h("a", { href: address, download: "trace.csv" }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    } catch (problem) {
      notice(problem.message);
    }
  }

  fill(main,
    h("div", { class: "head" }, h("div", { class: "grow" }, h("h1", {}, "Playground"),
      h("p", { class: "lead" }, "Put the same traffic before several limits and compare. The server decides, with the engine of ./sluice simulate; your real limits are not touched.")),
    h("button", { type: "button", onclick: () => (isLong() ? notice("The trace is too long for a link. Share the file.") : copy(location.href, "The link is copied. It shows the same picture.")) }, "Copy the link")),
    h("div", { class: "grid" },
      h("div", { class: "grid two" },
        h("section", { class: "card stack" },
          h("h2", {}, "Traffic"),
          h("fieldset", { class: "shapes" }, h("legend", { class: "visually-hidden" }, "Shape of the traffic"),
            SHAPES.map(([id, text, path]) => h("label", {},
              h("input", { type: "radio", name: "shape", value: id, checked: id === shape,
                onchange: () => { shape = id; Object.assign(numbers, USUAL[id]); showFields(); run(); } }),
              svg("svg", { viewBox: "0 0 80 28", "aria-hidden": "true" }, svg("path", { d: path })), text))),
          fields, own, save),
        h("section", { class: "card stack" },
          h("h2", {}, "Limits, side by side"),
          h("datalist", { id: "known-limits" }, [...LIMITS, ...MORE].map((text) => h("option", { value: text }))),
          list,
          h("div", { class: "row" }, addLimit),
          h("div", {}, h("div", { class: "row between" }, h("h3", {}, "The same on the command line"),
            h("button", { type: "button", class: "quiet", onclick: () => copy(command.textContent, "The command is copied. Download the trace for it.", command) }, "Copy")), command))),
      error,
      h("div", { class: "row between" }, summary,
        h("ul", { class: "legend" },
          h("li", {}, h("span", { class: "swatch c-allowed" }), "admitted"),
          h("li", {}, h("span", { class: "swatch c-delayed" }), "admitted later, when it leaves"),
          h("li", {}, h("span", { class: "swatch c-denied" }), "denied"),
          h("li", {}, h("span", { class: "swatch line c-text" }), "remaining permits"),
          h("li", {}, h("span", { class: "swatch c-worst" }), "worst window"))),
      results));
  showLimits();
  showFields();
  run();
  return () => { gone = true; turn = -1; charts.forEach((chart) => chart.destroy()); };
}
