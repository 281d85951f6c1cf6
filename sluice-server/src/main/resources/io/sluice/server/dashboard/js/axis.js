// The time axis of the playground, as plots of ./sluice simulate have it: times of a clock, or since the first request.
import { micros } from "./format.js";

const MOST_TICKS = 8;
const SECOND = 1e6;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 10, 100, 1000, 10000, 100000].flatMap((unit) => [unit, 2 * unit, 5 * unit]),
  ...[1, 2, 5, 10, 20, 30].map((n) => n * SECOND), ...[1, 2, 5, 10, 20, 30].map((n) => n * MINUTE),
  ...[1, 2, 4, 6, 12].map((n) => n * HOUR), ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((n) => n * DAY),
];
/** Traces from before 2000 do not come from a clock. */
const CLOCKS_BEGIN = Date.UTC(2000) * 1000;
const CLOCKS_END = Date.UTC(2200) * 1000;

/** {from, step, text, note}: the value of the first request, the distance of ticks, and how times are said. */
export function timeAxis(start, span) {
  const step = STEPS.find((each) => span / each <= MOST_TICKS) ?? span;
  if (step < 1000 || start < CLOCKS_BEGIN || start + span >= CLOCKS_END) return { from: 0, step, text: (us) => micros(Math.round(us)), note: "" };
  const utc = (options) => new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
  const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const format = step >= DAY ? utc({ day: "numeric", month: "short" })
    : span > DAY ? utc({ day: "numeric", month: "short", ...time })
      : step >= MINUTE ? utc(time)
        : utc({ ...time, second: "2-digit", ...(step < SECOND ? { fractionalSecondDigits: 3 } : {}) });
  return {
    from: start, step, text: (us) => format.format(us / 1000),
    note: ` Times are UTC, from ${utc({ dateStyle: "long", timeStyle: "medium" }).format(start / 1000)}.`,
  };
}
