// Live: what is decided now, and in the last 15 minutes.
import { add, bar, choice, fill, h, scroller, statusPill } from "./dom.js";
import { clock, clockMinutes, compact, count, micros, microsPair, percent, perSecond } from "./format.js";
import { timeChart } from "./charts.js";
import { Feed } from "./feed.js";

const SPAN = 15 * 60 * 1000;
const LEAST_SPAN = 2 * 60 * 1000;
const STEPS = [30000, 60000, 120000, 180000];
const ALL = "";
/** So many policies are shown at once; others are found by name. */
const ROWS = 25;
/** The name under which a tick counts policies that are not among its 50 busiest. */
const OTHER = "(other)";
const NONE = [0, 0, 0, 0];
/** In intervals. */
const MOST_BETWEEN_TICKS = 2.5;
/** All decisions: each is allowed, denied, or one that a shadow policy would have denied. Degraded ones are among them. */
const all = ([allowed, denied, shadow]) => allowed + denied + shadow;
/** A policy may have any name, also one that every object has, such as constructor. */
const countsOf = (policies, name) => (Object.hasOwn(policies, name) ? policies[name] : NONE);

export function live(main) {
  let feed = null;
  let scope = "all";
  let policy = ALL;
  let frame = 0;
  let drawn = "";

  const status = statusPill("live-status");
  const tile = (name, id) => {
    const value = h("span", { class: "value", id });
    const note = h("div", { class: "note" });
    return { element: h("dl", { class: "tile" }, h("dt", {}, name), h("dd", {}, value, note)), value, note };
  };
  const tiles = {
    rate: tile("Decisions", "tile-rate"),
    denied: tile("Denied", "tile-denied"),
    latency: tile("Latency p50 / p99", "tile-latency"),
    store: tile("Store", "tile-store"),
    replicas: tile("Replicas", "tile-replicas"),
    alerts: tile("Alerts", "tile-alerts"),
  };
  const select = h("select", { class: "inline", "aria-label": "Policy of the charts", onchange: () => { policy = select.value; draw(); } });
  const canvas = [h("canvas"), h("canvas"), h("canvas")];
  const chartTitle = h("h2", {}, "Decisions a second");
  const table = scroller("Requests by policy");
  const find = h("input", { type: "text", class: "inline", placeholder: "Find a policy", "aria-label": "Find a policy", spellcheck: "false", hidden: true, oninput: () => draw() });
  const some = h("p", { class: "sub", hidden: true });
  const alerts = h("div");
  const replicas = h("div");
  const body = h("div", { class: "stack" },
    h("div", { class: "tiles" }, Object.values(tiles).map((one) => one.element)),
    h("section", { class: "card" },
      h("div", { class: "row between" }, chartTitle, select),
      h("div", { class: "chart" }, canvas[0]),
      h("ul", { class: "legend" },
        h("li", {}, h("span", { class: "swatch c-allowed" }), "allowed"),
        h("li", {}, h("span", { class: "swatch c-shadow" }), "allowed, but a shadow policy would deny"),
        h("li", {}, h("span", { class: "swatch c-denied" }), "denied"),
        h("li", {}, h("span", { class: "swatch line dotted c-degraded" }), "degraded: decided without the store"))),
    h("div", { class: "grid two" },
      h("section", { class: "card" }, h("h2", {}, "Denied"), h("p", { class: "sub" }, "Share of the requests"), h("div", { class: "chart small" }, canvas[1])),
      h("section", { class: "card" }, h("h2", {}, "Latency of a decision"), h("p", { class: "sub" }, "On the server; the scale is logarithmic"), h("div", { class: "chart small" }, canvas[2]),
        h("ul", { class: "legend" },
          h("li", {}, h("span", { class: "swatch line c-allowed" }), "p50"),
          h("li", {}, h("span", { class: "swatch line dashed c-text" }), "p99")))),
    h("section", { class: "card" },
      h("div", { class: "row between" },
        h("div", {}, h("h2", {}, "Policies"), h("p", { class: "sub" }, "Requests of the last 15 minutes. Choose a policy to see its chart.")), find),
      some, table),
    h("div", { class: "grid two" },
      h("section", { class: "card gap" }, h("h2", {}, "Alerts"), alerts),
      h("section", { class: "card gap" }, h("h2", {}, "Replicas"), replicas)));
  fill(main,
    h("div", { class: "head" },
      h("h1", {}, "Live"), status.element,
      h("div", { class: "grow" }),
      choice("Replicas to show", "scope", [["all", "All replicas"], ["replica", "This replica"]], scope, (value) => { scope = value; open(); })),
    body);

  const xText = (ms) => (ms % 60000 ? clock(ms) : clockMinutes(ms));
  const charts = [
    timeChart(canvas[0], {
      stacked: true, yTitle: "requests / s", xText, tooltipTitle: clock, yText: (n) => (n < 10 ? String(Number(n.toFixed(1))) : compact(n)),
      series: [
        { label: "allowed", colour: "allowed", fill: true, stack: "a" },
        { label: "shadow would deny", colour: "shadow", dash: [6, 4], fill: true, stack: "a" },
        { label: "denied", colour: "denied", fill: true, stack: "a" },
        { label: "degraded", colour: "degraded", dash: [2, 3], stack: "d" },
      ],
    }),
    timeChart(canvas[1], { yTitle: "denied", xText, tooltipTitle: clock, yText: (n) => `${Math.round(10 * n) / 10}%`, series: [{ label: "denied", colour: "denied", fill: true }] }),
    timeChart(canvas[2], {
      yTitle: "latency", xText, tooltipTitle: clock, yText: micros, logarithmic: true,
      series: [{ label: "p50", colour: "allowed" }, { label: "p99", colour: "text", dash: [6, 4] }],
    }),
  ];

  function open() {
    feed?.close();
    drawn = "";
    feed = new Feed(scope, () => { if (!frame) frame = requestAnimationFrame(() => { frame = 0; draw(); }); });
  }

  function draw() {
    if (!feed) return;
    showStatus();
    if (!feed.state) return;
    const last = feed.ticks.at(-1);
    const now = feed.status === "live" ? last?.t ?? feed.now() : feed.now();
    const ticks = feed.ticks.filter((tick) => tick.t > now - SPAN);
    showTiles(ticks, last, now);
    showCharts(ticks, now);
    showPolicies(ticks, last, now);
    showState();
  }

  function showStatus() {
    const age = Math.round((Date.now() - feed.heard) / 1000);
    const partial = scope === "all" && feed.state && !feed.state.complete;
    const [text, kind] = feed.status === "live" ? (partial ? ["Live, this replica only: Redis does not answer", "warm"] : ["Live", "good"])
      : feed.status === "stale" ? [`Stale: nothing heard for ${micros(age * 1e6)}. Connecting again.`, "bad"]
        : feed.status === "offline" ? ["Cannot connect. Trying again.", "bad"] : [feed.status === "paused" ? "Paused" : "Connecting", ""];
    status.show(text, kind);
  }

  const seconds = () => feed.interval / 1000;
  const of = (tick) => (policy === ALL ? tick.total : countsOf(tick.policies, policy));

  const total = (ticks, counts) => ticks.reduce((sum, tick) => { const more = counts(tick); return sum.map((n, i) => n + more[i]); }, NONE);
  const isFresh = (tick, now) => tick && tick.t > now - 6000;

  function showTiles(ticks, last, now) {
    const fresh = isFresh(last, now) ? last.total : NONE;
    const minute = total(ticks.filter((tick) => tick.t > now - 60000), (tick) => tick.total);
    const sum = total(ticks, (tick) => tick.total);
    const known = feed.status === "live";
    put(tiles.rate, known ? [perSecond(all(fresh) / seconds()), " /s"] : ["–"], `${count(all(sum))} in 15 min`);
    put(tiles.denied, [percent(minute[1], all(minute))], `of the last minute; ${count(sum[1])} in 15 min`);
    tiles.denied.value.classList.toggle("is-warm", minute[1] > 0);
    const timed = ticks.findLast((tick) => tick.latency_us);
    put(tiles.latency, timed ? microsPair(timed.latency_us.p50, timed.latency_us.p99) : ["–"], timed ? `at ${clock(timed.t)}` : "nothing decided yet");
    const { store } = feed.state;
    put(tiles.store, [!known ? "Unknown" : store.ok ? "OK" : "Away"], store.kind === "redis" ? "Redis" : "memory of this process");
    tiles.store.value.className = `value ${!known ? "" : store.ok ? "is-good" : "is-bad"}`;
    const gone = feed.state.gone.length;
    put(tiles.replicas, [known ? count(feed.state.replicas.length) : "–"], (!known ? `${count(feed.state.replicas.length)} when last heard` : scope === "all" ? "alive" : "this one is shown") + (gone ? `; ${count(gone)} gone` : ""));
    const firing = feed.state.alerts.length;
    put(tiles.alerts, [count(firing)], firing ? feed.state.alerts.map((one) => one.alert).join(", ") : "none is firing");
    tiles.alerts.value.className = `value ${firing ? "is-bad" : ""}`;
  }

  function put(one, [value, unit], note) {
    const text = value + (unit ?? "");
    if (one.value.textContent !== text) fill(one.value, value, unit && h("span", { class: "unit" }, unit));
    if (one.note.textContent !== note) one.note.textContent = note;
  }

  function showCharts(ticks, now) {
    // A server that has just started has less than 15 minutes: the axis begins with its first tick.
    const span = Math.min(SPAN, Math.max(LEAST_SPAN, now - (ticks[0]?.t ?? now)));
    const step = STEPS.find((each) => span / each <= 7.5);
    const bounds = [Math.floor((now - span) / step) * step, now];
    const line = (f) => ticks.flatMap((tick, i) => {
      const point = { x: tick.t, y: f(tick) };
      // Nothing is known of the time without ticks, such as that of a restart: no line leads over it.
      return i > 0 && tick.t - ticks[i - 1].t > MOST_BETWEEN_TICKS * feed.interval ? [{ x: tick.t - feed.interval, y: null }, point] : [point];
    });
    const rate = (i) => line((tick) => of(tick)[i] / seconds());
    chartTitle.textContent = policy === ALL ? "Decisions a second" : `Decisions a second: ${policy}`;
    const sum = total(ticks, of);
    charts[0].set([0, 2, 1, 3].map(rate), bounds,
      `Decisions a second over 15 minutes. Allowed ${count(sum[0])}, denied ${count(sum[1])}, shadow ${count(sum[2])}, degraded ${count(sum[3])}.`, step);
    charts[1].set([line((tick) => { const counts = of(tick); return all(counts) ? (100 * counts[1]) / all(counts) : 0; })], bounds,
      `Share of denied requests over 15 minutes: ${percent(sum[1], all(sum))} in all.`, step);
    charts[2].set(["p50", "p99"].map((p) => line((tick) => (tick.latency_us ? Math.max(1, tick.latency_us[p]) : null))), bounds, "Latency of decisions over 15 minutes, p50 and p99.", step);
  }

  /** The names in the order of the file, then those that only have old requests. */
  function namesOf(ticks) {
    const asked = new Set(ticks.flatMap((tick) => Object.keys(tick.policies)));
    const names = [...new Set([...(feed.state.policies ?? []), ...asked])];
    return names.length > ROWS ? { names, offered: names.filter((name) => asked.has(name) || name === policy) } : { names, offered: names };
  }

  function showPolicies(ticks, last, now) {
    const { names, offered } = namesOf(ticks);
    if (select.dataset.names !== offered.join("\n")) {
      select.dataset.names = offered.join("\n");
      fill(select, h("option", { value: ALL }, "All policies"), offered.map((name) => h("option", { value: name }, name)));
      if (!names.includes(policy)) policy = ALL;
      select.value = policy;
    }
    const fresh = isFresh(last, now) ? last.policies : {};
    const sums = new Map(names.map((name) => [name, [...NONE]]));
    for (const tick of ticks) for (const [name, more] of Object.entries(tick.policies)) more.forEach((n, i) => { sums.get(name)[i] += n; });
    let rows = [...sums].map(([name, sum]) => [name, sum, all(countsOf(fresh, name)) / seconds()]);
    find.hidden = names.length <= ROWS;
    if (!find.hidden) {
      const word = find.value.trim().toLowerCase();
      const found = rows.filter(([name]) => name.toLowerCase().includes(word));
      rows = found.sort((a, b) => all(b[1]) - all(a[1])).slice(0, ROWS);
      some.textContent = found.length > rows.length ? `The ${rows.length} busiest of ${count(found.length)}.` : `${count(found.length)} found.`;
    }
    some.hidden = find.hidden;
    const key = JSON.stringify([rows, policy, some.textContent]);
    if (key === drawn) return;
    drawn = key;
    const silent = [...sums.values()].every((sum) => all(sum) === 0);
    if (silent && find.hidden) {
      fill(table, h("div", { class: "empty" }, names.length === 0 ? "There are no policies yet: write the first in Policies." : "No requests in the last 15 minutes. Send one:",
        names.length > 0 && h("code", { tabindex: "0" }, `curl -s ${location.origin}/v1/check -d '{"attributes":{"tenant":"acme"}}'`),
        names.length > 0 && h("p", { class: "pad-top" }, "Or compare limits without traffic in the ", h("a", { href: "#/playground" }, "Playground"), ".")));
      return;
    }
    const focused = document.activeElement?.dataset?.policy;
    const head = [["Requests now, /s"], ["Allowed"], ["Denied"], ["Denied, %"], ["Shadow", "A shadow policy would deny them"], ["Degraded"]];
    fill(table, h("table", { id: "policy-table" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Policy"), head.map(([text, title]) => h("th", { scope: "col", class: "num", title }, text)))),
      h("tbody", {}, rows.map(([name, sum, rate]) => h("tr", { class: name === policy ? "chosen" : "", "data-row": name },
        h("th", { scope: "row" }, h("button", {
          type: "button", class: "link", "data-policy": name, "aria-pressed": String(name === policy), title: name === OTHER ? "Policies that are not among the 50 busiest of an interval" : null,
          onclick: () => { policy = policy === name ? ALL : name; select.dataset.names = ""; draw(); },
        }, name), all(sum) > 0 && bar(sum[1] / all(sum))),
        [perSecond(rate), count(sum[0]), count(sum[1]), percent(sum[1], all(sum)), count(sum[2]), count(sum[3])].map((text) => h("td", { class: "num" }, text)))))));
    if (focused) table.querySelector(`[data-policy="${CSS.escape(focused)}"]`)?.focus();
  }

  let drawnState = "";

  function showState() {
    const { state } = feed;
    const known = feed.status === "live";
    const key = JSON.stringify([known, state.alerts, state.replicas, state.gone]);
    if (key === drawnState) return;
    drawnState = key;
    fill(alerts, state.alerts.length === 0
      ? h("p", { class: "empty" }, "No alert is firing. Policies can have alerts: write them under alerts in ", h("a", { href: "#/policies" }, "Policies"), ".")
      : state.alerts.map((one) => h("div", { class: "box bad" }, h("b", {}, one.alert), ` ${one.policy ? `on ${one.policy}: ` : ""}${one.condition}, since ${clock(Date.parse(one.since))}`)));
    const row = (one, heard) => h("tr", {}, h("th", { scope: "row" }, one.name, one.here && " (this one)"), h("td", {}, one.version), h("td", { class: "num" }, heard));
    fill(replicas, add(scroller("Replicas"), [h("table", { id: "replica-table" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Replica"), h("th", { scope: "col" }, "Version"), h("th", { scope: "col", class: "num" }, "State"))),
      h("tbody", {},
        state.replicas.map((one) => row(one, known ? h("span", { class: "pill good" }, "alive") : h("span", { class: "pill" }, "unknown"))),
        state.gone.map((one) => row(one, h("span", { class: "pill bad" }, `gone for ${micros(one.seen_ms_ago * 1000)}`)))))]));
  }

  open();
  return () => {
    feed.close();
    cancelAnimationFrame(frame);
    charts.forEach((chart) => chart.destroy());
  };
}
