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
  document.getElementById("notices").append(note);
  setTimeout(() => note.remove(), 5000);
}

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
