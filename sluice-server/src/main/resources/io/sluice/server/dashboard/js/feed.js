// The live numbers: the last 15 minutes at once, then a tick every two seconds. Connects again by itself.
import { get } from "./api.js";

const KEPT = 450;
const STALE_AFTER = 6000;
const LONGEST_PAUSE = 15000;

export class Feed {
  constructor(scope, onchange) {
    this.scope = scope;
    this.onchange = onchange;
    this.ticks = [];
    this.state = null;
    this.interval = 2000;
    this.status = "connecting";
    this.heard = 0;
    this.failures = 0;
    this.watch = setInterval(() => this.check(), 1000);
    this.connect();
  }

  connect() {
    this.source?.close();
    this.source = new EventSource(`/v1/live/stream?scope=${this.scope}`);
    this.source.addEventListener("open", () => this.catchUp());
    this.source.addEventListener("tick", (event) => {
      const { ticks, state } = JSON.parse(event.data);
      this.take(ticks, state);
    });
    this.source.addEventListener("error", () => {
      this.set("offline");
      // A browser gives up after an answer that is no stream, such as "too many".
      if (this.source.readyState === EventSource.CLOSED) this.retry();
    });
  }

  retry() {
    clearTimeout(this.pause);
    this.failures += 1;
    this.pause = setTimeout(() => this.connect(), Math.min(LONGEST_PAUSE, 1000 * 2 ** Math.min(this.failures, 4)));
  }

  async catchUp() {
    try {
      const all = await get(`/v1/live?scope=${this.scope}`);
      this.interval = all.interval_ms;
      this.replica = all.replica;
      this.failures = 0;
      this.take(all.ticks, all.state);
    } catch (problem) {
      this.problem = problem.message;
      this.set("offline");
      this.source.close();
      this.retry();
    }
  }

  take(ticks, state) {
    for (const tick of ticks) {
      let at = this.ticks.length;
      while (at > 0 && this.ticks[at - 1].t >= tick.t) at -= 1;
      const same = this.ticks[at]?.t === tick.t;
      this.ticks.splice(at, same ? 1 : 0, tick);
    }
    if (this.ticks.length > KEPT) this.ticks.splice(0, this.ticks.length - KEPT);
    this.state = state;
    this.heard = Date.now();
    this.status = "live";
    this.onchange(this);
  }

  check() {
    if (this.status === "live" && Date.now() - this.heard > STALE_AFTER) this.set("stale");
    else if (this.status !== "live") this.onchange(this);
  }

  set(status) {
    if (this.status === "stale" && status === "offline") return;
    this.status = this.heard && status === "offline" ? "stale" : status;
    this.onchange(this);
  }

  close() {
    clearInterval(this.watch);
    clearTimeout(this.pause);
    this.source.close();
    this.onchange = () => {};
  }
}
