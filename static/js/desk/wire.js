// Where what waits in the outbox goes. An entry says what is to be done at which table; the addresses are those that the
// server gives today, so that a server that was updated meanwhile finds nothing stranded on a phone.

/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {{method: "POST" | "PUT", url: string}} Way */

/** The name of a table among all there are. @param {{tournament: string, session: number, table: number}} state */
export const placeOf = ({ tournament, session, table }) => `${tournament}/sessions/${session}/tables/${table}`;

/** Where a table tells how it stands. @param {any} setup @param {string} place */
export const deskOf = (setup, place) => `${setup.urls.tournaments}${place}/desk/`;

/** How an entry is sent to a table that stands so; null when what it changes is not there. @param {Entry} entry @param {any} state @returns {Way | null} */
export function wayOf(entry, state) {
  if (entry.kind === "penalty") return { method: "POST", url: state.urls.penalties };
  if (entry.kind === "hand") return { method: "POST", url: state.urls.hands };
  const hand = state.hands.find((/** @type {any} */ one) => one.number === entry.number);
  return hand ? { method: "PUT", url: hand.url } : null;
}
