// Live: what is decided now, and in the last 15 minutes.
import { bar, choice, fill, h } from "./dom.js";
import { clock, clockMinutes, compact, count, micros, percent, perSecond } from "./format.js";
import { timeChart } from "./charts.js";
import { Feed } from "./feed.js";

const SPAN = 15 * 60 * 1000;
const LEAST_SPAN = 2 * 60 * 1000;
const STEPS = [30000, 60000, 120000, 180000];
const ALL = "";

export function live(main) {
  let feed = null;
  let scope = "all";
  let policy = ALL;
  let frame = 0;
  let drawn = "";

  const status = h("span", { class: "pill", id: "live-status", role: "status" }, "Connecting");
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
  const table = h("div", { class: "scroll" });
  const alerts = h("div");
  const replicas = h("div");
  const body = h("div", { class: "stack" },
    h("div", { class: "tiles" }, Object.values(tiles).map((one) => one.element)),
    h("section", { class: "card" },
      h("div", { class: "row between" }, chartTitle, select),
      h("div", { class: "chart" }, canvas[0]),
      h("ul", { class: "legend" },
        h("li", {}, h("span", { class: "swatch c-allowed" }), "allowed"),
        h("li", {}, h("span", { class: "swatch c-denied" }), "denied"),
        h("li", {}, h("span", { class: "swatch line dashed c-shadow" }), "would be denied (shadow)"),
        h("li", {}, h("span", { class: "swatch line dotted c-degraded" }), "degraded: decided without the store"))),
    h("div", { class: "grid two" },
      h("section", { class: "card" }, h("h2", {}, "Denied, share of requests"), h("div", { class: "chart small" }, canvas[1])),
      h("section", { class: "card" }, h("h2", {}, "Latency of a decision"), h("div", { class: "chart small" }, canvas[2]),
        h("ul", { class: "legend" },
          h("li", {}, h("span", { class: "swatch line c-allowed" }), "p50"),
          h("li", {}, h("span", { class: "swatch line dashed c-text" }), "p99")))),
    h("section", { class: "card" }, h("h2", {}, "Policies"), h("p", { class: "sub" }, "Requests of the last 15 minutes. Choose a policy to see its chart."), table),
    h("div", { class: "grid two" },
      h("section", { class: "card gap" }, h("h2", {}, "Alerts"), alerts),
      h("section", { class: "card gap" }, h("h2", {}, "Replicas"), replicas)));
  fill(main,
    h("div", { class: "head" },
      h("h1", {}, "Live"), status,
      h("div", { class: "grow" }),
      choice("Replicas to show", "scope", [["all", "All replicas"], ["replica", "This replica"]], scope, (value) => { scope = value; open(); })),
    body);

  const charts = [
    timeChart(canvas[0], {
      stacked: true, yTitle: "requests / s", xText: (ms) => (ms % 60000 ? clock(ms) : clockMinutes(ms)), tooltipTitle: clock,
      series: [
        { label: "allowed", colour: "allowed", fill: true, stack: "a" },
        { label: "denied", colour: "denied", fill: true, stack: "a" },
        { label: "would be denied (shadow)", colour: "shadow", dash: [6, 4], stack: "s" },
        { label: "degraded", colour: "degraded", dash: [2, 3], stack: "d" },
      ],
    }),
    timeChart(canvas[1], { yTitle: "%", xText: (ms) => (ms % 60000 ? clock(ms) : clockMinutes(ms)), tooltipTitle: clock, series: [{ label: "denied, %", colour: "denied", fill: true }] }),
    timeChart(canvas[2], {
      yTitle: "µs", xText: (ms) => (ms % 60000 ? clock(ms) : clockMinutes(ms)), tooltipTitle: clock,
      series: [{ label: "p50, µs", colour: "allowed" }, { label: "p99, µs", colour: "text", dash: [6, 4] }],
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
    const now = Math.max(last?.t ?? 0, Date.now() - 4000);
    const ticks = feed.ticks.filter((tick) => tick.t > now - SPAN);
    showTiles(ticks, last, now);
    showCharts(ticks, now);
    showPolicies(ticks);
    showState();
  }

  function showStatus() {
    const age = Math.round((Date.now() - feed.heard) / 1000);
    const [text, kind] = feed.status === "live" ? ["Live", "good"]
      : feed.status === "stale" ? [`Stale: nothing heard for ${age} s. Connecting again.`, "bad"]
        : feed.status === "offline" ? ["Cannot connect. Trying again.", "bad"] : ["Connecting", ""];
    if (status.textContent !== text) status.textContent = text;
    status.className = `pill ${kind}`;
  }

  const seconds = () => feed.interval / 1000;
  const of = (tick) => (policy === ALL ? tick.total : tick.policies[policy] ?? [0, 0, 0, 0]);

  function showTiles(ticks, last, now) {
    const fresh = last && last.t > now - 6000 ? last.total : [0, 0, 0, 0];
    const minute = ticks.filter((tick) => tick.t > now - 60000).reduce((sum, tick) => sum.map((n, i) => n + tick.total[i]), [0, 0, 0, 0]);
    const all = ticks.reduce((sum, tick) => sum.map((n, i) => n + tick.total[i]), [0, 0, 0, 0]);
    put(tiles.rate, [perSecond((fresh[0] + fresh[1]) / seconds()), " /s"], `${count(all[0] + all[1])} in 15 min`);
    put(tiles.denied, [percent(minute[1], minute[0] + minute[1])], `of the last minute; ${count(all[1])} in 15 min`);
    tiles.denied.value.classList.toggle("is-warm", minute[1] > 0);
    const timed = ticks.findLast((tick) => tick.latency_us);
    put(tiles.latency, timed ? [`${timed.latency_us.p50} / ${timed.latency_us.p99}`, " µs"] : ["–"], timed ? `at ${clock(timed.t)}` : "nothing decided yet");
    const { store } = feed.state;
    put(tiles.store, [store.ok ? "OK" : "Away"], store.kind === "redis" ? "Redis" : "memory of this process");
    tiles.store.value.className = `value ${store.ok ? "is-good" : "is-bad"}`;
    put(tiles.replicas, [count(feed.state.replicas.length)], scope === "all" ? "alive" : "alive; shown: this one");
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
    const bounds = [now - span, now];
    const step = STEPS.find((each) => span / each <= 6);
    const line = (f) => ticks.map((tick) => ({ x: tick.t, y: f(tick) }));
    const rate = (i) => line((tick) => of(tick)[i] / seconds());
    chartTitle.textContent = policy === ALL ? "Decisions a second" : `Decisions a second: ${policy}`;
    const sum = ticks.reduce((total, tick) => total.map((n, i) => n + of(tick)[i]), [0, 0, 0, 0]);
    charts[0].set([0, 1, 2, 3].map(rate), bounds,
      `Decisions a second over 15 minutes. Allowed ${count(sum[0])}, denied ${count(sum[1])}, shadow ${count(sum[2])}, degraded ${count(sum[3])}.`, step);
    charts[1].set([line((tick) => { const [a, d] = of(tick); return a + d ? (100 * d) / (a + d) : 0; })], bounds,
      `Share of denied requests over 15 minutes: ${percent(sum[1], sum[0] + sum[1])} in all.`, step);
    charts[2].set(["p50", "p99"].map((p) => line((tick) => tick.latency_us?.[p] ?? null)), bounds, "Latency of decisions over 15 minutes, in microseconds.", step);
  }

  function showPolicies(ticks) {
    const names = [...new Set([...feed.state.policies, ...ticks.flatMap((tick) => Object.keys(tick.policies))])];
    if (select.dataset.names !== names.join("\n")) {
      select.dataset.names = names.join("\n");
      fill(select, h("option", { value: ALL }, "All policies"), names.map((name) => h("option", { value: name }, name)));
      if (!names.includes(policy)) policy = ALL;
      select.value = policy;
    }
    const rows = names.map((name) => {
      const sum = [0, 0, 0, 0];
      for (const tick of ticks) (tick.policies[name] ?? []).forEach((n, i) => { sum[i] += n; });
      return [name, sum];
    });
    const key = JSON.stringify([rows, policy]);
    if (key === drawn) return;
    drawn = key;
    if (rows.every(([, sum]) => sum[0] + sum[1] === 0)) {
      fill(table, h("div", { class: "empty" }, "No requests in the last 15 minutes. Send one:",
        h("code", {}, `curl -s ${location.origin}/v1/check -d '{"attributes":{"tenant":"acme"}}'`)));
      return;
    }
    const focused = document.activeElement?.dataset?.policy;
    fill(table, h("table", { id: "policy-table" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Policy"),
        ["Allowed", "Denied", "Denied, %", "Shadow", "Degraded"].map((text) => h("th", { scope: "col", class: "num" }, text)))),
      h("tbody", {}, rows.map(([name, [allowed, denied, shadow, degraded]]) => h("tr", { class: name === policy ? "chosen" : "", "data-row": name },
        h("th", { scope: "row" }, h("button", {
          type: "button", class: "link", "data-policy": name, "aria-pressed": String(name === policy),
          onclick: () => { policy = policy === name ? ALL : name; select.value = policy; draw(); },
        }, name), bar(denied / Math.max(1, allowed + denied))),
        h("td", { class: "num" }, count(allowed)), h("td", { class: "num" }, count(denied)),
        h("td", { class: "num" }, percent(denied, allowed + denied)), h("td", { class: "num" }, count(shadow)), h("td", { class: "num" }, count(degraded)))))));
    if (focused) table.querySelector(`[data-policy="${CSS.escape(focused)}"]`)?.focus();
  }

  function showState() {
    const { state } = feed;
    fill(alerts, state.alerts.length === 0
      ? h("p", { class: "empty" }, "No alert is firing. Alerts are part of the policies: see alerts in Policies.")
      : state.alerts.map((one) => h("div", { class: "box bad" }, h("b", {}, one.alert), ` ${one.policy ? `on ${one.policy}: ` : ""}${one.condition}, since ${clock(Date.parse(one.since))}`)));
    fill(replicas, h("div", { class: "scroll" }, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Replica"), h("th", { scope: "col" }, "Version"), h("th", { scope: "col", class: "num" }, "Heard"))),
      h("tbody", {}, state.replicas.map((one) => h("tr", {},
        h("th", { scope: "row" }, one.name, one.here && " (this one)"), h("td", {}, one.version), h("td", { class: "num" }, `${micros(one.seen_ms_ago * 1000)} ago`)))))));
  }

  open();
  return () => {
    feed.close();
    cancelAnimationFrame(frame);
    charts.forEach((chart) => chart.destroy());
  };
}
