// What a hand comes to, on every screen that shows one: who won, the receipt and who pays (the same markup as
// templates/components/receipt.html and pays.html), what was announced beside what the tiles come to, what counts against
// the rulebook, and what a correction changes.

import { figure, h, joined, signed, t, tileSet } from "../dom.js";
import { sameAs } from "../draft.js";
import { does, problemsAt } from "../frame.js";
import { current, nameOf, opinion, recorded, restraint } from "../view.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {{number: number, winner: number | null, claimants: number[]}} Claimed a draft, or a hand as it is recorded */

const OVERRIDE = (/** @type {string} */ where) => where === "override";
const WHY = ["why_misheard", "why_winner", "why_discarder", "why_tiles"];

/** How the win came about: off whom, or self-drawn. @param {View} view @param {number | null} discarder */
export const wayOf = (view, discarder) => (discarder === null ? t("self_drawn") : t("from_player", { name: nameOf(view, discarder) }));

/** @param {View} view @param {import("../draft.js").Draft} draft */
export const whoWon = (view, { winner, discarder }) => `${t("wins_title", { name: nameOf(view, winner) })} · ${wayOf(view, discarder)}`;

/** Who has the tile of those who claimed it; a nearer one may have been barred. @param {View} view @param {Claimed} hand */
export function whoHasIt(view, { number, winner, claimants }) {
  if (!claimants.length) return "";
  const also = claimants.map((player) => nameOf(view, player)).join(", ");
  const passed = claimants.some((player) => restraint(view, player, number).barred);
  return t(passed ? "next_who_may_win" : "next_in_turn", { winner: nameOf(view, winner), also });
}

// --- what it is worth -----------------------------------------------------------------------------------------------
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

// --- what was announced and what the tiles come to ------------------------------------------------------------------
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
    effectTable(t("announced_and_tiles"), head, [...found.rows.map(row), sum]),
    h("ul", { class: "checks" }, found.sentences.map((/** @type {string} */ text) => h("li", { class: "part" }, text))),
    ...(choosing ? choice(view, found) : []),
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

/** Whether the tiles are counted in the comparison already, and count for nothing. @param {View} view */
export const overruled = (view) => Boolean(opinion(view)?.data?.overridden && opinion(view)?.data?.comparison);

/** Why it counts, where the umpire says that it does. @param {View} view */
export function overrideField(view) {
  const draft = current(view);
  if (!draft.overrides || !opinion(view)?.data?.overridden) return null;
  const faults = problemsAt(view, OVERRIDE);
  return h(
    "label",
    { class: "stack-form", "data-key": "override" },
    h("span", {}, h("b", {}, t("override_why")), " ", h("span", { class: "quiet" }, t("override_marked"))),
    h("input", { "data-input": "override", "data-key": "override-why", value: draft.override, maxlength: 300, autocomplete: "off", "aria-invalid": faults.length > 0 }),
    faults,
  );
}

// --- what a correction changes --------------------------------------------------------------------------------------
/** @param {View} view */
export function correction(view) {
  const draft = current(view);
  const hand = recorded(view, draft.number);
  const answer = opinion(view);
  if (!hand || !answer?.data?.payments?.length) return null;
  if (sameAs(draft, hand)) return h("p", { class: "small quiet" }, t("nothing_changes"));
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("what_changes")),
    effectTable(t("what_changes"), heading(t("scores_now")), answer.data.payments.map((/** @type {any} */ row) => effect(view, row))),
    ...follows(view, answer.data.effect),
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
const section = (title, rows) => (rows.length ? effectTable(title, heading(title), rows, title) : null);

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
