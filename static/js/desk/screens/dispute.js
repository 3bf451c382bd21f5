// The screen of a disputed hand: who claims it, and what each side says. The table plays on, and the committee rules later.

import { h, t } from "../dom.js";
import { countTiles } from "../draft.js";
import { bar, mainButton, problemsAt, savebar, sideButton, trigger, windBadge } from "../frame.js";
import { current } from "../view.js";

/** @typedef {import("../view.js").View} View */

const isDisputeField = (/** @type {string} */ where) => ["claimants", "dispute"].includes(where);

/** @param {View} view @returns {import("../frame.js").Screen} */
export function disputeScreen(view) {
  const draft = current(view);
  const { number } = draft;
  const isWritten = draft.dispute.trim() !== "";
  return {
    header: bar(view, { back: "#", title: t("disputed_hand"), subtitle: t("hand_of", { number, hands: view.state.hands_in_all }) }),
    isField: isDisputeField,
    main: [
      h("p", { class: "question" }, t("who_claims", { number }), h("small", {}, t("plays_on"))),
      h(
        "div",
        { class: "four", role: "group", "aria-label": t("who_claims", { number }) },
        view.state.seats.map((/** @type {any} */ seat) =>
          h("button", { class: "pick", "aria-pressed": draft.claimants.includes(seat.player), "data-key": seat.player, ...trigger("claims", seat.player) }, windBadge(seat.wind), h("span", {}, seat.name)),
        ),
      ),
      ...problemsAt(view, (where) => where === "claimants"),
      h(
        "label",
        { class: "stack-form" },
        h("b", {}, t("what_claims")),
        h("textarea", { "data-input": "dispute", "data-key": "dispute", rows: 6, maxlength: 2000, "aria-invalid": view.problems.some((problem) => problem.where === "dispute") }, draft.dispute),
        ...problemsAt(view, (where) => where === "dispute"),
      ),
      countTiles(draft) ? h("p", { class: "small quiet" }, t("tiles_stay", { count: countTiles(draft) })) : null,
    ],
    footer: savebar(mainButton(t("save_disputed", { number }), trigger("save"), { disabled: Boolean(view.busy) || !isWritten }), sideButton(t("start_over"), trigger("start-over"))),
  };
}
