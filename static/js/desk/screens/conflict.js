// Another device was quicker: theirs beside ours, nothing lost, nothing overwritten.

import { h, t } from "../dom.js";
import { count } from "../draft.js";
import { bar, does, sentences } from "../frame.js";
import { current, isFixing, nameOf, opinion } from "../view.js";
import { wayOf } from "./winner.js";

/** @typedef {import("../view.js").View} View */

/** @param {View} view @param {any} theirs the hand as it is recorded @returns {import("../frame.js").Screen} */
export function conflictScreen(view, theirs) {
  const draft = current(view);
  const by = theirs.by || t("someone");
  return {
    header: bar(view, { back: "#", title: t("table", { table: view.state.table }), subtitle: t("hand_of", { number: draft.number, hands: view.state.hands_in_all }) }),
    main: [
      ...sentences(view),
      h(
        "section",
        { class: "card stack" },
        h("h2", {}, t("conflict")),
        h("p", { class: "small" }, t("conflict_hand", { number: draft.number, at: theirs.at, by })),
        h(
          "div",
          { class: "four" },
          side(t("theirs", { by }), theirs.text, theirs.points, h("button", { class: "btn", ...does("take-theirs") }, t("take_theirs"))),
          side(t("yours"), mine(view), worth(view), h("button", { class: "btn", ...does("keep-mine") }, t("keep_mine"))),
        ),
      ),
    ],
    footer: null, // where Save was there is nothing now: a second tap chooses neither
  };
}

/** One of the two: whose, what, how much, and the way to it. @param {string} whose @param {string} text @param {number} worth @param {Element} way */
const side = (whose, text, worth, way) => h("div", { class: "side stack" }, h("h3", {}, whose), h("p", { class: "small" }, text), h("p", {}, h("b", {}, points(worth))), way);

/** @param {number} worth */
const points = (worth) => (worth ? t("points_n", { points: worth }) : "");

/** @param {View} view */
function worth(view) {
  const { by, points: named } = current(view);
  return opinion(view)?.data?.receipt?.points ?? (by === "points" ? Number(named) : 0);
}

/** What is being entered, in a line. @param {View} view */
function mine(view) {
  const draft = current(view);
  if (draft.outcome === "draw") return t("wash_out");
  const from = draft.decided ? wayOf(view, draft.discarder) : "";
  const who = draft.winner === null ? "" : t("wins_title", { name: nameOf(view, draft.winner) });
  const tiles = count(draft) && !isFixing(view) ? t("the_hand", { count: count(draft) }) : "";
  return [who, from, worth(view) ? "" : tiles].filter(Boolean).join(" · ");
}
