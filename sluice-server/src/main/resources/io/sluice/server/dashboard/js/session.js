// Signing in and out. The token goes to the server once; what stays is a cookie that scripts cannot read.
import { call } from "./api.js";
import { h, fill } from "./dom.js";

let present = { signed_in: false, may_read: false, may_write: false, sign_in: "token", help: null };
export const session = () => present;

export async function load() {
  present = (await call("GET", "/v1/session", { quiet401: true })).body;
  return present;
}

export async function signOut() {
  present = (await call("DELETE", "/v1/session")).body;
}

export function form(container, done, why) {
  const error = h("div", { class: "box bad", role: "alert", hidden: true });
  const token = h("input", { type: "password", name: "token", autocomplete: "current-password", required: true, spellcheck: "false" });
  const button = h("button", { class: "primary", type: "submit" }, "Sign in");
  const submit = async (event) => {
    event.preventDefault();
    button.disabled = true;
    // After several wrong tokens the server lets wait.
    button.textContent = "Checking…";
    error.hidden = true;
    try {
      present = (await call("POST", "/v1/session", { json: { token: token.value.trim() }, quiet401: true })).body;
      done();
    } catch (problem) {
      error.textContent = problem.status === 401 ? "That is not the admin token." : problem.message;
      error.hidden = false;
      token.value = "";
      token.focus();
    } finally {
      button.disabled = false;
      button.textContent = "Sign in";
    }
  };
  const closed = present.sign_in === "closed";
  fill(container, h("section", { class: "sign-in card stack" },
    h("h1", {}, "Sign in"),
    why && h("p", { class: "box warm" }, why),
    closed ? h("p", { class: "lead" }, present.help ?? "This server has no admin token.")
      : h("form", { class: "stack", onsubmit: submit },
        h("p", { class: "lead" }, "Use the admin token of this server. On your own machine, ./sluice serve prints one at its start."),
        h("label", { class: "field" }, "Admin token", token),
        error,
        h("div", { class: "row" }, button))));
  if (!closed) token.focus();
}
