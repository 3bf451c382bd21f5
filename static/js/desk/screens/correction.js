// What a correction changes, before it is confirmed, and why it is made.

import { figure, h, signed, t } from "../dom.js";
import { sameAs } from "../draft.js";
import { does } from "../frame.js";
import { current, nameOf, opinion, recorded } from "../view.js";

/** @typedef {import("../view.js").View} View */

/** @param {View} view */
export function correction(view) {
  const draft = current(view);
  const hand = recorded(view, draft.number);
  const asked = opinion(view);
  if (!hand || !asked?.data?.payments?.length) return null;
  if (sameAs(draft, hand)) return h("p", { class: "small quiet" }, t("nothing_changes"));
  const head = heading(t("scores_now"));
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("what_changes")),
    h("table", { class: "effect" }, h("caption", { class: "vh" }, t("what_changes")), h("thead", {}, head), h("tbody", {}, asked.data.payments.map((/** @type {any} */ row) => effect(view, row)))),
    ...follows(view, asked.data.effect),
  );
}

/** Table points, ranks, and what stays as it is. @param {View} view @param {any} found */
function follows(view, found) {
  if (!found) return [];
  const shares = found.table_points.map((/** @type {any} */ row) => moved(nameOf(view, row.player), row.before, row.after));
  const ranks = found.ranks.map((/** @type {any} */ row) => moved(row.name, row.before ?? "–", row.after ?? "–"));
  const notes = found.notes.map((/** @type {any} */ note) => h("li", { class: note.warns ? "part" : null, "data-key": note.text }, note.text));
  return [section(t("table_points"), shares), section(t("rank"), ranks), h("ul", { class: "checks" }, notes)];
}

/** @param {string} title @param {Element[]} rows */
const section = (title, rows) => (rows.length ? h("table", { class: "effect", "data-key": title }, h("caption", { class: "vh" }, title), h("thead", {}, heading(title)), h("tbody", {}, rows)) : null);

/** @param {string} title */
const heading = (title) => h("tr", {}, h("th", { scope: "col" }, title), h("th", { scope: "col", class: "num" }, t("was")), h("th", { scope: "col", class: "num" }, t("will_be")));

/** @param {string} name @param {string | number} before @param {string | number} after */
const moved = (name, before, after) => h("tr", { class: before === after ? "quiet" : null, "data-key": name }, h("td", {}, name), h("td", { class: "num" }, before), h("td", { class: "num" }, before === after ? after : h("b", {}, after)));

/** @param {View} view @param {{player: number, before: number, after: number}} row */
function effect(view, { player, before, after }) {
  const change = after - before;
  const will = change
    ? [h("b", {}, figure(after)), " ", h("span", { class: change > 0 ? "gain" : "loss" }, signed(change))]
    : [figure(after)];
  return h("tr", { class: change ? null : "quiet", "data-key": player }, h("td", {}, nameOf(view, player)), h("td", { class: "num" }, figure(before)), h("td", { class: "num" }, will));
}

const WHY = ["why_misheard", "why_winner", "why_discarder", "why_tiles"];

/** The usual reasons to tap, and a field for any other. @param {View} view @param {Element[]} problems */
export function reasonField(view, problems) {
  return h(
    "div",
    { class: "stack-form" },
    h("label", { for: "reason" }, h("b", {}, t("reason")), " ", h("span", { class: "quiet" }, t("reason_kept"))),
    h("span", { class: "chips" }, WHY.map((key) => h("button", { class: "chip", ...does("reason", t(key)), "aria-pressed": current(view).reason === t(key) }, t(key)))),
    h("input", { "data-input": "reason", "data-key": "reason", id: "reason", value: current(view).reason, maxlength: 300, autocomplete: "off", "aria-invalid": problems.length > 0 }),
    problems,
  );
}
