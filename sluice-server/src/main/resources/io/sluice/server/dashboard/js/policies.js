// Policies: edit, see the problems and what a change would do, apply, and go back.
import { call, get, post } from "./api.js";
import { add, ask, debounced, fill, h, notice, scroller, statusPill } from "./dom.js";
import { clock, count, date, keyText } from "./format.js";
import { lineDiff } from "./diff.js";
import { editor } from "./editor.js";
import { session } from "./session.js";

const WATCH = 5000;

/** What was typed and not applied, while another view is shown: {text, etag}. */
let draft = null;

export const forgetDraft = () => { draft = null; };

addEventListener("beforeunload", (event) => { if (draft !== null) event.preventDefault(); });

export function policies(main) {
  let running = "";
  let etag = null;
  let edit = null;
  let turn = 0;
  let gone = false;
  let historyIsMissing = false;
  let isUnchecked = false;
  let isOpen = false;

  const box = h("div", { class: "editor", id: "editor" });
  const status = statusPill("policy-status");
  const message = h("div", { role: "alert", id: "policy-message" });
  const problems = h("ul", { class: "problems", id: "problems", "aria-live": "polite" });
  const difference = h("div", { id: "diff" });
  const effect = h("div", { class: "gap", id: "effect", "aria-live": "polite" });
  const history = scroller("History of the policies", "history");
  const apply = h("button", { class: "primary", type: "button", id: "apply", disabled: true, onclick: put }, "Apply");
  const revert = h("button", { type: "button", disabled: true, onclick: () => { edit.set(running); changed(); } }, "Discard the changes");
  const preview = h("button", { type: "button", id: "preview", disabled: true, onclick: replay }, "What would it have done?");
  const keeping = h("p", { class: "sub" }, "Going back makes a new edition.");
  const mayWrite = () => session().may_write;

  fill(main,
    h("div", { class: "head" }, h("h1", {}, "Policies"), status.element, h("div", { class: "grow" }), revert, preview, apply),
    message,
    h("div", { class: "grid wide-left" },
      h("section", { class: "card" }, box),
      h("div", { class: "stack beside" },
        h("section", { class: "card gap" }, h("h2", {}, "Problems"), problems),
        h("section", { class: "card gap" }, h("h2", {}, "Difference to what runs"), difference),
        h("section", { class: "card gap" }, h("h2", {}, "On recent traffic"), effect)),
      h("section", { class: "card" }, h("h2", {}, "History"), keeping, history)));
  idle();

  function idle() {
    fill(effect, h("p", { class: "empty" }, "Change the policies, then ask what the change would have denied or allowed in the last minutes of real traffic."));
  }

  const isDirty = () => Boolean(edit) && edit.text() !== running;

  async function load(keepText) {
    const { body, etag: tag } = await call("GET", "/v1/policies");
    if (gone) return;
    running = body.yaml;
    etag = tag;
    if (!keepText) edit.set(running);
    isOpen = mayWrite();
    edit.readOnly(!isOpen);
    keeping.textContent = body.durable ? "Going back makes a new edition." : "In memory only: a restart forgets the changes, because the server has no --data-dir.";
    changed();
    await showHistory();
  }

  /** Others change the policies too. */
  async function watch() {
    if (gone || !etag || document.hidden) return;
    try {
      const { etag: now, status: code } = await call("GET", "/v1/policies", { headers: { Accept: "application/yaml", "If-None-Match": etag } });
      if (gone) return;
      if (isUnchecked) check();
      if (code === 304 || now === etag) {
        if (historyIsMissing) await showHistory();
        return;
      }
      if (isDirty()) changedByOthers(now);
      else {
        await load(false);
        notice("Other policies came in force, and are shown now.");
      }
    } catch {
      // The next try, or the next action, says what is wrong.
    }
  }

  let told = null;

  function changedByOthers(tag) {
    if (told === tag && message.hasChildNodes()) return;
    told = tag;
    fill(message, h("div", { class: "box warm" }, "Somebody else has changed the policies meanwhile. ",
      h("button", { type: "button", class: "link", onclick: () => { fill(message); load(true); } }, "Compare with what runs now"), ", then apply again."));
  }

  function changed() {
    revert.disabled = !isDirty();
    showDiff();
    idle();
    apply.disabled = true;
    preview.disabled = true;
    if (mayWrite()) check();
    else state("Running, read only", "good", [], "Sign in to check and to change the policies.");
  }

  const check = debounced(250, async () => {
    if (gone) return;
    const mine = ++turn;
    const text = edit.text();
    try {
      const it = (await call("POST", "/v1/policies:preview", { text })).body;
      if (mine !== turn || gone) return;
      isUnchecked = false;
      const dirty = text !== running;
      apply.disabled = !it.valid || !dirty;
      preview.disabled = !it.valid || !dirty;
      const all = [...it.problems, ...it.warnings];
      state(!it.valid ? "Not valid" : dirty ? "Changed, not applied" : "Running", !it.valid ? "bad" : dirty ? "warm" : "good", all, "No problems, no warnings.");
    } catch (problem) {
      if (mine !== turn || gone) return;
      isUnchecked = true;
      state("Not checked", "bad", [], `${problem.message} This page tries again by itself.`);
    }
  });

  function state(text, kind, all, none) {
    status.show(text, kind);
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
    const text = edit.text();
    preview.disabled = true;
    fill(effect, h("p", { class: "empty" }, "Deciding the recorded requests again…"));
    try {
      const { body } = await call("POST", "/v1/policies:preview?replay=true", { text });
      if (!gone && edit.text() === text) showReplay(body.replay);
    } catch (problem) {
      if (!gone) fill(effect, h("div", { class: "box bad" }, problem.message));
    } finally {
      preview.disabled = !isDirty();
    }
  }

  function showReplay(it) {
    if (!it || it.replayed === 0) {
      fill(effect, h("p", { class: "empty" }, "Nothing was recorded yet. Send some requests, then ask again."));
      return;
    }
    fill(effect,
      h("p", { class: "lead" }, `${count(it.replayed)} requests from ${clock(it.from)} to ${clock(it.to)}${it.share_percent < 100 ? `, of ${it.share_percent}% of the clients` : ""}.`),
      it.note && h("p", { class: "box warm" }, it.note),
      h("div", { class: "row" },
        h("span", { class: `pill plain ${it.newly_denied > 0 ? "bad" : ""}`, id: "newly-denied" }, `${count(it.newly_denied)} newly denied`),
        h("span", { class: `pill plain ${it.newly_allowed > 0 ? "good" : ""}`, id: "newly-allowed" }, `${count(it.newly_allowed)} newly allowed`)),
      add(scroller("Denied requests by policy"), [h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Policy"), h("th", { scope: "col", class: "num" }, "Denied before"), h("th", { scope: "col", class: "num" }, "Denied after"))),
        h("tbody", {}, it.policies.map((one) => h("tr", {}, h("th", { scope: "row" }, one.policy), h("td", { class: "num" }, count(one.before_denied)), h("td", { class: "num" }, count(one.after_denied))))))]),
      it.examples.length > 0 && h("details", {}, h("summary", {}, `Examples (${it.examples.length})`),
        h("ul", { class: "problems" }, it.examples.map((one) => h("li", { class: "box" }, `${clock(one.t)} `, h("bdi", {}, keyText(one.attributes)),
          `: ${one.before ? "allowed" : "denied"}, now ${one.after ? "allowed" : "denied"}${one.violated_after.length ? ` by ${one.violated_after.join(", ")}` : ""}`)))));
  }

  async function put() {
    apply.disabled = true;
    fill(message);
    try {
      const { body } = await call("PUT", "/v1/policies", { text: edit.text(), headers: { "If-Match": etag } });
      notice(`Edition ${body.edition} is in force.${body.durable ? "" : " It is lost at a restart: the server has no --data-dir."}`);
      await load(false);
    } catch (problem) {
      refused(problem);
    }
  }

  function refused(problem) {
    if (problem.status === 412) changedByOthers(problem.etag);
    else if (problem.body?.problems) state("Not valid", "bad", problem.body.problems, "");
    else fill(message, h("div", { class: "box bad" }, problem.message));
    apply.disabled = !isDirty();
  }

  /** Without the store there is no history; watch() asks again. */
  async function showHistory() {
    let editions;
    try {
      ({ editions } = await get("/v1/policies/history"));
      historyIsMissing = false;
    } catch (problem) {
      historyIsMissing = true;
      fill(history, h("p", { class: "box warm" }, problem.status === 503 ? "The store does not answer, so the history is not shown. This page tries again by itself." : problem.message));
      return;
    }
    if (gone) return;
    fill(history, editions.length === 0 ? h("p", { class: "empty" }, "No change yet: the policies of the start are in force.")
      : h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Edition"), h("th", { scope: "col" }, "When"), h("th", { scope: "col" }, "Who"), h("th", { scope: "col" }, h("span", { class: "visually-hidden" }, "Actions")))),
        h("tbody", {}, [...editions].sort((a, b) => b.edition - a.edition).map((one) => h("tr", { "data-edition": one.edition },
          h("th", { scope: "row" }, `${one.edition}`), h("td", {}, one.time ? date(Date.parse(one.time)) : "–"), h("td", {}, one.by ?? h("span", { class: "lead" }, "not recorded")),
          h("td", { class: "num" }, one.current ? h("span", { class: "pill good" }, "in force")
            : h("span", { class: "row end" },
              h("button", { type: "button", onclick: () => show(one.edition) }, "Show"),
              mayWrite() && h("button", { type: "button", class: "warm", onclick: () => rollBack(one.edition) }, "Roll back"))))))));
  }

  async function show(edition) {
    try {
      const { body } = await call("GET", `/v1/policies/history?edition=${edition}`, { headers: { Accept: "application/yaml" } });
      if (isDirty() && !(await ask("Replace your changes by the text of this edition?", "Replace"))) return;
      edit.set(typeof body === "string" ? body : body.yaml);
      changed();
      notice(`The text of edition ${edition} is in the editor. It is not in force.`);
    } catch (problem) {
      notice(problem.message);
    }
  }

  async function rollBack(edition) {
    if (!(await ask(`Put edition ${edition} in force again, on all replicas?${isDirty() ? " Your changes in the editor are dropped." : ""}`, "Roll back"))) return;
    fill(message);
    try {
      const { body } = await call("POST", "/v1/policies/rollback", { json: { edition }, headers: { "If-Match": etag } });
      notice(`Edition ${body.edition} has the text of edition ${edition}.`);
      await load(false);
    } catch (problem) {
      refused(problem);
    }
  }

  function warn(event) {
    if (isDirty()) event.preventDefault();
  }

  (async () => {
    try {
      edit = await editor(box, "Policies in YAML. Escape leaves the editor.", () => changed());
      if (gone) {
        edit.destroy();
        return;
      }
      await load(false);
      if (draft !== null && mayWrite() && !gone) {
        edit.set(draft.text);
        changed();
        if (draft.etag === etag) notice("Your changes, which are not applied yet, are here again.");
        else fill(message, h("div", { class: "box warm" }, "Somebody else has changed the policies since you wrote this. Look at the difference before you apply."));
      }
      draft = null;
    } catch (problem) {
      status.show("Not loaded", "bad");
      fill(message, h("div", { class: "box bad" }, problem.message));
    }
  })();
  const watching = setInterval(watch, WATCH);
  addEventListener("beforeunload", warn);
  return () => {
    // Also when the session has just ended: the changes are here again after the next one has begun.
    if (isDirty() && isOpen) draft = { text: edit.text(), etag };
    gone = true;
    clearInterval(watching);
    removeEventListener("beforeunload", warn);
    edit?.destroy();
  };
}
