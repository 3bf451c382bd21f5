// When a part of a page is loaded again: after the first change at once, after following ones together, and after a failure until
// it succeeds. Without a DOM, because `bin/bench hall` runs the same logic for hundreds of phones.

const SPREAD = 300; // ms: spreads the requests of a hall
const PACE = 1_000; // ms between two requests of one part
const RETRY = 2_000; // ms after a failed request; doubled each time
const MAX_RETRY = 15_000;
const LATE = 10_000; // ms after a change, when the reader is told

/**
 * Whether a change concerns a part. A change that is not at a table may concern everybody.
 * @param {Record<string, any>} change the stream's message @param {string} topic what the part shows
 * @param {string} places what it shows: "4/2 5/" for session 4, table 2, and all tables of session 5; "all"
 */
export function concerns(change, topic, places) {
  if (change.topics && !change.topics.includes(topic)) return false;
  if (places === "all" || !("table" in change)) return true;
  const shown = places.split(" ");
  return shown.includes(`${change.session}/${change.table}`) || shown.includes(`${change.session}/`);
}

/** @typedef {{ok: boolean, status: number, headers: {get: (name: string) => string | null}}} Answer */

export class Loader {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #lateTimer;
  #isLoading = false;
  #isOutdated = false;
  #last = 0;
  #failures = 0;

  /**
   * @param {() => Promise<Answer>} load loads and shows the part; rejects without a network
   * @param {{pace?: number, isHidden?: () => boolean, onLate?: (isLate: boolean) => void}} options
   *   `pace`: ms between two requests; `isHidden`: nobody sees the page, so nothing is loaded; `onLate`: whether the part has been
   *   out of date for long
   */
  constructor(load, { pace = PACE, isHidden = () => false, onLate = () => {} } = {}) {
    this.load = load;
    this.pace = pace;
    this.isHidden = isHidden;
    this.onLate = onLate;
  }

  /** Load soon, because something changed. @param {number} [spread] ms over which the requests of a hall are spread */
  changed(spread = SPREAD) {
    this.#isOutdated = true;
    this.#schedule(Math.max(Math.random() * spread, this.#last + this.pace - Date.now()));
  }

  /** Load what was missed, because the page is seen again or the network is back. */
  resume() {
    if (!this.#isOutdated || this.#isLoading) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#schedule(Math.random() * SPREAD);
  }

  /** End: nothing is loaded any more. */
  stop() {
    clearTimeout(this.#timer);
    this.#onTime();
  }

  /** @param {number} wait */
  #schedule(wait) {
    if (this.#isLoading || this.#timer || this.isHidden()) return;
    this.#lateTimer ??= setTimeout(() => this.onLate(true), LATE);
    this.#timer = setTimeout(() => void this.#run(), wait);
  }

  async #run() {
    this.#timer = undefined;
    this.#isLoading = true;
    this.#isOutdated = false; // a change from now on may not be in the answer
    this.#last = Date.now();
    const answer = await this.load().catch(() => null);
    this.#isLoading = false;
    if (answer?.ok) {
      this.#failures = 0;
      this.#onTime();
      if (this.#isOutdated) this.changed();
    } else {
      this.#isOutdated = true;
      this.#schedule(this.#pause(answer));
    }
  }

  /** Return how long to wait after a failure: what the server asks for, with jitter. @param {Answer | null} answer */
  #pause(answer) {
    const retryAfter = Number(answer?.headers.get("retry-after")) * 1_000;
    const wait = retryAfter || Math.min(RETRY * 2 ** this.#failures, MAX_RETRY);
    this.#failures += 1;
    return wait * (1 + Math.random() / 2);
  }

  #onTime() {
    clearTimeout(this.#lateTimer);
    this.#lateTimer = undefined;
    this.onLate(false);
  }
}
