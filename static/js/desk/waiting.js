// Applies waiting entries to the table's state, running scores included as far as they are known.

/** @typedef {import("./outbox.js").Entry} Entry */

/**
 * Payments by player, as `payments` in scoring/engine/score.py.
 * @param {number[]} players @param {number | null} winner @param {number | null} discarder null: self-drawn
 * @param {number} points @param {number} extra what each of the others pays besides @returns {Record<string, number>}
 */
export function paymentsOf(players, winner, discarder, points, extra) {
  const others = players.filter((player) => player !== winner);
  const lost = others.map((player) => [player, -extra - (discarder === null || discarder === player ? points : 0)]);
  const won = lost.reduce((sum, [, change]) => sum - change, 0);
  return Object.fromEntries([...lost, [winner, won]]);
}

/**
 * Apply entries to the server's state. Seats whose scores they change are `unsent`; `uncounted` are the hands and penalties
 * whose points are unknown.
 * @param {any} setup @param {any} server @param {Entry[]} entries
 */
export function withEntries(setup, server, entries) {
  const inOrder = [...entries].sort((a, b) => a.number - b.number); // one that returned to the form may be stored later
  return inOrder.reduce((state, entry) => withEntry(setup, state, entry), { ...server, uncounted: [] });
}

/** @param {any} setup @param {any} state @param {Entry} entry */
function withEntry(setup, state, entry) {
  if (entry.kind === "penalty") return withPenalty(state, entry);
  if (entry.kind === "correction") return withCorrection(state, entry);
  if (entry.number !== state.next || state.is_full || state.is_in) return state; // the hand before it returned to the form
  return withHand(setup, state, entry);
}

/** @param {any} state @param {Entry} entry */
function withPenalty(state, { uuid, shown }) {
  if (state.penalties.some((/** @type {any} */ penalty) => penalty.uuid === uuid)) return state; // its answer was lost
  return {
    ...withScores(state, shown, shown.effects),
    unpaid: state.unpaid + shown.unpaid,
    penalties: [...state.penalties, shown],
    restraints: shown.restraint ? [...state.restraints, shown.restraint] : state.restraints,
  };
}

/** @param {any} state @param {Entry} entry */
function withCorrection(state, { uuid, number, shown }) {
  const before = state.hands.find((/** @type {any} */ hand) => hand.number === number);
  if (!before || before.uuid === uuid) return state;
  const moved = state.seats.map(({ player }) => [player, (shown.payments[player] ?? 0) - (before.payments[player] ?? 0)]);
  const hands = state.hands.map((/** @type {any} */ hand) => (hand === before ? { ...hand, ...shown } : hand));
  return { ...withScores(state, { ...shown, number }, Object.fromEntries(moved)), hands };
}

/** @param {any} setup @param {any} state @param {Entry} entry */
function withHand(setup, state, { number, shown }) {
  const last = number === state.hands_in_all;
  const nextPlaces = setup.rotation[last ? number : number + 1];
  const now = setup.rotation[number];
  const hand = { ...shown, number, version: 0, waiting: true, round: now.round, places: now.places, before: [], by: "", reason: "" };
  const { seats, uncounted } = withScores(state, hand, shown.payments);
  return {
    ...state,
    uncounted,
    played: number,
    next: last ? number : number + 1,
    is_full: last,
    may_record: state.may_record && !last,
    round: nextPlaces.round,
    seats: seats.map((/** @type {any} */ seat) => ({ ...seat, ...nextPlaces.places[seat.player] })),
    hands: [...state.hands, hand],
    undo: { number },
  };
}

/** Change the scores, if the changes are known. @param {any} state @param {any} shown @param {Record<string, number>} changes by player */
function withScores(state, shown, changes) {
  if (shown.uncounted) return { ...state, uncounted: [...state.uncounted, shown] };
  const seats = state.seats.map((/** @type {any} */ seat) => (changes[seat.player] ? { ...seat, score: seat.score + changes[seat.player], unsent: true } : seat));
  return { ...state, seats };
}
