// A score as a receipt, and who pays what: the same markup as templates/components/receipt.html and pays.html.

import { figure, h, joined, signed, t, tileSet } from "../dom.js";
import { nameOf } from "../view.js";

/** @typedef {import("../view.js").View} View */

/**
 * @param {any} score as judging.js makes it; nothing for tiles that do not win
 * @param {string} fans where the fans' pages are: of a hand that is saved; none while one is entered, where a tap must lead nowhere
 */
export function receipt(score, fans = "") {
  if (!score) return null;
  const lines = score.lines.map((/** @type {any} */ line) =>
    h(
      "li",
      { "data-key": line.name },
      h("span", {}, fans ? fanLink(fans, line) : line.name, line.count > 1 ? h("span", { class: "quiet" }, ` × ${line.count}`) : null),
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

/** In a tab of its own: the desk stays as it is, with a network or without. @param {string} fans @param {{key: string, name: string}} fan */
const fanLink = (fans, { key, name }) => h("a", { class: "fan-link", href: `${fans}${key}/`, target: "_blank", rel: "noopener" }, name, h("span", { class: "vh" }, ` (${t("new_tab")})`));

/** One tap further: what looked claimable, and the rule that removed it. @param {any} score @param {string} fans as above */
export function notCounted(score, fans = "") {
  /** @type {{key: string, name: string, reason: string, clause: string}[]} */
  const left = score?.not_counted ?? [];
  if (!left.length) return null;
  const rows = left.map((fan) => h("li", { class: "part" }, h("span", {}, h("b", {}, fans ? fanLink(fans, fan) : fan.name), " ", fan.reason, " ", h("span", { class: "quiet" }, fan.clause))));
  const names = joined(left.map((fan) => fan.name));
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
