// Numbers with their units.

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export const count = (n) => whole.format(n);
export const compact = (n) => (Math.abs(n) < 10000 ? whole.format(Math.round(n)) : short.format(n));
/** 1 permit, 2 permits. */
export const many = (n, one) => `${count(n)} ${one}${n === 1 ? "" : "s"}`;

/** Requests a second, without the unit. */
export function perSecond(n) {
  return n === 0 ? "0" : n < 10 ? n.toFixed(1) : compact(n);
}

export function percent(part, all) {
  if (all === 0) return "0%";
  const value = (100 * part) / all;
  return value === 0 ? "0%" : value < 0.1 ? "<0.1%" : value < 10 ? `${value.toFixed(1)}%` : value > 99 && part < all ? `${(Math.floor(value * 10) / 10).toFixed(1)}%` : `${Math.round(value)}%`;
}

/** A duration in microseconds, such as 1.5 ms; -1 is never. */
export function micros(us) {
  if (us === -1) return "never";
  if (us === 0) return "0 s";
  if (us < 1000) return `${us} µs`;
  if (us < 1e6) return `${trim(us / 1e3)} ms`;
  return seconds(us / 1e6);
}

export const millis = (ms) => micros(Math.round(ms * 1000));

/** Two durations in microseconds with one unit: ["39 / 127", " µs"]. */
export function microsPair(one, other) {
  const [size, unit] = Math.max(one, other) < 1000 ? [1, " µs"] : Math.max(one, other) < 1e6 ? [1e3, " ms"] : [1e6, " s"];
  const digits = (n) => String(Number(n.toPrecision(n < 100 ? 2 : 3)));
  return [`${digits(one / size)} / ${digits(other / size)}`, unit];
}

function seconds(s) {
  if (s < 60) return `${trim(s)} s`;
  if (s < 3600) return two(s, 60, "min", 1, "s");
  if (s < 86400) return two(s, 3600, "h", 60, "min");
  return two(s, 86400, "d", 3600, "h");
}

function two(s, large, largeName, small, smallName) {
  const rest = Math.floor((s % large) / small);
  return `${Math.floor(s / large)} ${largeName}${rest ? ` ${rest} ${smallName}` : ""}`;
}

const trim = (n) => String(Number(n < 10 ? n.toFixed(2) : n < 100 ? n.toFixed(1) : n.toFixed(0)));

export const clock = (ms) => new Date(ms).toLocaleTimeString("en-GB");
export const clockMinutes = (ms) => new Date(ms).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
export const date = (ms) => new Date(ms).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** Characters that nobody sees, or that turn the order of others, as their codes. */
export const visible = (text) => String(text).replace(/[\p{Cc}\u200B\u200E\u200F\u2028-\u202E\u2060\u2066-\u2069\uFEFF]/gu,
  (c) => `\\u${c.codePointAt(0).toString(16).padStart(4, "0")}`);

/** {tenant: "acme"} as tenant=acme. */
export const keyText = (key) => (!key ? "" : Object.keys(key).length === 0 ? "all requests" : Object.entries(key).map(([n, v]) => `${n}=${visible(v)}`).join(" "));

/** Whether a limit is on what is in flight: its permits are given back, so times are those of permits that nobody renews. */
export const inFlight = (limit) => limit.startsWith("concurrency");
