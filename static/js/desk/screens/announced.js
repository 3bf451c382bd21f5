// A win as it is announced: by its fans, on a screen of their own with a list in which nothing moves, or by its points alone,
// on the table. Fans picked stand above the list too; what cannot stand beside them is struck in its place.

import { h, joined, t } from "../dom.js";
import { byPoints, hasFans, selfDrawn } from "../draft.js";
import { announcementBand, bar, does, mainButton, savebar, searchField, sentences, sideButton } from "../frame.js";
import { current, doubt, isChecking, isConfirming, isFixing, isReady, LARGE, nameOf, opinion, SHORT } from "../view.js";
import { overrideField, payments, wayOf } from "./outcome.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {{key: string, name: string, other: string, search: string, points: number, most: number, barred: Record<string, number>, won: string, flower: boolean}} Fan */

const FANS = (/** @type {string} */ where) => where.startsWith("fans") || where === "override";
const WAYS = /** @type {const} */ (["points", "fans", "tiles"]);
const DIGITS = [
  [1, 2, 3, 4, 5],
  [6, 7, 8, 9, 0],
];
const FIGURE = (/** @type {string} */ where) => where === "points";

/** @param {View} view @returns {import("../frame.js").Screen} */
export function fansScreen(view) {
  const draft = current(view);
  const fixing = isFixing(view);
  const title = fixing ? t("correct_title", { number: draft.number }) : t("table", { table: view.state.table });
  return {
    header: bar(view, { back: fixing ? `#fix-${draft.number}` : "#", title, subtitle: t("hand_of", { number: draft.number, hands: view.state.hands_in_all }), clock: !fixing }),
    tight: true,
    main: [
      h("p", {}, h("b", {}, t("wins_title", { name: nameOf(view, draft.winner) })), ` · ${wayOf(view, draft.discarder)}`),
      ways(view, "fans"),
      picked(view),
      searchField("fan-search", t("search_fans"), { value: view.search, placeholder: t("search_fans"), enterkeyhint: "done" }),
      list(view),
      announcementBand(view),
    ],
    footer: footer(view),
  };
}

// --- what is picked -------------------------------------------------------------------------------------------------
/** The fans picked, dearest first. @param {View} view @returns {(Fan & {times: number})[]} */
function chosen(view) {
  const { fans } = current(view);
  const found = view.setup.fans.filter((/** @type {Fan} */ fan) => fans[fan.key]).map((/** @type {Fan} */ fan) => ({ ...fan, times: fans[fan.key] }));
  return found.sort((/** @type {Fan} */ a, /** @type {Fan} */ b) => b.points - a.points);
}

/** @param {(Fan & {times: number})[]} fans */
const sumOf = (fans) => fans.reduce((sum, fan) => sum + fan.times * fan.points, 0);

/** In a row that scrolls sideways, each to be taken off; below it what they come to and what is wrong. Always as high. @param {View} view */
function picked(view) {
  const fans = chosen(view);
  const chips = fans.map((fan) =>
    h(
      "li",
      { "data-key": fan.key },
      h("button", { class: "chip", ...does("fan-less", fan.key), "aria-label": t("take_off", { fan: fan.name }) }, fan.name, times(fan), h("b", {}, fan.times * fan.points), "×"),
    ),
  );
  return h(
    "div",
    { class: "picked" },
    h("ul", { class: "chips", "aria-label": t("fans_picked") }, chips),
    h("div", { class: "so-far", "aria-live": "polite" }, h("output", { class: "sum", "aria-label": t("points_so_far") }, sumOf(fans) || "–"), h("div", { class: "small" }, short(view, fans), ...faults(view))),
  );
}

/** @param {Fan & {times: number}} fan */
const times = (fan) => (fan.times > 1 ? h("span", { class: "quiet" }, `× ${fan.times}`) : null);

/** What is missing to the minimum, flowers aside. @param {View} view @param {(Fan & {times: number})[]} fans */
function short(view, fans) {
  const missing = view.setup.minimum - sumOf(fans.filter((fan) => !fan.flower));
  if (!fans.length || missing <= 0) return null;
  return h("p", { class: "quiet" }, t("short_of", { missing, minimum: view.setup.minimum }));
}

/** What the server has against these fans, quietly while some are still to come; how many points are, the sum says. @param {View} view */
function faults(view) {
  const found = [...view.problems.filter((problem) => FANS(problem.where)), ...(opinion(view)?.problems ?? [])].filter((problem) => problem.code !== SHORT);
  return found.map((problem) => (problem.code.includes("lacking") ? h("p", { class: "quiet" }, problem.message) : h("p", { class: "at", role: "alert" }, problem.message)));
}

// --- what there is to pick ------------------------------------------------------------------------------------------
/** The words to look for, as scoring/book/terms.py has them. @param {string} text */
const sought = (text) =>
  text.normalize("NFKD").toLowerCase().replace(/[\p{M}'’]/gu, "").replace(/[胡糊]/g, "和").split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** @param {View} view */
function list(view) {
  const wanted = sought(view.search);
  const fans = view.setup.fans.filter((/** @type {Fan} */ fan) => wanted.every((word) => fan.search.includes(word)));
  if (!fans.length) return h("p", { class: "quiet" }, t("no_fan_found"));
  return h("ul", { class: "fans" }, fans.map((/** @type {Fan} */ fan) => option(view, fan)));
}

/** @param {View} view @param {Fan} fan */
function option(view, fan) {
  const against = obstacle(view, fan);
  const gone = against ? [] : bars(view, fan);
  const had = current(view).fans[fan.key] ?? 0;
  const full = had > 0 && (had >= fan.most || fan.key in struck(view));
  const gained = gone.length ? t("instead_of", { fans: joined(gone.map((other) => other.name)) }) : fan.flower ? t("one_each") : fan.other;
  const below = had ? (full ? fan.other : t("once_more", { fan: fan.name })) : against || gained;
  const name = h("span", { class: "grow" }, h("b", {}, fan.name), h("small", {}, below));
  const marks = h("span", { class: "had" }, had > 1 ? `× ${had}` : had ? "✓" : "");
  const attributes = { class: "option", "data-fan": fan.key, "aria-pressed": had > 0, "aria-disabled": !had && Boolean(against) };
  return h("li", { "data-key": fan.key }, h("button", { ...attributes, ...(full ? { type: "button" } : does("fan", fan.key)) }, name, marks, h("span", { class: "num" }, fan.points)));
}

/** Why a fan cannot be picked now. @param {View} view @param {Fan} fan */
function obstacle(view, fan) {
  const drawn = selfDrawn(current(view));
  if (fan.won === "drawn" && !drawn) return t("only_self_drawn");
  if (fan.won === "discard" && drawn) return t("only_discarded");
  const by = chosen(view).find((other) => fan.barred[other.key] === 0 && !(other.barred[fan.key] === 0 && other.points < fan.points));
  const against = struck(view);
  if (!by && against[fan.key] === "") return t("not_beside_all");
  const key = by?.key ?? against[fan.key];
  return key ? t("not_beside", { fan: view.setup.fans.find((/** @type {Fan} */ other) => other.key === key)?.name ?? key }) : "";
}

/**
 * The fans that no hand has beside those picked, each with one of those. What was struck beside fewer stays so, while
 * the answer on these is on its way.
 * @param {View} view @returns {Record<string, string>}
 */
function struck(view) {
  const { kind, key, data } = view.opinion ?? {};
  if (kind !== "ok" || !key || !data?.struck) return {};
  const draft = current(view);
  const body = JSON.parse(key);
  const grown = Object.entries(body.fans ?? {}).every(([fan, times]) => (draft.fans[fan] ?? 0) >= Number(times));
  return grown && (body.discarder === null) === selfDrawn(draft) ? data.struck : {};
}

/** The cheaper fans that go when this one is picked. @param {View} view @param {Fan} fan */
const bars = (view, fan) => chosen(view).filter((other) => other.barred[fan.key] === 0);

/** The keys of those that go. @param {View} view @param {string} key */
export function replacedBy(view, key) {
  const fan = view.setup.fans.find((/** @type {Fan} */ other) => other.key === key);
  return fan ? bars(view, fan).map((other) => other.key) : [];
}

// --- the points -----------------------------------------------------------------------------------------------------
/** Points, fans or tiles: a habit of this device. @param {View} view @param {import("../draft.js").Depth} chosen */
export function ways(view, chosen) {
  const buttons = WAYS.map((way) => h("button", { "aria-pressed": way === chosen, ...does("by", way) }, t(`by_${way}`)));
  return h("div", { class: "seg", role: "group", "aria-label": t("by") }, buttons);
}

/** @param {View} view */
export function pointsPad(view) {
  const draft = current(view);
  const output = h("output", { class: draft.overtypes && draft.points ? "overtypes" : null, "aria-live": "polite" }, draft.points || "–");
  const figure = h("div", { class: "points" }, output, besideFigure(view));
  const less = h("button", { class: "small", ...does("digit-less"), "aria-label": t("delete_digit"), "aria-disabled": !draft.points }, "⌫");
  const clear = h("button", { class: "small", ...does("digits-clear"), "aria-disabled": !draft.points }, t("clear"));
  const rows = DIGITS.flatMap((digits, row) => [...digits.map(key), row ? clear : less]);
  return [figure, h("div", { class: "keys" }, rows)];
}

/** @param {number} digit */
const key = (digit) => h("button", { ...does("digit", digit), "data-digit": digit }, digit);

/** What there is against the figure, or to be asked about it: beside it, so that no key moves. @param {View} view */
function besideFigure(view) {
  const found = [...view.problems.filter((problem) => FIGURE(problem.where)), ...(opinion(view)?.problems ?? [])];
  const faults = [...new Set(found.map((problem) => problem.message))];
  if (faults.length) return h("small", { class: "at", role: "status" }, faults.join(" "));
  if (isConfirming(view)) return h("small", { class: "at", role: "status" }, t("large_figure", { points: LARGE }));
  return h("small", { class: "small" }, t("points_hint"));
}

/** What a player's score changes by, beyond what a hand being corrected has moved already; null while it is not known. @param {View} view @param {number} player @returns {number | null} */
export function changeOf(view, player) {
  if (!byPoints(current(view))) return null;
  const rows = opinion(view)?.data?.payments ?? [];
  const row = rows.find((/** @type {any} */ other) => other.player === player);
  return row ? row.after - row.before : null;
}

// --- the bar at the foot --------------------------------------------------------------------------------------------
/** @param {View} view */
function footer(view) {
  const draft = current(view);
  const points = opinion(view)?.data?.points || sumOf(chosen(view)) || "–";
  const rows = opinion(view)?.data?.payments;
  const none = view.state.seats.map((/** @type {any} */ seat) => ({ player: seat.player, change: 0, before: seat.score, after: seat.score }));
  const label = isFixing(view) ? t("what_changes") : t("save_hand", { number: draft.number, points });
  const notices = h("div", { class: "notices" }, sentences(view, FANS));
  return h("div", { class: "foot" }, notices, payments(view, rows?.length ? rows : none), announcedBar(view, label, hasFans(draft)));
}

/**
 * Save, or what a correction changes. Where something speaks against it the first tap puts the ways on in its place.
 * @param {View} view @param {string} label @param {boolean} [entered] whether there is anything to save
 */
export function announcedBar(view, label, entered = true) {
  const over = sideButton(t("start_over"), does("start-over"));
  if (isConfirming(view)) return confirmation(view, over);
  if (doubt(view)) return savebar(mainButton(label, does("confirm"), { disabled: Boolean(view.busy) }), over);
  if (isFixing(view)) return savebar(mainButton(label, does("tiles"), { disabled: !isReady(view) || !entered }), over, overrideField(view));
  return savebar(save(view, label), over, overrideField(view));
}

/** @param {View} view @param {Node} over */
function confirmation(view, over) {
  const how = { disabled: Boolean(view.busy) || view.resting };
  const override = does("override");
  switch (doubt(view)) {
    case "short":
      return savebar(mainButton(t("false_hu"), does("false-hu"), { ...how, danger: true }), view.state.judges ? sideButton(t("override"), override, how) : over);
    case "against":
      return savebar(mainButton(t("override"), override, how), over);
    default:
      return savebar(mainButton(t("large_yes", { points: current(view).points }), does("save"), how), over);
  }
}

/** @param {View} view @param {string} label */
function save(view, label) {
  if (!isChecking(view)) return mainButton(label, does("save"), { disabled: !isReady(view) });
  const isTapped = view.eager === current(view);
  return mainButton(isTapped ? t("saving") : label, does("save-soon"), { disabled: isTapped });
}
