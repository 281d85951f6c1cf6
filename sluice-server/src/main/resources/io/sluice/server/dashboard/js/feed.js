// The live numbers: the last 15 minutes at once, then a tick every two seconds. Connects again by itself.
import { get } from "./api.js";

const KEPT = 450;
const STALE_AFTER = 6000;
const LONGEST_PAUSE = 15000;
/** For the last 15 minutes, from a server that may be gone. */
const PATIENCE = 10000;
/** After Redis was away, other replicas write their ticks a little later. */
const LATE_TICKS = 15000;
/** A browser opens few connections to one server, so a tab that nobody sees gives its stream back. */
const HIDDEN_AFTER = 10000;

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
    this.turn = 0;
    this.watch = setInterval(() => this.check(), 1000);
    this.seen = () => this.visibility();
    document.addEventListener("visibilitychange", this.seen);
    this.connect();
  }

  /** The history comes first: its answer also says whether the session has ended, which a stream cannot say. */
  async connect() {
    clearTimeout(this.pause);
    this.source?.close();
    this.turn += 1;
    const mine = this.turn;
    if (!(await this.catchUp()) || this.closed || mine !== this.turn) return;
    const source = new EventSource(`/v1/live/stream?scope=${this.scope}`);
    let first = true;
    this.source = source;
    source.addEventListener("open", () => {
      if (!first) this.catchUp();
      first = false;
    });
    source.addEventListener("tick", (event) => {
      const { ticks, state } = JSON.parse(event.data);
      // Only a stream that works: with each history that is read instead, the pauses get longer.
      this.failures = 0;
      this.take(ticks, { ...this.state, ...state });
    });
    source.addEventListener("error", () => {
      this.set("offline");
      // A browser gives up after an answer that is no stream, such as "too many".
      if (source.readyState === EventSource.CLOSED) this.retry();
    });
  }

  retry() {
    clearTimeout(this.pause);
    if (this.closed || this.asleep) return;
    this.failures += 1;
    this.pause = setTimeout(() => this.connect(), Math.min(LONGEST_PAUSE, 1000 * 2 ** Math.min(this.failures - 1, 4)));
  }

  /** Whether it was possible. */
  async catchUp() {
    try {
      const all = await get(`/v1/live?scope=${this.scope}`, { patience: PATIENCE });
      if (this.closed) return false;
      this.interval = all.interval_ms;
      this.take(all.ticks, all.state);
      return true;
    } catch {
      if (this.closed) return false;
      this.set("offline");
      this.source?.close();
      this.retry();
      return false;
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
    const before = this.state;
    this.state = state;
    this.heard = Date.now();
    this.status = "live";
    // An event has no names of policies, and no old ticks of other replicas.
    if (before && before.edition !== state.edition) this.later(0);
    if (before && !before.complete && state.complete) this.later(LATE_TICKS);
    this.onchange(this);
  }

  later(millis) {
    clearTimeout(this.refresh);
    this.refresh = setTimeout(() => { if (this.status === "live") this.catchUp(); }, millis);
  }

  visibility() {
    clearTimeout(this.hide);
    if (document.hidden) {
      this.hide = setTimeout(() => {
        clearTimeout(this.pause);
        this.source?.close();
        this.turn += 1;
        this.asleep = true;
        this.set("paused");
      }, HIDDEN_AFTER);
    } else if (this.asleep) {
      this.asleep = false;
      this.connect();
    }
  }

  /** The time of the server: clocks of browsers may be wrong. */
  now() {
    return (this.ticks.at(-1)?.t ?? Date.now()) + (this.heard ? Date.now() - this.heard : 0);
  }

  check() {
    if (this.status === "live" && Date.now() - this.heard > STALE_AFTER) {
      this.set("stale");
      // A browser does not notice that a connection is dead.
      this.source?.close();
      this.retry();
    } else if (this.status !== "live") this.onchange(this);
  }

  set(status) {
    if (this.status === "stale" && status === "offline") return;
    this.status = this.heard && status === "offline" ? "stale" : status;
    this.onchange(this);
  }

  close() {
    this.closed = true;
    clearInterval(this.watch);
    [this.pause, this.refresh, this.hide].forEach(clearTimeout);
    document.removeEventListener("visibilitychange", this.seen);
    this.source?.close();
    this.onchange = () => {};
  }
}
