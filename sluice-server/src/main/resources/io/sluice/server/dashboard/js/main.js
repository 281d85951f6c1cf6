// The page: which view is shown, the theme, the session.
import { onSessionEnd } from "./api.js";
import { fill, h, notice } from "./dom.js";
import * as sessions from "./session.js";
import { live } from "./live.js";
import { keys } from "./keys.js";
import { forgetDraft, policies } from "./policies.js";
import { explain } from "./explain.js";
import { playground } from "./playground.js";

const views = { live, keys, policies, explain, playground };
const titles = { live: "Live", keys: "Keys", policies: "Policies", explain: "Explain", playground: "Playground" };
const main = document.getElementById("main");
const tabs = document.getElementById("tabs");
const out = document.getElementById("sign-out");
const into = document.getElementById("sign-in-open");
const theme = document.getElementById("theme");
let leave = () => {};
let shown = null;

function leaveView() {
  leave();
  leave = () => {};
}

function place() {
  const [path, words] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  return { name: Object.hasOwn(views, path) ? path : "live", query: new URLSearchParams(words ?? "") };
}

function show(focus) {
  const { name, query } = place();
  leaveView();
  const session = sessions.session();
  tabs.hidden = !session.may_read;
  out.hidden = !session.signed_in;
  into.hidden = session.signed_in || !session.may_read || session.sign_in === "closed";
  if (!session.may_read) {
    shown = null;
    document.title = "Sign in · Sluice";
    sessions.form(main, () => show(true), expired);
    expired = null;
    scrollTo(0, 0);
    return;
  }
  shown = name;
  document.title = `${titles[name]} · Sluice`;
  for (const tab of tabs.children) {
    if (tab.getAttribute("href") === `#/${name}`) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  leave = views[name](main, query);
  if (focus) main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

let expired = null;
onSessionEnd(() => {
  if (!shown) return;
  shown = null;
  expired = "The session has ended. Sign in again.";
  sessions.load().then(() => show(false), () => {});
});

out.addEventListener("click", () => sessions.signOut().then(() => { leaveView(); forgetDraft(); show(true); }, (problem) => notice(problem.message)));
into.addEventListener("click", () => {
  leaveView();
  shown = null;
  into.hidden = true;
  sessions.form(main, () => show(true));
});
// A link to the view that the address has already, such as from the form, changes no address.
tabs.addEventListener("click", (event) => {
  if (!shown && sessions.session().may_read && event.target.getAttribute("href") === location.hash) show(true);
});

function showTheme() {
  const dark = globalThis.sluiceTheme.current() === "dark";
  theme.textContent = dark ? "Light" : "Dark";
  theme.setAttribute("aria-label", dark ? "Light theme" : "Dark theme");
}
theme.addEventListener("click", () => { globalThis.sluiceTheme.toggle(); showTheme(); });
document.addEventListener("themechange", showTheme);
showTheme();
addEventListener("hashchange", () => { if (sessions.session().may_read) show(true); });

async function start() {
  try {
    await sessions.load();
    show(false);
  } catch (problem) {
    fill(main, h("div", { class: "box bad", role: "alert" }, `${problem.message} This page tries again by itself.`));
    setTimeout(start, 3000);
  }
}
start();
