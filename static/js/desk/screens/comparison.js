// What was announced beside what the tiles come to, line by line and why; the umpire says which counts.

import { h, t } from "../dom.js";
import { does } from "../frame.js";
import { current, opinion } from "../view.js";
import { overrideField } from "./override.js";

/** @typedef {import("../view.js").View} View */

/** Nothing where only the tiles are known. @param {View} view @param {boolean} choosing whether there is still something to choose */
export function comparison(view, choosing = true) {
  const found = opinion(view)?.data?.comparison;
  if (!found) return null;
  if (found.agrees) return h("p", { class: "small quiet" }, t("as_announced"));
  const head = h("tr", {}, h("th", { scope: "col" }, t("fan")), h("th", { scope: "col", class: "num" }, t("announced_column")), h("th", { scope: "col", class: "num" }, t("tiles_column")));
  const sum = h("tr", { "data-key": "sum" }, h("td", {}, h("b", {}, t("points"))), h("td", { class: "num" }, h("b", {}, found.announced)), h("td", { class: "num" }, h("b", {}, found.counted)));
  return h(
    "section",
    { class: "card stack comparison" },
    h("h2", {}, t("announced_and_tiles")),
    h("table", { class: "effect" }, h("caption", { class: "vh" }, t("announced_and_tiles")), h("thead", {}, head), h("tbody", {}, found.rows.map(row), sum)),
    h("ul", { class: "checks" }, found.sentences.map((/** @type {string} */ text) => h("li", { class: "part" }, text))),
    ...(choosing ? choice(view, found) : []),
  );
}

/** @param {{name: string, announced: number | null, counted: number}} line */
function row({ name, announced, counted }) {
  const same = announced === counted;
  const said = announced === null ? "" : announced || "–";
  return h("tr", { class: same ? "quiet" : null, "data-key": name }, h("td", {}, name), h("td", { class: "num" }, said), h("td", { class: "num" }, counted || "–"));
}

/** @param {View} view @param {{announced: number, counted: number}} found */
function choice(view, found) {
  const { overrides } = current(view);
  return [
    h(
      "div",
      { class: "seg", role: "group", "aria-label": t("which_counts") },
      h("button", { "aria-pressed": !overrides, ...does("count-tiles") }, t("count_tiles", { points: found.counted })),
      h("button", { "aria-pressed": overrides, ...does("override") }, t("count_announced", { points: found.announced })),
    ),
    overrideField(view),
    h("button", { class: "btn plain", ...does("forget-announced") }, t("forget_announced")),
  ];
}
