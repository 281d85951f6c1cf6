// The editor for YAML: Ace, loaded when it is first needed, without styles or workers of its own.

let loading = null;

function script(source) {
  return new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = source;
    element.onload = resolve;
    element.onerror = () => reject(new Error(`${source} cannot be loaded`));
    document.head.append(element);
  });
}

async function ace() {
  loading ??= script("/dashboard/lib/ace/ace.js").then(() => script("/dashboard/lib/ace/mode-yaml.js"));
  await loading;
  globalThis.ace.config.set("useStrictCSP", true);
  globalThis.ace.config.set("loadWorkerFromBlob", false);
  return globalThis.ace;
}

export async function editor(element, label, onchange) {
  const lib = await ace();
  const view = lib.edit(element, {
    useWorker: false, tabSize: 2, useSoftTabs: true, showPrintMargin: false, showFoldWidgets: false, highlightActiveLine: true,
    enableKeyboardAccessibility: true, fontSize: 13, textInputAriaLabel: label,
  });
  view.renderer.setTheme({ cssClass: "ace-sluice", isDark: false, cssText: "" });
  view.session.setMode("ace/mode/yaml");
  view.session.setUseWorker(false);
  let silent = false;
  let marks = [];
  view.session.on("change", () => { if (!silent) onchange(); });
  return {
    text: () => view.getValue(),
    set(text) {
      silent = true;
      view.setValue(text, -1);
      view.session.getUndoManager().reset();
      silent = false;
    },
    readOnly: (only) => view.setReadOnly(only),
    /** Shows problems at their lines. */
    problems(list) {
      view.session.setAnnotations(list.map((one) => ({ row: one.line - 1, column: one.column - 1, text: one.message, type: one.severity })));
      marks.forEach((mark) => view.session.removeMarker(mark));
      const { Range } = lib.require("ace/range") ?? {};
      const RangeOf = Range ?? lib.Range;
      marks = list.map((one) => view.session.addMarker(new RangeOf(one.line - 1, 0, one.line - 1, 1), `line-${one.severity}`, "fullLine"));
    },
    go(line, column) {
      view.gotoLine(line, column - 1, false);
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}
