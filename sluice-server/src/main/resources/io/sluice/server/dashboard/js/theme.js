// The theme: that of the system, or the one that was chosen here. Runs before the page is drawn, so it is no module.
(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => { try { return localStorage.getItem("sluice-theme"); } catch { return null; } };
  const current = () => stored() ?? (system.matches ? "dark" : "light");
  const apply = () => {
    document.documentElement.dataset.theme = current();
    document.dispatchEvent(new Event("themechange"));
  };
  system.addEventListener("change", apply);
  window.sluiceTheme = {
    current,
    toggle() {
      const next = current() === "dark" ? "light" : "dark";
      const same = next === (system.matches ? "dark" : "light");
      try { if (same) localStorage.removeItem("sluice-theme"); else localStorage.setItem("sluice-theme", next); } catch { /* private mode */ }
      apply();
    },
  };
  apply();
})();
