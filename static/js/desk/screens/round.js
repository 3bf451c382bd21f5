// A new wind round: who moves where, as large as it can be said without standing in the way of the next hand.

import { h, mark, t } from "../dom.js";
import { recorded } from "../view.js";

/** @typedef {import("../view.js").View} View */

/** Between two rounds, until the next hand is begun; nothing at other times. @param {View} view */
export function newRound(view) {
  const { state } = view;
  const last = recorded(view, state.next - 1);
  if (!last || !state.may_record || last.round.name === state.round.name) return null;
  const rows = moves(state, last).map((text) => h("li", { "data-key": text }, text));
  const title = h("h2", {}, h("b", {}, mark(state.round.character)), t("new_round", { round: state.round.name }));
  return h("section", { class: "card stack new-round", role: "status", "data-key": "new-round" }, title, h("ul", {}, rows));
}

/** Two who change places in one line. @param {any} state @param {any} last the hand before @returns {string[]} */
function moves(state, last) {
  const side = (/** @type {any} */ seat) => last.places[seat.player].side;
  const sat = (/** @type {string} */ place) => state.seats.find((/** @type {any} */ one) => side(one) === place);
  const said = state.seats.map((/** @type {any} */ seat) => {
    const other = sat(seat.side);
    if (other.player === seat.player) return t("stays_put", { name: seat.name });
    if (sat(other.side).player !== seat.player) return t("sits_where", { name: seat.name, other: other.name });
    const [one, two] = [seat, other].sort((first, second) => first.player - second.player);
    return t("change_places", { one: one.name, two: two.name });
  });
  return [...new Set(said)];
}
