// Signing off: each player taps their own score, then the umpire hands the sheet in. Signatures may be missing; then it says whose.

import { figure, h, t } from "../dom.js";
import { bar, does, mainButton, savebar, sentences } from "../frame.js";
import { whoSigned } from "./signed.js";
import { sumOf } from "./table.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../frame.js").Screen} Screen */

/** The last look at the sheet, with or without signatures. @param {View} view @returns {Screen} */
export function signingScreen(view) {
  const { state } = view;
  const values = { table: state.table, played: state.played, hands: state.hands_in_all };
  const open = state.running && !state.is_in;
  const early = open && !state.is_full;
  return {
    header: bar(view, { back: early ? "#sheet" : "#", title: t("table", values), subtitle: t("signatures") }),
    main: [
      ...sentences(view),
      early ? h("p", { class: "question" }, t("hand_in_question", values), h("small", {}, t("hand_in_why"))) : h("p", { class: "question" }, t("sign_question")),
      h("p", { class: "small quiet" }, t("sign_hint")),
      h("ul", { class: "four signing" }, state.seats.map((/** @type {any} */ seat) => signer(view, seat))),
      h("p", { class: "small quiet" }, sumOf(view)),
      h("p", { role: "status" }, whoSigned(view)),
    ],
    footer: open ? savebar(mainButton(t("hand_in", values), does("hand-in"), { disabled: Boolean(view.busy) }), early ? h("a", { class: "btn side", href: "#" }, t("keep_playing")) : null) : null,
  };
}

/** One seat: the player's own figures and, once signed, when. @param {View} view @param {any} seat */
function signer(view, seat) {
  const score = figure(seat.score);
  const figures = [h("span", { class: "name" }, seat.name), h("b", { class: "own" }, score), h("span", { class: "small" }, t(seat.table_points === "1" ? "one_tp" : "tp", { points: seat.table_points }))];
  if (seat.signed) {
    return h(
      "li",
      { class: "signed", "data-key": seat.player },
      h("div", { class: "signer" }, ...figures, h("span", { class: "pill ok" }, t("signed_at", { at: seat.signed }))),
      h("button", { class: "btn plain", ...does("unsign", seat.player), "aria-label": t("take_signature_back_of", { name: seat.name }) }, t("take_signature_back")),
    );
  }
  const word = seat.unsigned_because ? t("sign_again", { reason: seat.unsigned_because }) : t("sign");
  return h(
    "li",
    { "data-key": seat.player },
    h("button", { class: "signer", ...does("sign", seat.player), disabled: Boolean(view.busy), "aria-label": t("sign_for", { name: seat.name, score }) }, ...figures, h("span", { class: "todo" }, word)),
  );
}
