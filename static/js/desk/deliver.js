// Taking the outbox to the server: in order, each once, again and again until it is there. What the server does not take
// comes back to be changed; what another device wrote first is never overwritten.

import { ask } from "./api.js";
import { sameAs } from "./draft.js";
import { drop, entries, keep } from "./outbox.js";
import { adopt, recorded, relay, rival } from "./view.js";
import { deskOf, wayOf } from "./wire.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./api.js").Answer} Answer */
/**
 * How a write ended: "saved"; "same" as another device's; "back" to be changed, with what the server said; or "waits",
 * with the answer that stopped it.
 * @typedef {{kind: "saved" | "same" | "back" | "waits", answer: Answer}} Fate
 */

const SOON = 2_000;
const LATE = 30_000;
const TRIES = 3; // against a table that others write at all the time

/**
 * @param {View} view
 * @param {(entry: Entry, fate: Fate) => void} told what became of an entry
 */
export function deliverer(view, told) {
  let wait = SOON;
  let retry = 0;
  let going = false;
  let again = false;

  /** Send what waits at this table, until it is empty or something stops it. */
  async function run() {
    if (going) {
      again = true;
      return;
    }
    going = true;
    window.clearTimeout(retry);
    do {
      again = false;
      for (let entry = first(); entry && (await sent(entry)); entry = first()) wait = SOON;
    } while (again);
    going = false;
    if (first()) {
      retry = window.setTimeout(run, wait);
      wait = Math.min(wait * 2, LATE);
    }
  }

  /** The first that can go. While two devices contradict each other nothing does; a hand, and a foul in it, wait for the hand before. */
  function first() {
    if (rival(view, view.draft)) return undefined;
    return view.waiting.find((entry) => handOf(entry) <= view.server.next);
  }

  /** Send one. Gives whether the next one may go. @param {Entry} entry */
  async function sent(entry) {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const way = wayOf(entry, view.server);
      if (!way) return off(entry, { kind: "back", answer: gone(view) });
      const answer = await ask(way.url, { ...entry.body, table_version: entry.version }, { method: way.method });
      if (answer.kind === "ok") return off(entry, { kind: "saved", answer });
      if (answer.kind === "refused") return off(entry, { kind: "back", answer });
      if (answer.kind !== "stale") {
        told(entry, { kind: "waits", answer });
        return false;
      }
      const fate = overtaken(entry, answer.data.state);
      if (fate) return off(entry, { kind: fate, answer });
      entry.version = answer.data.state.version;
    }
    return false;
  }

  /** @param {Entry} entry @param {Fate} fate */
  async function off(entry, fate) {
    view.waiting = view.waiting.filter((one) => one !== entry);
    await drop(entry);
    const state = fate.answer.data?.state;
    if (state) {
      for (const one of view.waiting) {
        one.version = state.version;
        await keep(one);
      }
      adopt(view, state);
    } else relay(view);
    told(entry, fate);
    return fate.kind !== "back";
  }

  return {
    /** Try now, whatever the last try said. */
    now() {
      wait = SOON;
      void run();
    },

    /** Take an entry back that was not sent. @param {Entry} entry */
    async withdraw(entry) {
      view.waiting = view.waiting.filter((one) => one !== entry);
      await drop(entry);
      relay(view);
    },

    /** What an earlier visit left here, and at other tables: those go without a word, as far as nothing is in the way. */
    async resume() {
      const left = await entries();
      view.waiting = left.filter((entry) => entry.place === view.place);
      relay(view);
      void run();
      void elsewhere(view, left.filter((entry) => entry.place !== view.place));
    },
  };
}

/** The hand an entry is of; 0: none. @param {Entry} entry @returns {number} */
const handOf = (entry) => (entry.kind === "penalty" ? (entry.draft.hand_number ?? 0) : entry.number);

/** Whether an entry that came late has become pointless, or must be looked at; "" when it can simply go after. @param {Entry} entry @param {any} state */
function overtaken(entry, state) {
  const hand = recorded({ state }, entry.number);
  if (entry.kind === "penalty") return "";
  if (entry.kind === "correction") return hand && hand.version === entry.draft.basis ? "" : "back";
  if (!hand) return state.may_record && state.next === entry.number ? "" : "back";
  return hand.uuid === entry.uuid ? "saved" : sameAs(entry.draft, hand) ? "same" : "back";
}

/** What is said of a correction whose hand was taken back meanwhile. @param {View} view @returns {Answer} */
const gone = (view) => ({ kind: "stale", data: { state: view.server, changes: [] }, problems: [] });

/** @param {View} view @param {Entry[]} left entries of other tables, in order */
async function elsewhere(view, left) {
  for (const place of new Set(left.map((entry) => entry.place))) {
    const found = await ask(deskOf(view.setup, place));
    if (found.kind === "ok") await sentTo(found.data.state, left.filter((entry) => entry.place === place));
  }
}

/** @param {any} state how the table stands @param {Entry[]} waiting what waits for it; all of it stays once one does not go */
async function sentTo(state, waiting) {
  for (const [at, entry] of waiting.entries()) {
    const way = wayOf(entry, state);
    const answer = way && (await ask(way.url, { ...entry.body, table_version: entry.version }, { method: way.method }));
    if (answer?.kind !== "ok") return;
    await drop(entry);
    state = answer.data.state;
    for (const later of waiting.slice(at + 1)) {
      later.version = state.version;
      await keep(later);
    }
  }
}
