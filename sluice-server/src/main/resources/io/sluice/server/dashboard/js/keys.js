// Keys: who asks most, who is denied most, and what can be done for or against one of them.
import { call, get, post } from "./api.js";
import { add, bar, fill, h, notice, scroller, statusPill } from "./dom.js";
import { clock, count, date, inFlight, keyText, many, micros, millis } from "./format.js";
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

/** tenant=acme, or tenant="Acme, Inc." plan=gold: a value reaches to the next name. */
export function parseKey(text) {
  const key = Object.create(null);
  for (const [, name, quoted, plain] of text.matchAll(/([^\s=,"]+)=(?:"([^"]*)"|(.*?))(?=[\s,]+[^\s=,"]+=|[\s,]*$)/gsu)) key[name] = quoted ?? plain;
  return key;
}

export function keys(main, query) {
  let policy = ALL;
  let chosen = linked(query);
  let names = [];
  let gone = false;
  let busy = false;
  let tops = null;

  const select = h("select", { class: "inline", "aria-label": "Policy", onchange: () => { policy = select.value; refresh(); } });
  const denied = scroller("Keys that were denied most", "denied-keys");
  const busiest = scroller("Busiest keys", "busiest-keys");
  const overrides = scroller("Temporary overrides", "overrides");
  const keeping = h("p", { class: "sub" }, "They end by themselves; what was used is carried over.");
  const detail = h("div", { id: "detail" });
  const lookPolicy = h("select", { name: "policy" });
  const lookKey = h("input", { type: "text", placeholder: "tenant=acme", name: "key", spellcheck: "false", autocapitalize: "off", oninput: () => lookKey.setCustomValidity("") });
  const updated = statusPill("keys-status");
  updated.show("Loading", "");

  fill(main,
    h("div", { class: "head" }, h("h1", {}, "Keys"), updated.element, h("div", { class: "grow" }), select),
    h("div", { class: "grid wide-left" },
      h("div", { class: "stack" },
        h("section", { class: "card" }, h("h2", {}, "Denied most"), h("p", { class: "sub" }, "Requests denied in the last one to two minutes, on this replica"), denied),
        h("section", { class: "card" }, h("h2", {}, "Busiest"), h("p", { class: "sub" }, "Requests in the last one to two minutes, on this replica"), busiest),
        h("section", { class: "card" }, h("h2", {}, "Temporary overrides"), keeping, overrides)),
      h("div", { class: "stack" }, detail,
        h("form", { class: "card stack", onsubmit: look },
          h("h2", {}, "Look up a key"),
          h("label", { class: "field" }, "Policy", lookPolicy),
          h("label", { class: "field" }, "Key", lookKey),
          h("div", { class: "row" }, h("button", { type: "submit" }, "Look up"))))));

  function look(event) {
    event.preventDefault();
    const text = lookKey.value.trim();
    const key = parseKey(text);
    lookKey.setCustomValidity(text && Object.keys(key).length === 0 ? "Write the key as name=value, such as tenant=acme." : "");
    if (!lookKey.reportValidity()) return;
    choose({ policy: lookPolicy.value, key });
  }

  function choose(one) {
    chosen = one;
    shown = "";
    history.replaceState(null, "", `#/keys?${new URLSearchParams({ policy: one.policy, key: JSON.stringify(one.key) })}`);
    showTops();
    showKey(true);
  }

  async function refresh() {
    if (busy || gone || document.hidden) return;
    busy = true;
    const wanted = policy;
    try {
      const [top, live, temporary] = await Promise.all([get(`/v1/top?n=10${policy === ALL ? "" : `&policy=${encodeURIComponent(policy)}`}`), names.length ? null : get("/v1/live?scope=replica"), get("/v1/overrides")]);
      if (gone || wanted !== policy) return;
      if (live) {
        names = live.state.policies;
        fill(select, h("option", { value: ALL }, "All policies"), names.map((name) => h("option", { value: name }, name)));
        fill(lookPolicy, names.map((name) => h("option", { value: name }, name)));
      }
      tops = top;
      showTops();
      showOverrides(temporary);
      updated.show(`Updated ${clock(Date.now())}`, "good");
      await showKey(false);
    } catch (problem) {
      updated.show(problem.status === 0 ? "Stale: the server does not answer" : problem.message, "bad");
    } finally {
      busy = false;
      if (wanted !== policy) refresh();
    }
  }

  function showTops() {
    if (!tops) return;
    table(denied, tops.denied, "Denied", "denied", policy === ALL ? "Nobody was denied." : `Nobody was denied by ${policy}.`);
    table(busiest, tops.busiest, "Requests", "blue", "No requests lately. Keys appear here with their first request.");
  }

  function table(element, all, verb, kind, none) {
    const isChosen = (one) => chosen && one.policy === chosen.policy && JSON.stringify(one.key) === JSON.stringify(chosen.key);
    const rows = all.map((one) => ({ ...one, chosen: Boolean(isChosen(one)) }));
    const text = JSON.stringify([rows, none]);
    if (element.dataset.rows === text) return;
    element.dataset.rows = text;
    const most = Math.max(1, ...rows.map((one) => one.count));
    const focused = element.contains(document.activeElement) ? document.activeElement.textContent : null;
    fill(element, rows.length === 0 ? h("p", { class: "empty" }, none) : h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Key"), h("th", { scope: "col" }, "Policy"), h("th", { scope: "col", class: "num" }, verb))),
      h("tbody", {}, rows.map((one) => h("tr", { class: one.chosen ? "chosen" : "" },
        h("th", { scope: "row" }, one.key ? h("button", { type: "button", class: "link mono", "aria-pressed": String(one.chosen), onclick: () => choose(one) }, h("bdi", {}, keyText(one.key)))
          : h("span", { class: "mono", title: "The key is too long to be kept: this is its digest." }, one.digest), bar(one.count / most, kind)),
        h("td", {}, one.policy), h("td", { class: "num" }, `${one.error > 0 ? "~" : ""}${count(one.count)}`))))));
    if (focused) [...element.querySelectorAll("button")].find((button) => button.textContent === focused)?.focus();
  }

  function showOverrides({ overrides: list, durable }) {
    keeping.textContent = `They end by themselves; what was used is carried over.${durable ? "" : " A restart ends them, because the server has no --data-dir."}`;
    const text = JSON.stringify(list.map((one) => [one.id, one.limit, Math.ceil(one.expires_in_ms / 1000)]));
    if (overrides.dataset.rows === text) return;
    overrides.dataset.rows = text;
    fill(overrides, list.length === 0 ? h("p", { class: "empty" }, "None. Choose a key to give it one.") : h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Key"), h("th", { scope: "col" }, "Limit"), h("th", { scope: "col" }, "Ends in"), h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, "Actions")))),
      h("tbody", {}, list.map((one) => h("tr", { "data-override": one.id },
        h("th", { scope: "row" }, h("button", { type: "button", class: "link mono", onclick: () => choose(one) }, h("bdi", {}, keyText(one.key))), h("div", { class: "lead" }, one.policy)),
        h("td", {}, h("code", {}, one.limit), one.reason && h("div", { class: "lead" }, h("bdi", {}, one.reason))),
        h("td", { class: "num" }, millis(Math.ceil(one.expires_in_ms / 1000) * 1000)),
        h("td", { class: "num" }, session().may_write && h("button", { type: "button", onclick: () => act("The override is removed.", () => call("DELETE", `/v1/overrides?id=${encodeURIComponent(one.id)}`)) }, "End now")))))));
  }

  /** Changes something. A refusal stands in the card until the next try. */
  async function act(done, work) {
    fill(refusal);
    try {
      await work();
      notice(done);
      shown = "";
      await showKey(false);
      overrides.dataset.rows = "";
      showOverrides(await get("/v1/overrides"));
      return true;
    } catch (problem) {
      fill(refusal, h("div", { class: "box bad" }, problem.message));
      if (!refusal.isConnected) notice(problem.message);
      return false;
    }
  }

  const refusal = h("div", { role: "alert", id: "key-refusal" });
  let shown = "";
  const stateOf = h("div", { class: "gap", id: "key-state", "aria-live": "polite" });
  const historyOf = h("div", { class: "gap", id: "key-history" });

  async function showKey(first) {
    if (!chosen) {
      if (first || !detail.hasChildNodes()) fill(detail, h("section", { class: "card" }, h("h2", {}, "No key chosen"), h("p", { class: "empty" }, session().may_write ? "Choose a key in a table, or look one up, to see its state and to reset it, pause it or give it another limit for a while." : "Choose a key in a table, or look one up, to see its state.")));
      return;
    }
    const { policy: name, key } = chosen;
    if (detail.dataset.key !== JSON.stringify([name, key])) {
      detail.dataset.key = JSON.stringify([name, key]);
      fill(refusal);
      fill(stateOf);
      fill(historyOf);
      fill(detail, card(name, key));
      if (first) detail.querySelector("h2").focus();
    }
    try {
      const it = await post("/v1/key", { policy: name, key });
      if (!gone && chosen?.policy === name && keyText(chosen.key) === keyText(key)) showState(it);
    } catch (problem) {
      shown = "";
      fill(stateOf, h("div", { class: "box bad" }, problem.message));
      fill(historyOf);
    }
  }

  function card(name, key) {
    const target = { policy: name, key };
    const limit = h("input", { type: "text", placeholder: "600/min burst 100", required: true, spellcheck: "false", autocapitalize: "off", name: "limit" });
    const ttl = h("input", { type: "text", name: "ttl", value: "30m", required: true, spellcheck: "false", autocapitalize: "off", list: "durations" });
    const reason = h("input", { type: "text", maxlength: "200", name: "reason" });
    const pause = h("select", { class: "inline", "aria-label": "Pause for", name: "pause" }, [["1m", "1 minute"], ["5m", "5 minutes"], ["1h", "1 hour"], ["1d", "1 day"]].map(([value, text]) => h("option", { value }, text)));
    const submit = (event) => {
      event.preventDefault();
      act("The temporary limit holds now.", () => call("PUT", "/v1/overrides", { json: { ...target, limit: limit.value.trim(), ttl: ttl.value.trim(), ...(reason.value ? { reason: reason.value } : {}) } }));
    };
    return h("section", { class: "card stack", id: "key-card" },
      h("div", {}, h("h2", { tabindex: "-1", class: "mono" }, h("bdi", {}, keyText(key))), h("p", { class: "lead" }, `Policy ${name}`)),
      stateOf,
      session().may_write ? h("div", { class: "row" },
        h("button", { type: "button", onclick: () => act("The key is fresh again.", () => post("/v1/reset", target)) }, "Reset"),
        h("button", { type: "button", class: "warm", onclick: () => act("The key is paused. Reset ends it.", () => post("/v1/pause", { ...target, for: pause.value })) }, "Pause for"), pause)
        : h("p", { class: "lead" }, "Sign in to reset it, pause it or give it another limit."),
      refusal,
      session().may_write && h("details", { ontoggle: () => { if (document.activeElement !== limit) limit.value ||= stateOf.querySelector("[data-limit]")?.dataset.limit ?? ""; } }, h("summary", {}, "Give it a temporary limit"),
        h("form", { class: "stack pad-top", onsubmit: submit },
          h("label", { class: "field" }, "Limit", limit), h("label", { class: "field" }, "For, such as 30m, 2h or 7d", ttl),
          h("datalist", { id: "durations" }, ["5m", "30m", "2h", "1d", "7d"].map((value) => h("option", { value }))), h("label", { class: "field" }, "Reason (optional)", reason),
          h("div", { class: "row" }, h("button", { class: "primary", type: "submit" }, "Apply")))),
      h("div", {}, h("h3", {}, "Recent requests"), historyOf));
  }

  const fact = (label, value) => [h("dt", {}, label), h("dd", {}, value)];

  /** The bucket that holds for the key, then the others that it has used: overrides may match other attributes than those of the key. */
  function holding({ buckets, override, temporary }) {
    const holds = buckets.find((one) => (one.override ?? null) === override);
    // It holds instead of each of them, so all show the same state.
    if (temporary) return [holds ?? buckets[0]];
    const used = buckets.filter((one) => one !== holds && one.reset_after_us > 0);
    return holds ? [holds, ...used] : used;
  }

  function showState(it) {
    const text = JSON.stringify(it);
    if (text === shown) return;
    shown = text;
    fill(stateOf, holding(it).map((one) => h("div", { class: "bucket", "data-limit": one.limit },
      h("div", { class: "row" }, h("span", { class: `pill ${one.allowed ? "good" : "bad"}` }, one.allowed ? "would be allowed" : "would be denied"),
        one.temporary && h("span", { class: "pill plain warm" }, "temporary"), one.override && h("span", { class: "pill plain blue" }, `override ${one.override}`),
        one.degraded && h("span", { class: "pill plain warm" }, "degraded")),
      h("dl", { class: "facts" },
        fact("Limit", h("code", {}, one.limit)),
        one.temporary && fact("Ends", `${date(Date.parse(one.temporary.expires))}, then ${one.temporary.instead_of}`),
        fact(inFlight(one.limit) ? "Free" : "Remaining", one.limit === "unlimited" ? "everything" : many(one.remaining, "permit")),
        one.debt > 0 && fact("In debt", many(one.debt, "permit")),
        !one.allowed && fact(inFlight(one.limit) ? "Try again in at most" : "Try again in", micros(one.retry_after_us)),
        fact(inFlight(one.limit) ? "All lapsed" : "Fresh", one.reset_after_us > 0 ? `in ${micros(one.reset_after_us)}` : "now"),
        one.window && fact("Window", `${one.window.begin} to ${one.window.end}`)))));
    const { history: past } = it;
    fill(historyOf, !past || past.requests.length === 0 ? h("p", { class: "empty" }, past?.share_percent < 100 ? `None is recorded: there is much traffic, and this replica records ${past.share_percent}% of the clients.` : "None in the recording of this replica, which has the last 15 minutes at most.") : [
      past.share_percent < 100 && h("p", { class: "lead" }, `Much traffic: the requests of ${past.share_percent}% of the clients are recorded.`),
      add(scroller("Recent requests of the key"), [h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "When"), h("th", { scope: "col" }, "Decision"), h("th", { scope: "col", class: "num" }, "Permits"))),
        h("tbody", {}, past.requests.slice(0, 12).map((one) => h("tr", {}, h("td", {}, clock(one.t)),
          h("td", {}, one.allowed ? "allowed" : h("span", { class: "is-warm" }, `denied by ${one.violated.join(", ")}`)), h("td", { class: "num" }, count(one.permits))))))])]);
  }

  showKey(true);
  refresh();
  const timer = setInterval(refresh, REFRESH);
  document.addEventListener("visibilitychange", refresh);
  return () => { gone = true; clearInterval(timer); document.removeEventListener("visibilitychange", refresh); };
}
