// Parts of screens that show a hand: winner, receipt and payments (the same markup as templates/components/receipt.html and
// pays.html), the comparison of announcement and tiles, overrides, and the effects of a correction.

import { figure, h, joinList, signed, t, tileSet } from "../dom.js";
import { problemsAt, trigger } from "../frame.js";
import { changesNothing, current, currentPreview, isRuling, nameOf, recordedHand, restraint } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {{number: number, winner: number | null, claimants: number[]}} Claimed a draft, or a hand as it is recorded */

const isOverrideField = (/** @type {string} */ where) => where === "override";
const USUAL_REASONS = ["why_misheard", "why_winner", "why_discarder", "why_tiles"];

/** The title of a correction or a ruling. @param {View} view */
export const fixingTitle = (view) => t(isRuling(view) ? "rule_on_hand" : "correct_title", { number: current(view).number });

/** "from Ada" or "self-drawn". @param {View} view @param {number | null} discarder */
export const howWon = (view, discarder) => (discarder === null ? t("self_drawn") : t("from_player", { name: nameOf(view, discarder) }));

/** @param {View} view @param {import("../draft.js").Draft} draft */
export const winnerText = (view, { winner, discarder }) => `${t("wins_title", { name: nameOf(view, winner) })} · ${howWon(view, discarder)}`;

/** Which of several claimants wins: the next in turn who is not barred. @param {View} view @param {Claimed} hand */
export function claimText(view, { number, winner, claimants }) {
  if (!claimants.length) return "";
  const others = claimants.map((player) => nameOf(view, player)).join(", ");
  const passed = claimants.some((player) => restraint(view, player, number).barred);
  return t(passed ? "next_who_may_win" : "next_in_turn", { winner: nameOf(view, winner), also: others });
}

// --- score ----------------------------------------------------------------------------------------------------------
/**
 * @param {any} score as preview.js makes it; null for tiles that do not win
 * @param {string} fans URL of the fans' pages, for links; "" for none, while a hand is entered
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

/** A link to a fan's page, in a new tab so that the desk stays open. @param {string} fans @param {{key: string, name: string}} fan */
const fanLink = (fans, { key, name }) => h("a", { class: "fan-link", href: `${fans}${key}/`, target: "_blank", rel: "noopener" }, name, h("span", { class: "vh" }, ` (${t("new_tab")})`));

/** Fans that look claimable and do not count, each with the rule, folded. @param {any} score @param {string} fans as above */
export function notCounted(score, fans = "") {
  /** @type {{key: string, name: string, reason: string, clause: string}[]} */
  const rejected = score?.not_counted ?? [];
  if (!rejected.length) return null;
  const rows = rejected.map((fan) => h("li", { class: "part" }, h("span", {}, h("b", {}, fans ? fanLink(fans, fan) : fan.name), " ", fan.reason, " ", h("span", { class: "quiet" }, fan.clause))));
  const names = joinList(rejected.map((fan) => fan.name));
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

// --- announcement and tiles -----------------------------------------------------------------------------------------
/** The comparison of announcement and tiles; null without an announcement. @param {View} view @param {boolean} choosing whether to show the choice of what counts */
export function comparison(view, choosing = true) {
  const result = currentPreview(view)?.data?.comparison;
  if (!result) return null;
  if (result.agrees) return h("p", { class: "small quiet" }, t("as_announced"));
  const head = h("tr", {}, h("th", { scope: "col" }, t("fan")), h("th", { scope: "col", class: "num" }, t("announced_column")), h("th", { scope: "col", class: "num" }, t("tiles_column")));
  const sum = h("tr", { "data-key": "sum" }, h("td", {}, h("b", {}, t("points"))), h("td", { class: "num" }, h("b", {}, result.announced)), h("td", { class: "num" }, h("b", {}, result.counted)));
  return h(
    "section",
    { class: "card stack comparison" },
    h("h2", {}, t("announced_and_tiles")),
    effectTable(t("announced_and_tiles"), head, [...result.rows.map(row), sum]),
    h("ul", { class: "checks" }, result.sentences.map((/** @type {string} */ text) => h("li", { class: "part" }, text))),
    ...(choosing ? choice(view, result) : []),
  );
}

/** A table of figures. @param {string} caption @param {Element} head @param {Element[]} rows @param {string} [key] */
export const effectTable = (caption, head, rows, key) => h("table", { class: "effect", "data-key": key }, h("caption", { class: "vh" }, caption), h("thead", {}, head), h("tbody", {}, rows));

/** @param {{name: string, announced: number | null, counted: number}} line */
function row({ name, announced, counted }) {
  const same = announced === counted;
  const named = announced === null ? "" : announced || "–";
  return h("tr", { class: same ? "quiet" : null, "data-key": name }, h("td", {}, name), h("td", { class: "num" }, named), h("td", { class: "num" }, counted || "–"));
}

/** @param {View} view @param {{announced: number, counted: number}} result */
function choice(view, result) {
  const { overrides } = current(view);
  return [
    h(
      "div",
      { class: "seg", role: "group", "aria-label": t("which_counts") },
      h("button", { "aria-pressed": !overrides, ...trigger("count-tiles") }, t("count_tiles", { points: result.counted })),
      h("button", { "aria-pressed": overrides, ...trigger("override") }, t("count_announced", { points: result.announced })),
    ),
    overrideField(view),
    h("button", { class: "btn plain", ...trigger("forget-announced") }, t("forget_announced")),
  ];
}

/** Whether the announcement counts in place of the tiles, which the comparison shows. @param {View} view */
export const overruled = (view) => Boolean(currentPreview(view)?.data?.overridden && currentPreview(view)?.data?.comparison);

/** The field for the reason of an override. @param {View} view */
export function overrideField(view) {
  const draft = current(view);
  if (!draft.overrides || !currentPreview(view)?.data?.overridden) return null;
  const faults = problemsAt(view, isOverrideField);
  return h(
    "label",
    { class: "stack-form", "data-key": "override" },
    h("span", {}, h("b", {}, t("override_why")), " ", h("span", { class: "quiet" }, t("override_marked"))),
    h("input", { "data-input": "override", "data-key": "override-why", value: draft.override, maxlength: 300, autocomplete: "off", "aria-invalid": faults.length > 0 }),
    faults,
  );
}

// --- effects of a correction ----------------------------------------------------------------------------------------
/** @param {View} view */
export function correction(view) {
  const draft = current(view);
  const hand = recordedHand(view, draft.number);
  const answer = currentPreview(view);
  if (!hand || !answer?.data?.payments?.length) return null;
  if (changesNothing(view)) return h("p", { class: "small quiet" }, t("nothing_changes"));
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("what_changes")),
    effectTable(t("what_changes"), heading(t("scores_now")), answer.data.payments.map((/** @type {any} */ row) => effect(view, row))),
    ...effectTables(view, answer.data.effect),
  );
}

/** Tables of changed table points and ranks, and notes. @param {View} view @param {any} changes */
function effectTables(view, changes) {
  if (!changes) return [];
  const shares = changes.table_points.map((/** @type {any} */ row) => effectRow(nameOf(view, row.player), row.before, row.after));
  const ranks = changes.ranks.map((/** @type {any} */ row) => effectRow(row.name, row.before ?? "–", row.after ?? "–"));
  const notes = changes.notes.map((/** @type {any} */ note) => h("li", { class: note.warns ? "part" : null, "data-key": note.text }, note.text));
  return [section(t("table_points"), shares), section(t("rank"), ranks), h("ul", { class: "checks" }, notes)];
}

/** @param {string} title @param {Element[]} rows */
const section = (title, rows) => (rows.length ? effectTable(title, heading(title), rows, title) : null);

/** @param {string} title */
const heading = (title) => h("tr", {}, h("th", { scope: "col" }, title), h("th", { scope: "col", class: "num" }, t("was")), h("th", { scope: "col", class: "num" }, t("will_be")));

/** @param {string} name @param {string | number} before @param {string | number} after */
const effectRow = (name, before, after) => h("tr", { class: before === after ? "quiet" : null, "data-key": name }, h("td", {}, name), h("td", { class: "num" }, before), h("td", { class: "num" }, before === after ? after : h("b", {}, after)));

/** @param {View} view @param {{player: number, before: number, after: number}} row */
function effect(view, { player, before, after }) {
  const change = after - before;
  const cells = change
    ? [h("b", {}, figure(after)), " ", h("span", { class: change > 0 ? "gain" : "loss" }, signed(change))]
    : [figure(after)];
  return h("tr", { class: change ? null : "quiet", "data-key": player }, h("td", {}, nameOf(view, player)), h("td", { class: "num" }, figure(before)), h("td", { class: "num" }, cells));
}

/** Usual reasons of a correction to tap, and a field for another one. @param {View} view @param {Element[]} problems */
export function reasonField(view, problems) {
  return h(
    "div",
    { class: "stack-form" },
    h("label", { for: "reason" }, h("b", {}, t("reason")), " ", h("span", { class: "quiet" }, t("reason_kept"))),
    isRuling(view) ? null : h("span", { class: "chips" }, USUAL_REASONS.map((key) => h("button", { class: "chip", ...trigger("reason", t(key)), "aria-pressed": current(view).reason === t(key) }, t(key)))),
    h("input", { "data-input": "reason", "data-key": "reason", id: "reason", value: current(view).reason, maxlength: 300, autocomplete: "off", "aria-invalid": problems.length > 0 }),
    problems,
  );
}
