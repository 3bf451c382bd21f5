// A score as a receipt, and who pays what: the same markup as templates/components/receipt.html and pays.html.

import { h } from "../dom.js";
import { nameOf } from "../view.js";
import { figure, joined, signed, t, tileSet } from "../words.js";

/** @typedef {import("../view.js").View} View */

/** @param {any} score as verdict.js makes it; nothing for tiles that do not win */
export function receipt(score) {
  if (!score) return null;
  const lines = score.lines.map((/** @type {any} */ line) =>
    h(
      "li",
      { "data-key": line.name },
      h("span", {}, line.name, line.count > 1 ? h("span", { class: "quiet" }, ` × ${line.count}`) : null),
      h("span", { class: "tiles-xs hand fan-set" }, line.sets.map((/** @type {any[]} */ set) => tileSet(set))),
      h("span", { class: "num" }, line.points),
    ),
  );
  const sum = h(
    "li",
    { class: "sum", "data-key": "sum" },
    h("span", {}, t("points")),
    h("span", { class: "sub" }, score.note),
    h("span", { class: `num${score.enough ? "" : " loss"}` }, score.points),
  );
  return h("ul", { class: "receipt" }, lines, sum);
}

/** One tap further: what looked claimable, and the rule that removed it. @param {any} score */
export function notCounted(score) {
  /** @type {{name: string, reason: string, clause: string}[]} */
  const fans = score?.not_counted ?? [];
  if (!fans.length) return null;
  const rows = fans.map((fan) => h("li", { class: "part" }, h("span", {}, h("b", {}, fan.name), " ", fan.reason, " ", h("span", { class: "quiet" }, fan.clause))));
  const names = joined(fans.map((fan) => fan.name));
  return h("details", { "data-keep": "open" }, h("summary", {}, t("not_counted", { fans: names })), h("ul", { class: "checks" }, rows));
}

/** @param {View} view @param {{player: number, change: number, before?: number, after?: number}[] | undefined} rows */
export function payments(view, rows) {
  if (!rows?.length) return null;
  return h(
    "ul",
    { class: "pays", "aria-label": t("payments") },
    rows.map((row) =>
      h(
        "li",
        { class: row.change > 0 ? "to" : null, "data-key": row.player },
        h("span", {}, nameOf(view, row.player)),
        h("b", { class: row.change < 0 ? "loss" : null }, signed(row.change)),
        h("small", {}, row.before === undefined || row.after === undefined ? "" : `${figure(row.before)} → ${figure(row.after)}`),
      ),
    ),
  );
}
