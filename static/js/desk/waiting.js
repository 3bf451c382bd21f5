// The table as it will be: what the server last told, and on top of it what waits in the outbox.

import { t } from "./dom.js";
import { handOf } from "./draft.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {{setup: any, server: any, state: any, waiting: Entry[], fresh: string}} View  what matters of it here */
/** @typedef {{kind: string, data: any}} Opinion */

/** Put the waiting entries on top of the server's table. @param {View} view */
export function layOn(view) {
  const { server, setup } = view;
  let state = server;
  const shown = view.waiting.filter((entry) => entry.uuid !== view.fresh);
  shown.sort((one, other) => one.number - other.number); // one that came back and was changed goes before those after it
  for (const entry of shown) state = on(setup, state, entry);
  view.state = state;
}

/** @param {any} setup @param {any} state @param {Entry} entry */
function on(setup, state, entry) {
  if (entry.kind === "penalty") return { ...state, penalties: [...state.penalties, entry.shown] };
  if (entry.kind === "correction") {
    return { ...state, hands: state.hands.map((/** @type {any} */ hand) => (hand.number === entry.number ? { ...hand, ...entry.shown } : hand)) };
  }
  if (entry.number !== state.next || state.is_full || state.is_in) return state; // the one before it came back
  return after(setup, state, entry);
}

/** @param {any} setup @param {any} state @param {Entry} entry */
function after(setup, state, entry) {
  const { number } = entry;
  const last = number === state.hands_in_all;
  const coming = setup.rotation[last ? number : number + 1];
  const now = setup.rotation[number];
  const { payments } = entry.shown;
  const hand = { ...entry.shown, number, version: 0, waiting: true, round: now.round, places: now.places, before: [], by: "", reason: "" };
  return {
    ...state,
    played: number,
    next: last ? number : number + 1,
    is_full: last,
    may_record: state.may_record && !last,
    round: coming.round,
    seats: state.seats.map((/** @type {any} */ seat) => ({ ...seat, score: seat.score + (payments[seat.player] ?? 0), ...coming.places[seat.player] })),
    hands: [...state.hands, hand],
    undo: { number },
  };
}

/** A hand as the state would have it. @param {View} view @param {Draft} draft @param {Opinion | null} opinion what was made of it */
export function shownHand(view, draft, opinion) {
  const rows = opinion?.data?.payments ?? [];
  const { outcome, tiles = null, points, fans, override = "", claimants = [] } = /** @type {any} */ (handOf(draft));
  const winner = outcome === "win" ? draft.winner : null;
  return {
    uuid: draft.sent?.uuid,
    outcome,
    winner,
    discarder: winner === null ? null : draft.discarder,
    points: outcome === "draw" ? 0 : opinion?.data?.points || (points ?? 0),
    announced: fans || points ? { fans, points } : null,
    claimants,
    absent: draft.absent ?? [],
    override,
    overridden: override,
    deepens: false,
    payments: Object.fromEntries(rows.map((/** @type {any} */ row) => [row.player, row.change])),
    text: textOf(view, draft),
    tiles,
    laid: [],
    at: new Date(Date.now() + view.setup.skew).toTimeString().slice(0, 5),
    unchecked: opinion?.kind !== "ok" && outcome === "win",
  };
}

/** @param {View} view @param {Draft} draft */
function textOf(view, draft) {
  if (draft.outcome === "draw") return t("wash_out");
  const name = (/** @type {number | null} */ player) => view.state.seats.find((/** @type {any} */ seat) => seat.player === player)?.name ?? "";
  const winner = name(draft.winner);
  return draft.discarder === null ? t("won_self", { winner }) : t("won_from", { winner, discarder: name(draft.discarder) });
}

/** A penalty as the state would have it: what it costs, the server will say. @param {View} view @param {string} uuid @param {any} asked */
export function shownPenalty(view, uuid, asked) {
  const seat = view.state.seats.find((/** @type {any} */ one) => one.player === asked.player);
  const foul = view.setup.fouls.find((/** @type {any} */ one) => one.key === asked.foul);
  return {
    uuid,
    player: asked.player,
    name: seat?.name ?? "",
    foul: foul?.name ?? asked.foul,
    sanction: t("waits"),
    hand: asked.hand_number,
    effects: {},
    unpaid: 0,
    note: asked.note,
    by: "",
    at: "",
    cancelled: false,
    waiting: true,
  };
}
