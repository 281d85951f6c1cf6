// Keys: who asks most, who is denied most, and what can be done for or against one of them.
import { call, get, post } from "./api.js";
import { bar, fill, h, notice } from "./dom.js";
import { clock, count, date, inFlight, keyText, micros, millis } from "./format.js";
import { session } from "./session.js";

const REFRESH = 3000;
const ALL = "";

/** The key of a link; null if it has none that can be read. */
function linked(query) {
  try {
    return query.get("policy") ? { policy: query.get("policy"), key: JSON.parse(query.get("key") ?? "{}") } : null;
  } catch {
    return null;
  }
}

export function keys(main, query) {
  let policy = ALL;
  let chosen = linked(query);
  let names = [];
  let gone = false;
  let busy = false;

  const select = h("select", { class: "inline", "aria-label": "Policy", onchange: () => { policy = select.value; refresh(); } });
  const denied = h("div", { class: "scroll", id: "denied-keys" });
  const busiest = h("div", { class: "scroll", id: "busiest-keys" });
  const overrides = h("div", { class: "scroll", id: "overrides" });
  const detail = h("div", { id: "detail" });
  const lookPolicy = h("select", { name: "policy" });
  const lookKey = h("input", { type: "text", placeholder: "tenant=acme", name: "key", spellcheck: "false", autocapitalize: "off" });
  const updated = h("span", { class: "pill", role: "status" }, "Loading");

  fill(main,
    h("div", { class: "head" }, h("h1", {}, "Keys"), updated, h("div", { class: "grow" }), select),
    h("div", { class: "grid wide-left" },
      h("div", { class: "stack" },
        h("section", { class: "card" }, h("h2", {}, "Denied most"), h("p", { class: "sub" }, "Last one to two minutes, on this replica"), denied),
        h("section", { class: "card" }, h("h2", {}, "Busiest"), h("p", { class: "sub" }, "Last one to two minutes, on this replica"), busiest),
        h("section", { class: "card" }, h("h2", {}, "Temporary overrides"), h("p", { class: "sub" }, "They end by themselves; what was used is carried over."), overrides)),
      h("div", { class: "stack" }, detail,
        h("form", { class: "card stack", onsubmit: look },
          h("h2", {}, "Look up a key"),
          h("label", { class: "field" }, "Policy", lookPolicy),
          h("label", { class: "field" }, "Key", lookKey),
          h("div", { class: "row" }, h("button", { type: "submit" }, "Look up"))))));

  function look(event) {
    event.preventDefault();
    const key = {};
    for (const part of lookKey.value.trim().split(/[\s,]+/).filter(Boolean)) {
      const [name, ...rest] = part.split("=");
      key[name] = rest.join("=");
    }
    choose({ policy: lookPolicy.value, key });
  }

  function choose(one) {
    chosen = one;
    shown = "";
    history.replaceState(null, "", `#/keys?${new URLSearchParams({ policy: one.policy, key: JSON.stringify(one.key) })}`);
    showKey(true);
  }

  async function refresh() {
    if (busy || gone) return;
    busy = true;
    try {
      const [top, live, temporary] = await Promise.all([get("/v1/top?n=200"), names.length ? null : get("/v1/live?scope=replica"), get("/v1/overrides")]);
      if (gone) return;
      if (live) {
        names = live.state.policies;
        fill(select, h("option", { value: ALL }, "All policies"), names.map((name) => h("option", { value: name }, name)));
        fill(lookPolicy, names.map((name) => h("option", { value: name }, name)));
      }
      table(denied, top.denied, "denied", "denied", "Nobody was denied. That is good news, or nobody asked.");
      table(busiest, top.busiest, "asked", "blue", "No requests lately. Keys appear here with their first request.");
      showOverrides(temporary);
      updated.textContent = `Updated ${clock(Date.now())}`;
      updated.className = "pill good";
      await showKey(false);
    } catch (problem) {
      updated.textContent = problem.status === 0 ? "Stale: the server does not answer" : problem.message;
      updated.className = "pill bad";
    } finally {
      busy = false;
    }
  }

  function table(element, all, verb, kind, none) {
    const rows = all.filter((one) => policy === ALL || one.policy === policy).slice(0, 10);
    const text = JSON.stringify(rows);
    if (element.dataset.rows === text) return;
    element.dataset.rows = text;
    const most = Math.max(1, ...rows.map((one) => one.count));
    const focused = element.contains(document.activeElement) ? document.activeElement.textContent : null;
    fill(element, rows.length === 0 ? h("p", { class: "empty" }, none) : h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Key"), h("th", { scope: "col" }, "Policy"), h("th", { scope: "col", class: "num" }, `Requests ${verb}`))),
      h("tbody", {}, rows.map((one) => h("tr", {},
        h("th", { scope: "row" }, one.key ? h("button", { type: "button", class: "link mono", onclick: () => choose(one) }, keyText(one.key)) : h("span", { class: "mono" }, one.digest), bar(one.count / most, kind)),
        h("td", {}, one.policy), h("td", { class: "num" }, `${one.error > 0 ? "~" : ""}${count(one.count)}`))))));
    if (focused) [...element.querySelectorAll("button")].find((button) => button.textContent === focused)?.focus();
  }

  function showOverrides({ overrides: list }) {
    const text = JSON.stringify(list.map((one) => [one.id, one.limit, Math.ceil(one.expires_in_ms / 1000)]));
    if (overrides.dataset.rows === text) return;
    overrides.dataset.rows = text;
    fill(overrides, list.length === 0 ? h("p", { class: "empty" }, "None. Choose a key to give it one.") : h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Key"), h("th", { scope: "col" }, "Limit"), h("th", { scope: "col" }, "Ends in"), h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, "Actions")))),
      h("tbody", {}, list.map((one) => h("tr", { "data-override": one.id },
        h("th", { scope: "row" }, h("button", { type: "button", class: "link mono", onclick: () => choose(one) }, keyText(one.key)), h("div", { class: "lead" }, one.policy)),
        h("td", {}, h("code", {}, one.limit), one.reason && h("div", { class: "lead" }, one.reason)),
        h("td", { class: "num" }, millis(Math.ceil(one.expires_in_ms / 1000) * 1000)),
        h("td", { class: "num" }, session().may_write && h("button", { type: "button", onclick: () => act("The override is removed.", () => call("DELETE", `/v1/overrides?id=${encodeURIComponent(one.id)}`)) }, "End now")))))));
  }

  async function act(done, work) {
    try {
      await work();
      notice(done);
      shown = "";
      await showKey(false);
      overrides.dataset.rows = "";
      showOverrides(await get("/v1/overrides"));
    } catch (problem) {
      notice(problem.message);
    }
  }

  let shown = "";
  const stateOf = h("div", { class: "gap", id: "key-state", "aria-live": "polite" });
  const historyOf = h("div", { class: "gap", id: "key-history" });

  async function showKey(first) {
    if (!chosen) {
      if (first || !detail.hasChildNodes()) fill(detail, h("section", { class: "card" }, h("h2", {}, "No key chosen"), h("p", { class: "empty" }, "Choose a key in a table, or look one up, to see its state and to reset it, pause it or give it another limit for a time.")));
      return;
    }
    const { policy: name, key } = chosen;
    if (detail.dataset.key !== JSON.stringify([name, key])) {
      detail.dataset.key = JSON.stringify([name, key]);
      fill(detail, card(name, key));
      if (first) detail.querySelector("h2").focus();
    }
    try {
      const it = await post("/v1/key", { policy: name, key });
      if (!gone && chosen?.policy === name && keyText(chosen.key) === keyText(key)) showState(it);
    } catch (problem) {
      fill(stateOf, h("div", { class: "box bad" }, problem.message));
    }
  }

  function card(name, key) {
    const target = { policy: name, key };
    const limit = h("input", { type: "text", placeholder: "600/min burst 100", required: true, spellcheck: "false", name: "limit" });
    const ttl = h("select", { name: "ttl" }, [["5s", "5 seconds"], ["5m", "5 minutes"], ["30m", "30 minutes"], ["2h", "2 hours"], ["1d", "1 day"], ["7d", "7 days"]].map(([value, text]) => h("option", { value, selected: value === "30m" }, text)));
    const reason = h("input", { type: "text", maxlength: "200", name: "reason" });
    const pause = h("select", { class: "inline", "aria-label": "Pause for", name: "pause" }, [["1m", "1 minute"], ["5m", "5 minutes"], ["1h", "1 hour"], ["1d", "1 day"]].map(([value, text]) => h("option", { value }, text)));
    const submit = (event) => {
      event.preventDefault();
      act("The override holds now.", () => call("PUT", "/v1/overrides", { json: { ...target, limit: limit.value.trim(), ttl: ttl.value, ...(reason.value ? { reason: reason.value } : {}) } }));
    };
    return h("section", { class: "card stack", id: "key-card" },
      h("div", {}, h("h2", { tabindex: "-1", class: "mono" }, keyText(key)), h("p", { class: "lead" }, `Policy ${name}`)),
      stateOf,
      session().may_write ? h("div", { class: "row" },
        h("button", { type: "button", onclick: () => act("The key is fresh again.", () => post("/v1/reset", target)) }, "Reset"),
        h("button", { type: "button", class: "warm", onclick: () => act("The key is paused. Reset ends it.", () => post("/v1/pause", { ...target, for: pause.value })) }, "Pause for"), pause)
        : h("p", { class: "lead" }, "Sign in to reset it, pause it or give it another limit."),
      session().may_write && h("details", {}, h("summary", {}, "Give it a temporary limit"),
        h("form", { class: "stack pad-top", onsubmit: submit },
          h("label", { class: "field" }, "Limit", limit), h("label", { class: "field" }, "For", ttl), h("label", { class: "field" }, "Reason (optional)", reason),
          h("div", { class: "row" }, h("button", { class: "primary", type: "submit" }, "Apply")))),
      h("div", {}, h("h3", {}, "Recent requests"), historyOf));
  }

  const fact = (label, value) => [h("dt", {}, label), h("dd", {}, value)];

  /** The buckets that the key has used; of a fresh key, the one of the policy's own limit. */
  function holding(buckets) {
    const used = buckets.filter((one) => one.temporary || !one.allowed || one.reset_after_us > 0);
    return used.length > 0 ? used : buckets.filter((one) => !one.override).slice(0, 1);
  }

  function showState(it) {
    const text = JSON.stringify(it);
    if (text === shown) return;
    shown = text;
    fill(stateOf, holding(it.buckets).map((one) => h("div", { class: "bucket", "data-limit": one.limit },
      h("div", { class: "row" }, h("span", { class: `pill ${one.allowed ? "good" : "bad"}` }, one.allowed ? "would be allowed" : "would be denied"),
        one.temporary && h("span", { class: "pill plain warm" }, "temporary"), one.override && h("span", { class: "pill plain blue" }, `override ${one.override}`),
        one.degraded && h("span", { class: "pill plain warm" }, "degraded")),
      h("dl", { class: "facts" },
        fact("Limit", h("code", {}, one.limit)),
        one.temporary && fact("Ends", `${date(Date.parse(one.temporary.expires))}, then ${one.temporary.instead_of}`),
        fact(inFlight(one.limit) ? "Free" : "Remaining", `${count(one.remaining)} permits`),
        !one.allowed && fact(inFlight(one.limit) ? "Try again in at most" : "Try again in", micros(one.retry_after_us)),
        fact(inFlight(one.limit) ? "What is held lapses in" : "Fresh again in", micros(one.reset_after_us)),
        one.window && fact("Window", `${one.window.begin} to ${one.window.end}`)))));
    const { history: past } = it;
    fill(historyOf, !past || past.requests.length === 0 ? h("p", { class: "empty" }, "None in the recording of this replica.") : [
      past.share < 1 && h("p", { class: "lead" }, `A sample: ${Math.round(100 * past.share)}% of the requests are recorded.`),
      h("div", { class: "scroll" }, h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "When"), h("th", { scope: "col" }, "Decision"), h("th", { scope: "col", class: "num" }, "Permits"))),
        h("tbody", {}, past.requests.slice(0, 12).map((one) => h("tr", {}, h("td", {}, clock(one.t)),
          h("td", {}, one.allowed ? "allowed" : h("span", { class: "is-warm" }, `denied by ${one.violated.join(", ")}`)), h("td", { class: "num" }, count(one.permits)))))))]);
  }

  showKey(true);
  refresh();
  const timer = setInterval(refresh, REFRESH);
  return () => { gone = true; clearInterval(timer); };
}
