// What was written and is not with the server yet: kept on this device, in order, and taken to the server again and again
// until it is there, each once. What the server does not take comes back to be changed; what another device wrote first is
// never overwritten.
//
// An entry is one write: what is to be done at which table, its own name (uuid), and the draft it came from, should it come
// back. The address is not kept: it is the one that the server gives when the entry goes, so that a server that was updated
// meanwhile finds nothing stranded on a phone.

import { ask } from "./api.js";
import { t } from "./dom.js";
import { handOf, isAnnounced, sameAs } from "./draft.js";
import { adopt, nameOf, recorded, relay, rival } from "./view.js";
import { paymentsOf } from "./waiting.js";

/** @typedef {import("./api.js").Answer} Answer */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./view.js").View} View */
/** @typedef {{method: "POST" | "PUT", url: string}} Way */
/**
 * @typedef {object} Entry
 * @property {number} [order]    the outbox's own number: entries go in this order
 * @property {string} place      which table, among all there are
 * @property {"hand" | "correction" | "penalty"} kind
 * @property {string} uuid
 * @property {object} body       without the table's version, which is only known when it goes
 * @property {number} version    the table's version it was written at
 * @property {number} number     of the hand; 0 for a penalty
 * @property {any} draft         what was being entered
 * @property {any} shown         how the table looks with it: a hand or a penalty as the state has them
 */
/**
 * How a write ended: "saved"; "same" as another device's; "back" to be changed, with what the server said; or "waits",
 * with the answer that stopped it.
 * @typedef {{kind: "saved" | "same" | "back" | "waits", answer: Answer}} Fate
 */

const NAME = "hule-desk";
const ENTRIES = "outbox";
const SOON = 2_000; // ms until an entry is sent again, twice as many each time
const LATE = 30_000;
const TRIES = 3; // against a table that others write at all the time

// --- on this device -------------------------------------------------------------------------------------------------
/** Every entry on this device, in order. @returns {Promise<Entry[]>} */
async function entries() {
  const base = await open;
  return base ? done(base.transaction(ENTRIES).objectStore(ENTRIES).getAll()) : [];
}

/** Keep an entry; it is on the disk when this returns. @param {Entry} entry */
export async function keep(entry) {
  const base = await open;
  if (!base) return;
  const transaction = base.transaction(ENTRIES, "readwrite", { durability: "strict" });
  const order = transaction.objectStore(ENTRIES).put(entry);
  await written(transaction);
  entry.order = Number(order.result);
}

/** The server has it, or it is being changed. @param {Entry} entry */
async function drop(entry) {
  const base = await open;
  if (!base || entry.order === undefined) return;
  const transaction = base.transaction(ENTRIES, "readwrite");
  transaction.objectStore(ENTRIES).delete(entry.order);
  await written(transaction);
}

const open = database();

/** @returns {Promise<IDBDatabase | null>} null where the browser keeps nothing: entries then last as long as the page */
async function database() {
  try {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(ENTRIES, { keyPath: "order", autoIncrement: true });
    return await done(opening);
  } catch {
    return null;
  }
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
function written(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

// --- how the table looks with an entry ------------------------------------------------------------------------------
/** A hand as the state would have it. @param {View} view @param {Draft} draft @param {import("./view.js").Opinion | null} opinion what was made of it */
export function shownHand(view, draft, opinion) {
  const { outcome, tiles = null, points, fans, override = "", claimants = [] } = /** @type {any} */ (handOf(draft));
  const winner = outcome === "win" ? draft.winner : null;
  const discarder = winner === null ? null : draft.discarder;
  const worth = winner === null ? 0 : opinion?.data?.points || announced(view, draft);
  const players = view.state.seats.map((/** @type {any} */ seat) => seat.player);
  return {
    uuid: draft.sent?.uuid,
    outcome,
    winner,
    discarder,
    points: worth || (points ?? 0),
    announced: fans || points ? { fans, points } : null,
    claimants,
    absent: draft.absent ?? [],
    override,
    overridden: override,
    deepens: false,
    payments: worth ? paymentsOf(players, winner, discarder, worth, view.setup.extra) : {},
    uncounted: winner !== null && !worth,
    text: textOf(view, draft),
    tiles,
    laid: [],
    at: new Date(Date.now() + view.setup.skew).toTimeString().slice(0, 5),
    unchecked: opinion?.kind !== "ok" && outcome === "win",
  };
}

/** What a win without tiles was announced to come to; 0 where its tiles say, or nothing was. @param {View} view @param {Draft} draft */
function announced(view, draft) {
  const { points, fans = {} } = /** @type {{points?: number, fans?: Record<string, number>}} */ (handOf(draft));
  if (!isAnnounced(draft) && !draft.overrides) return 0;
  return points ?? view.setup.fans.reduce((/** @type {number} */ sum, /** @type {any} */ fan) => sum + fan.points * (fans[fan.key] ?? 0), 0);
}

/** @param {View} view @param {Draft} draft */
function textOf(view, draft) {
  if (draft.outcome === "draw") return t("wash_out");
  const winner = nameOf(view, draft.winner);
  return draft.discarder === null ? t("won_self", { winner }) : t("won_from", { winner, discarder: nameOf(view, draft.discarder) });
}

/** A penalty as the state would have it. @param {View} view @param {string} uuid @param {any} body as it is sent @param {any} proposed what it comes to; null where nobody could say */
export function shownPenalty(view, uuid, body, proposed) {
  const foul = view.setup.fouls.find((/** @type {any} */ foul) => foul.key === body.foul);
  const effects = Object.fromEntries((proposed?.effects ?? []).map((/** @type {any} */ row) => [row.player, row.change]));
  const name = nameOf(view, body.player);
  return {
    uuid,
    key: body.foul,
    player: body.player,
    name,
    foul: foul?.name ?? body.foul,
    sanction: proposed?.sanction ?? t("waits"),
    hand: body.hand_number,
    effects,
    unpaid: -Object.values(effects).reduce((sum, change) => sum + change, 0),
    uncounted: !proposed,
    restraint: proposed && restraint(view, body, { name, hand: body.hand_number, foul: foul?.name ?? body.foul }, proposed.imposed),
    note: body.note,
    by: "",
    at: "",
    cancelled: false,
    waiting: true,
  };
}

/** What it forbids for the rest of its hand, as the state has it; null where it forbids nothing. @param {View} view @param {any} body @param {object} params of the sentence on a dead hand @param {any} sanction */
function restraint(view, body, params, sanction) {
  const lasting = view.setup.flags.filter((/** @type {any} */ flag) => flag.hand_long && sanction[flag.key]);
  if (!lasting.length || body.hand_number === null) return null;
  const barred = sanction.dead_hand ? t("dead_hand", params) : "";
  return { hand: body.hand_number, player: body.player, marks: lasting.map((/** @type {any} */ flag) => flag.name), barred, params };
}

// --- to the server --------------------------------------------------------------------------------------------------
/**
 * @param {View} view
 * @param {(entry: Entry, fate: Fate) => void} report what became of an entry
 */
export function deliverer(view, report) {
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
      for (let entry = first(); entry && (await deliver(entry)); entry = first()) wait = SOON;
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
    return view.waiting.find((entry) => numberOf(entry) <= view.server.next);
  }

  /** Send one. Gives whether the next one may go. @param {Entry} entry */
  async function deliver(entry) {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const way = wayOf(entry, view.server);
      if (!way) return finish(entry, { kind: "back", answer: takenBack(view) });
      const answer = await send(entry, way);
      if (answer.kind === "ok") return finish(entry, { kind: "saved", answer });
      if (answer.kind === "refused") return finish(entry, { kind: "back", answer });
      if (answer.kind !== "stale") {
        report(entry, { kind: "waits", answer });
        return false;
      }
      const fate = overtaken(entry, answer.data.state);
      if (fate) return finish(entry, { kind: fate, answer });
      entry.version = answer.data.state.version;
    }
    return false;
  }

  /** @param {Entry} entry @param {Fate} fate */
  async function finish(entry, fate) {
    view.waiting = view.waiting.filter((other) => other !== entry);
    await drop(entry);
    const state = fate.answer.data?.state;
    if (state) {
      await moveOn(view.waiting, state.version);
      adopt(view, state);
    } else relay(view);
    report(entry, fate);
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
      view.waiting = view.waiting.filter((other) => other !== entry);
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
const numberOf = (entry) => (entry.kind === "penalty" ? (entry.draft.hand_number ?? 0) : entry.number);

/** Whether an entry that came late has become pointless, or must be looked at; "" when it can simply go after. @param {Entry} entry @param {any} state */
function overtaken(entry, state) {
  const hand = recorded({ state }, entry.number);
  if (entry.kind === "penalty") return "";
  if (entry.kind === "correction") return hand && hand.version === entry.draft.basis ? "" : "back";
  if (!hand) return state.may_record && state.next === entry.number ? "" : "back";
  return hand.uuid === entry.uuid ? "saved" : sameAs(entry.draft, hand) ? "same" : "back";
}

/** The answer to a correction whose hand was taken back meanwhile. @param {View} view @returns {Answer} */
const takenBack = (view) => ({ kind: "stale", data: { state: view.server, changes: [] }, problems: [] });

/** @param {View} view @param {Entry[]} left entries of other tables, in order */
async function elsewhere(view, left) {
  for (const place of new Set(left.map((entry) => entry.place))) {
    const found = await ask(deskOf(view.setup, place));
    if (found.kind === "ok") await sendInOrder(found.data.state, left.filter((entry) => entry.place === place));
  }
}

/** @param {any} state how the table stands @param {Entry[]} waiting what waits for it; all of it stays once one does not go */
async function sendInOrder(state, waiting) {
  for (const [at, entry] of waiting.entries()) {
    const way = wayOf(entry, state);
    const answer = way && (await send(entry, way));
    if (answer?.kind !== "ok") return;
    await drop(entry);
    state = answer.data.state;
    await moveOn(waiting.slice(at + 1), state.version);
  }
}

/** Where a table tells how it stands. @param {any} setup @param {string} place */
const deskOf = (setup, place) => `${setup.urls.tournaments}${place}/desk/`;

/** How an entry is sent to a table that stands so; null when what it changes is not there. @param {Entry} entry @param {any} state @returns {Way | null} */
function wayOf(entry, state) {
  if (entry.kind === "penalty") return { method: "POST", url: state.urls.penalties };
  if (entry.kind === "hand") return { method: "POST", url: state.urls.hands };
  const hand = recorded({ state }, entry.number);
  return hand ? { method: "PUT", url: hand.url } : null;
}

/** @param {Entry} entry @param {Way} way */
const send = (entry, { method, url }) => ask(url, { ...entry.body, table_version: entry.version }, { method });

/** Entries go to the table as it is after the one before them. @param {Entry[]} entries @param {number} version */
async function moveOn(entries, version) {
  for (const entry of entries) {
    entry.version = version;
    await keep(entry);
  }
}
