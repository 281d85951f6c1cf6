// Makes elements. Text is always text, never markup.

/** h("p", {class: "lead", onclick: f}, "text", child, null): null and false children are left out. */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else if (value === true) element.setAttribute(name, "");
    else element.setAttribute(name, value);
  }
  add(element, children);
  return element;
}

export function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren();
  return add(element, children);
}

export function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A thin bar that shows a part of a whole, beside a number that says it. */
export function bar(part, kind) {
  const filled = h("span");
  filled.style.width = `${Math.max(0, Math.min(100, 100 * part))}%`;
  return h("span", { class: `bar ${kind ?? ""}`, "aria-hidden": "true" }, filled);
}

export function notice(text) {
  const note = h("div", {}, text);
  const notices = document.getElementById("notices");
  while (notices.childElementCount > 1) notices.firstElementChild.remove();
  notices.append(note);
  setTimeout(() => note.remove(), 6000);
}

/** A short text about the state of a view. Screen readers hear it when `kind` changes, and not with every second. */
export function statusPill(id) {
  const seen = h("span", { class: "pill", id });
  const heard = h("span", { class: "visually-hidden", role: "status" });
  let last = null;
  return {
    element: h("span", {}, seen, heard),
    show(text, kind) {
      if (seen.textContent !== text) seen.textContent = text;
      seen.className = `pill ${kind}`;
      if (kind !== last) heard.textContent = text;
      last = kind;
    },
  };
}

/** Asks before something that others notice. Returns whether the answer is yes. */
export function ask(question, yes) {
  return new Promise((resolve) => {
    const dialog = h("dialog", { class: "card", "aria-label": question, onclose: () => { dialog.remove(); resolve(dialog.returnValue === "yes"); } },
      h("form", { method: "dialog", class: "stack", onsubmit: (event) => { event.preventDefault(); dialog.close("yes"); } },
        h("p", {}, question),
        h("div", { class: "row end" },
          h("button", { type: "button", onclick: () => dialog.close("") }, "Cancel"),
          h("button", { type: "submit", class: "primary" }, yes))));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Copies a text. Says so, or selects the element that shows it: browsers have a clipboard over HTTPS and on localhost only. */
export async function copy(text, done, element) {
  try {
    await navigator.clipboard.writeText(text);
    notice(done);
  } catch {
    if (element) getSelection().selectAllChildren(element);
    notice(element ? "The browser does not allow to copy here. The text is selected: copy it yourself." : "The browser does not allow to copy here. Copy the address of this page.");
  }
}

/** What may be wider than the window scrolls by itself, also by keyboard. */
export const scroller = (label, id) => h("div", { class: "scroll", id, tabindex: "0", role: "region", "aria-label": label });

/** Calls f after a pause without further calls. */
export function debounced(millis, f) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => f(...args), millis);
  };
}

/** Radio buttons that look like one switch. */
export function choice(label, name, options, chosen, onchange) {
  return h("fieldset", { class: "switch" },
    h("legend", { class: "visually-hidden" }, label),
    options.map(([value, text]) => h("label", {},
      h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onchange(value) }),
      h("span", {}, text))));
}
