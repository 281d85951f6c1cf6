// Explain: which policies apply to a request, why, and what would be decided now.
import { post } from "./api.js";
import { fill, h } from "./dom.js";
import { count, date, inFlight, keyText, many, micros, visible } from "./format.js";

/** So many policies that do not apply are listed. */
const MOST = 50;
/** So many overrides that do not match are listed. */
const MOST_PASSED = 5;

export function explain(main, query) {
  let gone = false;
  const rows = h("div", { id: "attributes" });
  const permits = h("input", { type: "number", min: "0", value: query.get("permits") ?? "1", name: "permits" });
  const answer = h("div", { class: "stack", "aria-live": "polite" });
  const suggestions = h("datalist", { id: "names" }, ["tenant", "user", "ip", "path", "method", "priority"].map((name) => h("option", { value: name })));

  function row(name, value) {
    const line = h("div", { class: "attribute" },
      h("label", { class: "field" }, "Attribute", h("input", { type: "text", value: name, list: "names", name: "name", spellcheck: "false", autocapitalize: "off" })),
      h("label", { class: "field" }, "Value", h("input", { type: "text", value, name: "value", spellcheck: "false", autocapitalize: "off" })),
      h("button", { type: "button", "aria-label": "Remove this attribute", title: "Remove", onclick: () => line.remove() }, "×"));
    rows.append(line);
    return line;
  }

  async function submit(event) {
    event?.preventDefault();
    // Without a prototype, so that an attribute may have any name.
    const attributes = Object.create(null);
    const words = new URLSearchParams();
    for (const line of rows.children) {
      const [name, value] = [...line.querySelectorAll("input")].map((input) => input.value.trim());
      if (!name) continue;
      attributes[name] = value;
      words.set(`a.${name}`, value);
    }
    words.set("permits", permits.value || "1");
    history.replaceState(null, "", `#/explain?${words}`);
    try {
      const it = await post("/v1/explain", { attributes, permits: Number(permits.value || 1) });
      if (!gone) show(it);
    } catch (problem) {
      fill(answer, h("div", { class: "box bad", role: "alert" }, problem.message));
    }
  }

  function show(it) {
    const applied = it.policies.filter((one) => one.applies);
    const others = it.policies.filter((one) => !one.applies);
    fill(answer,
      h("section", { class: "card gap" },
        h("div", { class: "row" }, h("h2", {}, "Now it would be"),
          h("span", { class: `pill ${it.allowed ? "good" : "bad"}`, id: "verdict" }, it.allowed ? "allowed" : "denied")),
        h("p", { class: "lead" }, `${count(applied.length)} of ${count(it.policies.length)} ${it.policies.length === 1 ? "policy" : "policies"} ${applied.length === 1 ? "applies" : "apply"}. Nothing was charged.`),
        applied.length === 0 && h("p", { class: "box" }, "No policy limits this request, so it is always allowed."),
        it.unused?.length > 0 && h("p", { class: "box warm" }, `No policy uses ${it.unused.map(visible).join(", ")}.`)),
      applied.map(card),
      others.length > 0 && h("section", { class: "card gap" },
        h("details", { open: applied.length + others.length <= 8 }, h("summary", {}, `${count(others.length)} more ${others.length === 1 ? "does" : "do"} not apply`),
          h("dl", { class: "facts pad-top" }, others.slice(0, MOST).map((one) => [h("dt", {}, one.policy), h("dd", { "data-policy": one.policy }, one.reason)])),
          others.length > MOST && h("p", { class: "lead" }, `The first ${MOST} of them are listed.`))));
  }

  const card = (one) => h("section", { class: "card gap", "data-policy": one.policy },
    h("div", { class: "row" }, h("h2", {}, one.policy),
      one.mode !== "enforce" && h("span", { class: "pill plain warm" }, one.mode),
      one.state && h("span", { class: `pill ${one.state.allowed ? "good" : "bad"}` }, one.state.allowed ? "allows" : "denies")),
    h("p", { class: "lead" }, one.reason),
    one.state && h("dl", { class: "facts" },
      fact("Key", h("bdi", {}, keyText(one.key))),
      fact("Limit", h("code", {}, one.limit)),
      one.override && fact("Override", one.override),
      one.passed_overrides.length > 0 && fact("Passed over", one.passed_overrides.slice(0, MOST_PASSED).map((text) => h("div", {}, h("bdi", {}, visible(text))))),
      one.passed_overrides.length > MOST_PASSED && fact("", `and ${count(one.passed_overrides.length - MOST_PASSED)} more overrides`),
      one.temporary && fact("Temporary", `until ${date(Date.parse(one.temporary.expires))}, instead of ${one.temporary.instead_of}`),
      one.kept > 0 && fact("Kept for others", many(one.kept, "permit")),
      fact(inFlight(one.limit) ? "Free" : "Remaining", one.limit === "unlimited" ? "everything" : many(one.state.remaining, "permit")),
      one.state.debt > 0 && fact("In debt", many(one.state.debt, "permit")),
      !one.state.allowed && fact(inFlight(one.limit) ? "Try again in at most" : "Try again in", micros(one.state.retry_after_us)),
      one.state.delay_us > 0 && fact("Delay", micros(one.state.delay_us)),
      fact(inFlight(one.limit) ? "All lapsed" : "Fresh", one.state.reset_after_us > 0 ? `in ${micros(one.state.reset_after_us)}` : "now"),
      one.window && fact("Window", `${one.window.begin} to ${one.window.end}`)),
    one.state && h("p", { class: "small" }, h("a", { href: `#/keys?${new URLSearchParams({ policy: one.policy, key: JSON.stringify(one.key ?? {}) })}` }, "Open this key")));

  const fact = (name, value) => [h("dt", {}, name), h("dd", {}, value)];

  fill(main,
    h("div", { class: "head" }, h("div", { class: "grow" }, h("h1", {}, "Explain"),
      h("p", { class: "lead" }, "Type the attributes of a request and see which policies apply, why, and what they would say now."))),
    h("div", { class: "grid two top-aligned" },
      h("form", { class: "card stack", onsubmit: submit }, rows,
        h("div", { class: "row" }, h("button", { type: "button", onclick: () => row("", "").querySelector("input").focus() }, "Add an attribute")),
        h("label", { class: "field" }, "Permits", permits),
        h("div", { class: "row" }, h("button", { class: "primary", type: "submit" }, "Explain")), suggestions),
      answer));
  fill(answer, h("p", { class: "empty" }, "Nothing asked yet. An example stands in the form: press Explain."));
  const given = [...query].filter(([name]) => name.startsWith("a."));
  if (given.length > 0) {
    given.forEach(([name, value]) => row(name.slice(2), value));
    submit();
  } else {
    row("tenant", "acme");
    row("path", "/api/orders");
  }
  return () => { gone = true; };
}
