// Policies: edit, see the problems and what a change would do, apply, and go back.
import { call, get, post } from "./api.js";
import { debounced, fill, h, notice } from "./dom.js";
import { clock, count, date, keyText } from "./format.js";
import { editor } from "./editor.js";
import { session } from "./session.js";

export function policies(main) {
  let running = "";
  let etag = null;
  let edit = null;
  let turn = 0;
  let gone = false;

  const box = h("div", { class: "editor", id: "editor" });
  const status = h("span", { class: "pill", role: "status", id: "policy-status" }, "Loading");
  const problems = h("ul", { class: "problems", id: "problems", "aria-live": "polite" });
  const difference = h("div", { id: "diff" });
  const effect = h("div", { class: "gap", id: "effect", "aria-live": "polite" });
  const history = h("div", { class: "scroll", id: "history" });
  const apply = h("button", { class: "primary", type: "button", id: "apply", disabled: true, onclick: put }, "Apply");
  const revert = h("button", { type: "button", disabled: true, onclick: () => { edit.set(running); changed(); } }, "Discard the changes");
  const preview = h("button", { type: "button", id: "preview", disabled: true, onclick: replay }, "What would it have done?");
  const mayWrite = () => session().may_write;

  fill(main,
    h("div", { class: "head" }, h("h1", {}, "Policies"), status, h("div", { class: "grow" }), revert, preview, apply),
    h("div", { class: "grid wide-left" },
      h("div", { class: "stack" }, h("section", { class: "card" }, box),
        h("section", { class: "card" }, h("h2", {}, "History"), h("p", { class: "sub" }, "Every change is kept. Going back makes a new edition."), history)),
      h("div", { class: "stack" },
        h("section", { class: "card gap" }, h("h2", {}, "Problems"), problems),
        h("section", { class: "card gap" }, h("h2", {}, "Difference to what runs"), difference),
        h("section", { class: "card gap" }, h("h2", {}, "On recent traffic"), effect))));
  idle();

  function idle() {
    fill(effect, h("p", { class: "empty" }, "Change the policies, then ask what the change would have denied or allowed in the last minutes of real traffic."));
  }

  async function load(keepText) {
    const { body, etag: tag } = await call("GET", "/v1/policies");
    running = body.yaml;
    etag = tag;
    if (!keepText) edit.set(running);
    edit.readOnly(!mayWrite());
    changed();
    await showHistory();
  }

  function changed() {
    const dirty = edit.text() !== running;
    revert.disabled = !dirty;
    showDiff();
    idle();
    apply.disabled = true;
    preview.disabled = true;
    if (mayWrite()) check();
    else state("Read only", "", [], "Sign in to see problems and to change the policies.");
  }

  const check = debounced(250, async () => {
    const mine = ++turn;
    const text = edit.text();
    try {
      const it = (await call("POST", "/v1/policies:preview", { text })).body;
      if (mine !== turn || gone) return;
      const dirty = text !== running;
      apply.disabled = !it.valid || !dirty;
      preview.disabled = !it.valid || !dirty;
      const all = [...it.problems, ...it.warnings];
      state(!it.valid ? "Not valid" : dirty ? "Changed, not applied" : "Running", !it.valid ? "bad" : dirty ? "warm" : "good", all, "No problems, no warnings.");
    } catch (problem) {
      if (mine === turn && !gone) state("Not checked", "bad", [], problem.message);
    }
  });

  function state(text, kind, all, none) {
    status.textContent = text;
    status.className = `pill ${kind}`;
    edit.problems(all);
    fill(problems, all.length === 0 ? h("li", { class: "empty" }, none) : all.map((one) => h("li", { class: `box ${one.severity === "error" ? "bad" : "warm"}` },
      h("button", { type: "button", class: "link", onclick: () => edit.go(one.line, one.column) }, `Line ${one.line}`), ` (${one.severity}): ${one.message}`)));
  }

  function showDiff() {
    const lines = lineDiff(running.split("\n"), edit.text().split("\n"));
    if (lines.every(([kind]) => kind === " ")) {
      fill(difference, h("p", { class: "empty" }, "None: this is what runs."));
      return;
    }
    const near = lines.map((_, i) => lines.slice(Math.max(0, i - 2), i + 3).some(([kind]) => kind !== " "));
    const rows = [];
    lines.forEach(([kind, text], i) => {
      if (near[i]) rows.push(h("div", { class: kind === "+" ? "add" : kind === "-" ? "del" : "" }, `${kind} ${text}`));
      else if (i === 0 || near[i - 1]) rows.push(h("div", { class: "skip-lines" }, "⋯"));
    });
    fill(difference, h("div", { class: "diff", tabindex: "0", role: "region", "aria-label": "Difference, line by line" }, rows));
  }

  async function replay() {
    preview.disabled = true;
    fill(effect, h("p", { class: "empty" }, "Deciding the recorded requests again…"));
    try {
      const { body } = await call("POST", "/v1/policies:preview?replay=true", { text: edit.text() });
      showReplay(body.replay);
    } catch (problem) {
      fill(effect, h("div", { class: "box bad" }, problem.message));
    } finally {
      preview.disabled = edit.text() === running;
    }
  }

  function showReplay(it) {
    if (!it || it.replayed === 0) {
      fill(effect, h("p", { class: "empty" }, it?.note ?? "Nothing was recorded yet. Send some requests first."));
      return;
    }
    fill(effect,
      h("p", { class: "lead" }, `${count(it.replayed)} requests from ${clock(it.from)} to ${clock(it.to)}${it.share < 1 ? `, a sample of ${Math.round(100 * it.share)}%` : ""}.`),
      it.note && h("p", { class: "box warm" }, it.note),
      h("div", { class: "row" },
        h("span", { class: "pill plain bad", id: "newly-denied" }, `${count(it.newly_denied)} newly denied`),
        h("span", { class: "pill plain good", id: "newly-allowed" }, `${count(it.newly_allowed)} newly allowed`)),
      h("div", { class: "scroll" }, h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Policy"), h("th", { scope: "col", class: "num" }, "Denied before"), h("th", { scope: "col", class: "num" }, "Denied after"))),
        h("tbody", {}, it.policies.map((one) => h("tr", {}, h("th", { scope: "row" }, one.policy), h("td", { class: "num" }, count(one.before_denied)), h("td", { class: "num" }, count(one.after_denied))))))),
      it.examples.length > 0 && h("details", {}, h("summary", {}, `Examples (${it.examples.length})`),
        h("ul", { class: "problems" }, it.examples.map((one) => h("li", { class: "box" },
          `${clock(one.t)} ${keyText(one.attributes)}: ${one.before ? "allowed" : "denied"}, now ${one.after ? "allowed" : "denied"}${one.violated_after.length ? ` by ${one.violated_after.join(", ")}` : ""}`)))));
  }

  async function put() {
    apply.disabled = true;
    try {
      const { body } = await call("PUT", "/v1/policies", { text: edit.text(), headers: { "If-Match": etag } });
      notice(`Edition ${body.edition} is in force.${body.durable ? "" : " It is lost at a restart: the server has no --data-dir."}`);
      await load(false);
    } catch (problem) {
      refused(problem);
    }
  }

  function refused(problem) {
    if (problem.status === 412) {
      fill(effect, h("div", { class: "box warm" }, "Somebody else has changed the policies meanwhile. ",
        h("button", { type: "button", class: "link", onclick: () => load(true) }, "Compare with what runs now"), " and apply again."));
    } else if (problem.body?.problems) {
      state("Not valid", "bad", problem.body.problems, "");
    } else {
      fill(effect, h("div", { class: "box bad", role: "alert" }, problem.message));
    }
    apply.disabled = false;
  }

  async function showHistory() {
    const { editions } = await get("/v1/policies/history");
    fill(history, editions.length === 0 ? h("p", { class: "empty" }, "No change yet: the policies of the start are in force.")
      : h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Edition"), h("th", { scope: "col" }, "When"), h("th", { scope: "col" }, "Who"), h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, "Actions")))),
        h("tbody", {}, [...editions].sort((a, b) => b.edition - a.edition).map((one) => h("tr", { "data-edition": one.edition },
          h("th", { scope: "row" }, `${one.edition}`), h("td", {}, one.time ? date(Date.parse(one.time)) : "–"), h("td", {}, one.by ?? "–"),
          h("td", { class: "num" }, one.current ? h("span", { class: "pill good" }, "in force")
            : h("span", { class: "row" },
              h("button", { type: "button", onclick: () => show(one.edition) }, "Show"),
              mayWrite() && h("button", { type: "button", class: "warm", onclick: () => rollBack(one.edition) }, "Roll back"))))))));
  }

  async function show(edition) {
    try {
      const { body } = await call("GET", `/v1/policies/history?edition=${edition}`, { headers: { Accept: "application/yaml" } });
      edit.set(typeof body === "string" ? body : body.yaml);
      changed();
      notice(`The text of edition ${edition} is in the editor. It is not in force.`);
    } catch (problem) {
      notice(problem.message);
    }
  }

  async function rollBack(edition) {
    if (!confirm(`Put edition ${edition} in force again, on all replicas?`)) return;
    try {
      const { body } = await call("POST", "/v1/policies/rollback", { json: { edition }, headers: { "If-Match": etag } });
      notice(`Edition ${body.edition} has the text of edition ${edition}.`);
      await load(false);
    } catch (problem) {
      refused(problem);
    }
  }

  (async () => {
    try {
      edit = await editor(box, "Policies in YAML", () => changed());
      if (gone) edit.destroy();
      else await load(false);
    } catch (problem) {
      fill(effect, h("div", { class: "box bad", role: "alert" }, problem.message));
    }
  })();
  return () => { gone = true; edit?.destroy(); };
}

/** The difference of two lists of lines, by their longest common part; large texts are compared from both ends only. */
export function lineDiff(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const a = before.slice(start, before.length - end);
  const b = after.slice(start, after.length - end);
  const middle = [];
  if (a.length * b.length > 4e6) {
    a.forEach((text) => middle.push(["-", text]));
    b.forEach((text) => middle.push(["+", text]));
  } else {
    const common = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i -= 1) {
      for (let j = b.length - 1; j >= 0; j -= 1) common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
    let i = 0;
    let j = 0;
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && a[i] === b[j]) { middle.push([" ", a[i]]); i += 1; j += 1; }
      else if (i < a.length && (j === b.length || common[i + 1][j] >= common[i][j + 1])) { middle.push(["-", a[i]]); i += 1; }
      else { middle.push(["+", b[j]]); j += 1; }
    }
  }
  const same = (list) => list.map((text) => [" ", text]);
  return [...same(before.slice(0, start)), ...middle, ...same(before.slice(before.length - end))];
}
