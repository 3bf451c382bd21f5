// Writes that the server has not confirmed: stored on this device, and sent in order until the server has taken or refused
// them. Refused ones return to the form; what another device wrote first is never overwritten.
//
// An entry stores the body, the uuid and the draft of a write, but no URL: that is taken from the table's state when the entry
// is sent, so that entries survive an update of the server.

import { request } from "./api.js";
import { t } from "./dom.js";
import { handOf, isAnnounced, isSameHand } from "./draft.js";
import { adoptState, conflictingHand, nameOf, recordedHand, refreshState } from "./view.js";
import { paymentsOf } from "./waiting.js";

/** @typedef {import("./api.js").Answer} Answer */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./view.js").View} View */
/** @typedef {{method: "POST" | "PUT", url: string}} Endpoint */
/**
 * @typedef {object} Entry
 * @property {number} [order]    primary key; entries are sent in this order
 * @property {string} place      which table, among all there are
 * @property {"hand" | "correction" | "penalty"} kind
 * @property {string} uuid
 * @property {object} body       without the table's version, which is added when it is sent
 * @property {number} version    the table's version when it was written
 * @property {number} number     of the hand; 0 for a penalty
 * @property {any} draft         the form it came from
 * @property {any} shown         the hand or penalty as it would be in the state
 */
/**
 * Result of a write: "saved"; "same" as another device's; "back" to the form, with the server's answer; or "waits", with
 * the answer that stopped it.
 * @typedef {{kind: "saved" | "same" | "back" | "waits", answer: Answer}} WriteResult
 */

const NAME = "hule-desk";
const ENTRIES = "outbox";
const RETRY_AFTER = 2_000; // ms until an entry is sent again, twice as many each time
const MAX_RETRY_AFTER = 30_000;
const MAX_TRIES = 3; // at a stale version

// --- storage --------------------------------------------------------------------------------------------------------
/** List the entries on this device, in order. @returns {Promise<Entry[]>} */
async function entries() {
  const base = await connection;
  return base ? resultOf(base.transaction(ENTRIES).objectStore(ENTRIES).getAll()) : [];
}

/** Store an entry durably. @param {Entry} entry */
export async function store(entry) {
  const base = await connection;
  if (!base) return;
  const transaction = base.transaction(ENTRIES, "readwrite", { durability: "strict" });
  const order = transaction.objectStore(ENTRIES).put(entry);
  await committed(transaction);
  entry.order = Number(order.result);
}

/** Delete an entry. @param {Entry} entry */
async function remove(entry) {
  const base = await connection;
  if (!base || entry.order === undefined) return;
  const transaction = base.transaction(ENTRIES, "readwrite");
  transaction.objectStore(ENTRIES).delete(entry.order);
  await committed(transaction);
}

const connection = openDatabase();

/** @returns {Promise<IDBDatabase | null>} null where the browser stores nothing: entries are then lost with the page */
async function openDatabase() {
  try {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(ENTRIES, { keyPath: "order", autoIncrement: true });
    return await resultOf(opening);
  } catch {
    return null;
  }
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function resultOf(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
function committed(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

// --- entries as part of the state -----------------------------------------------------------------------------------
/** The hand as it would be in the state. @param {View} view @param {Draft} draft @param {import("./view.js").Preview | null} preview */
export function handState(view, draft, preview) {
  const { outcome, tiles = null, points, fans, override = "", claimants = [], dispute = "" } = /** @type {any} */ (handOf(draft));
  const winner = outcome === "win" ? draft.winner : null;
  const discarder = winner === null ? null : draft.discarder;
  const worth = winner === null ? 0 : preview?.data?.points || announcedPoints(view, draft);
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
    dispute,
    deepens: false,
    payments: worth ? paymentsOf(players, winner, discarder, worth, view.setup.extra) : {},
    uncounted: winner !== null && !worth,
    text: textOf(view, draft),
    tiles,
    laid: [],
    at: new Date(Date.now() + view.setup.skew).toTimeString().slice(0, 5),
    unchecked: preview?.kind !== "ok" && outcome === "win",
  };
}

/** The announced points of a win that counts as announced; 0 otherwise. @param {View} view @param {Draft} draft */
function announcedPoints(view, draft) {
  const { points, fans = {} } = /** @type {{points?: number, fans?: Record<string, number>}} */ (handOf(draft));
  if (!isAnnounced(draft) && !draft.overrides) return 0;
  return points ?? view.setup.fans.reduce((/** @type {number} */ sum, /** @type {any} */ fan) => sum + fan.points * (fans[fan.key] ?? 0), 0);
}

/** @param {View} view @param {Draft} draft */
function textOf(view, draft) {
  if (draft.outcome === "draw") return t("wash_out");
  if (draft.outcome === "pending") return t("to_be_ruled");
  const winner = nameOf(view, draft.winner);
  return draft.discarder === null ? t("won_self", { winner }) : t("won_from", { winner, discarder: nameOf(view, draft.discarder) });
}

/** The penalty as it would be in the state. @param {View} view @param {string} uuid @param {any} body @param {any} proposed the proposal of the foul book; null if unknown */
export function penaltyState(view, uuid, body, proposed) {
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
    restraint: proposed && restraintOf(view, body, { name, hand: body.hand_number, foul: foul?.name ?? body.foul }, proposed.imposed),
    note: body.note,
    by: "",
    at: "",
    cancelled: false,
    waiting: true,
  };
}

/** The restraint as it would be in the state; null if the sanction has none. @param {View} view @param {any} body @param {object} params of the text on a dead hand @param {any} sanction */
function restraintOf(view, body, params, sanction) {
  const flags = view.setup.flags.filter((/** @type {any} */ flag) => flag.hand_long && sanction[flag.key]);
  if (!flags.length || body.hand_number === null) return null;
  const barred = sanction.dead_hand ? t("dead_hand", params) : "";
  return { hand: body.hand_number, player: body.player, marks: flags.map((/** @type {any} */ flag) => flag.name), barred, params };
}

// --- sending --------------------------------------------------------------------------------------------------------
/**
 * @param {View} view
 * @param {(entry: Entry, result: WriteResult) => void} report is called with results
 */
export function createDelivery(view, report) {
  let wait = RETRY_AFTER;
  let retry = 0;
  let running = false;
  let again = false;

  /** Send the entries of this table until none is left or one is stopped. */
  async function run() {
    if (running) {
      again = true;
      return;
    }
    running = true;
    window.clearTimeout(retry);
    do {
      again = false;
      for (let entry = first(); entry && (await deliver(entry)); entry = first()) wait = RETRY_AFTER;
    } while (again);
    running = false;
    if (first()) {
      retry = window.setTimeout(run, wait);
      wait = Math.min(wait * 2, MAX_RETRY_AFTER);
    }
  }

  /** The first entry that can be sent: none during a conflict; hands, and fouls in them, wait for the hand before. */
  function first() {
    if (conflictingHand(view, view.draft)) return undefined;
    return view.waiting.find((entry) => numberOf(entry) <= view.server.next);
  }

  /** Send an entry. Return whether the next one may be sent. @param {Entry} entry */
  async function deliver(entry) {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const endpoint = endpointOf(entry, view.server);
      if (!endpoint) return finish(entry, { kind: "back", answer: handUndone(view) });
      const answer = await send(entry, endpoint);
      if (answer.kind === "ok") return finish(entry, { kind: "saved", answer });
      if (answer.kind === "refused") return finish(entry, { kind: "back", answer });
      if (answer.kind !== "stale") {
        report(entry, { kind: "waits", answer });
        return false;
      }
      const kind = conflictOf(entry, answer.data.state);
      if (kind) return finish(entry, { kind, answer });
      entry.version = answer.data.state.version;
    }
    return false;
  }

  /** @param {Entry} entry @param {WriteResult} result */
  async function finish(entry, result) {
    view.waiting = view.waiting.filter((other) => other !== entry);
    await remove(entry);
    const state = result.answer.data?.state;
    if (state) {
      await updateVersions(view.waiting, state.version);
      adoptState(view, state);
    } else refreshState(view);
    report(entry, result);
    return result.kind !== "back";
  }

  return {
    /** Send now, without waiting for the next retry. */
    now() {
      wait = RETRY_AFTER;
      void run();
    },

    /** Delete an entry that was not sent. @param {Entry} entry */
    async withdraw(entry) {
      view.waiting = view.waiting.filter((other) => other !== entry);
      await remove(entry);
      refreshState(view);
    },

    /** Send the entries left by an earlier visit; those of other tables silently, as far as possible. */
    async resume() {
      const left = await entries();
      view.waiting = left.filter((entry) => entry.place === view.place);
      refreshState(view);
      void run();
      void sendForOtherTables(view, left.filter((entry) => entry.place !== view.place));
    },
  };
}

/** The hand number of an entry; 0 for none. @param {Entry} entry @returns {number} */
const numberOf = (entry) => (entry.kind === "penalty" ? (entry.draft.hand_number ?? 0) : entry.number);

/** The result of an entry at a newer state of the table; "" if it can still be sent. @param {Entry} entry @param {any} state */
function conflictOf(entry, state) {
  const hand = recordedHand({ state }, entry.number);
  if (entry.kind === "penalty") return "";
  if (entry.kind === "correction") return hand && hand.version === entry.draft.basis ? "" : "back";
  if (!hand) return state.may_record && state.next === entry.number ? "" : "back";
  return hand.uuid === entry.uuid ? "saved" : isSameHand(entry.draft, hand) ? "same" : "back";
}

/** The answer to a correction of a hand that was undone meanwhile. @param {View} view @returns {Answer} */
const handUndone = (view) => ({ kind: "stale", data: { state: view.server, changes: [] }, problems: [] });

/** @param {View} view @param {Entry[]} left entries of other tables, in order */
async function sendForOtherTables(view, left) {
  for (const place of new Set(left.map((entry) => entry.place))) {
    const answer = await request(tableUrl(view.setup, place));
    if (answer.kind === "ok") await sendInOrder(answer.data.state, left.filter((entry) => entry.place === place));
  }
}

/** @param {any} state of the table @param {Entry[]} waiting its entries; the rest stays once one cannot be sent */
async function sendInOrder(state, waiting) {
  for (const [at, entry] of waiting.entries()) {
    const endpoint = endpointOf(entry, state);
    const answer = endpoint && (await send(entry, endpoint));
    if (answer?.kind !== "ok") return;
    await remove(entry);
    state = answer.data.state;
    await updateVersions(waiting.slice(at + 1), state.version);
  }
}

/** URL of a table's state. @param {any} setup @param {string} place */
const tableUrl = (setup, place) => `${setup.urls.tournaments}${place}/desk/`;

/** Where to send an entry, given the table's state; null if the hand it corrects is gone. @param {Entry} entry @param {any} state @returns {Endpoint | null} */
function endpointOf(entry, state) {
  if (entry.kind === "penalty") return { method: "POST", url: state.urls.penalties };
  if (entry.kind === "hand") return { method: "POST", url: state.urls.hands };
  const hand = recordedHand({ state }, entry.number);
  return hand ? { method: "PUT", url: hand.url } : null;
}

/** @param {Entry} entry @param {Endpoint} way */
const send = (entry, { method, url }) => request(url, { ...entry.body, table_version: entry.version }, { method });

/** Set the table's version in entries. @param {Entry[]} entries @param {number} version */
async function updateVersions(entries, version) {
  for (const entry of entries) {
    entry.version = version;
    await store(entry);
  }
}
