// Entering a win as announced: by its fans, on a screen of their own, or by its points, on the table. The list of fans keeps
// its order while fans are picked; those that conflict with the picked ones are disabled.

import { h, joinList, t } from "../dom.js";
import { byPoints, hasFans, isSelfDrawn } from "../draft.js";
import { announcementBand, bar, mainButton, matching, savebar, searchField, sideButton, trigger } from "../frame.js";
import { current, currentPreview, doubt, isChecking, isConfirming, isFixing, isReady, LARGE, nameOf } from "../view.js";
import { fixingTitle, howWon, overrideField, payments } from "./outcome.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {{key: string, name: string, other: string, search: string, points: number, maximum: number, barred: Record<string, number>, won: string, flower: boolean}} Fan */

const isFansField = (/** @type {string} */ where) => where.startsWith("fans") || where === "override";
const DEPTHS = /** @type {const} */ (["points", "fans", "tiles"]);
const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const isPointsField = (/** @type {string} */ where) => where === "points";

/** @param {View} view @returns {import("../frame.js").Screen} */
export function fansScreen(view) {
  const draft = current(view);
  const fixing = isFixing(view);
  const title = fixing ? fixingTitle(view) : t("table", { table: view.state.table });
  return {
    header: bar(view, { back: fixing ? `#fix-${draft.number}` : "#", title, subtitle: t("hand_of", { number: draft.number, hands: view.state.hands_in_all }), clock: !fixing }),
    tight: true,
    notices: [],
    isField: isFansField,
    main: [
      h("p", {}, h("b", {}, t("wins_title", { name: nameOf(view, draft.winner) })), ` · ${howWon(view, draft.discarder)}`),
      depthTabs(view, "fans"),
      pickedList(view),
      searchField("fan-search", t("search_fans"), { value: view.search, placeholder: t("search_fans"), enterkeyhint: "done" }),
      list(view),
      announcementBand(view),
    ],
    footer: footer(view),
  };
}

// --- picked fans ----------------------------------------------------------------------------------------------------
/** The picked fans, most points first. @param {View} view @returns {(Fan & {times: number})[]} */
function pickedFans(view) {
  const { fans } = current(view);
  const picked = view.setup.fans.filter((/** @type {Fan} */ fan) => fans[fan.key]).map((/** @type {Fan} */ fan) => ({ ...fan, times: fans[fan.key] }));
  return picked.sort((/** @type {Fan} */ a, /** @type {Fan} */ b) => b.points - a.points);
}

/** @param {(Fan & {times: number})[]} fans */
const sumOf = (fans) => fans.reduce((sum, fan) => sum + fan.times * fan.points, 0);

/** The picked fans as chips that remove them, with their sum. Its height is fixed. @param {View} view */
function pickedList(view) {
  const fans = pickedFans(view);
  const chips = fans.map((fan) =>
    h(
      "li",
      { "data-key": fan.key },
      h("button", { class: "chip", ...trigger("fan-less", fan.key), "aria-label": t("take_off", { fan: fan.name }) }, fan.name, times(fan), h("b", {}, fan.times * fan.points), "×"),
    ),
  );
  return h(
    "div",
    { class: "picked" },
    h("ul", { class: "chips", "aria-label": t("fans_picked") }, chips),
    h("div", { class: "so-far", "aria-live": "polite" }, h("output", { class: "sum", "aria-label": t("points_so_far") }, sumOf(fans) || "–"), h("div", { class: "small" }, short(view, fans))),
  );
}

/** @param {Fan & {times: number}} fan */
const times = (fan) => (fan.times > 1 ? h("span", { class: "quiet" }, `× ${fan.times}`) : null);

/** The points missing to the minimum, without flowers. @param {View} view @param {(Fan & {times: number})[]} fans */
function short(view, fans) {
  const missing = view.setup.minimum - sumOf(fans.filter((fan) => !fan.flower));
  if (!fans.length || missing <= 0) return null;
  return h("p", { class: "quiet" }, t("short_of", { missing, minimum: view.setup.minimum }));
}

// --- list of fans ---------------------------------------------------------------------------------------------------
/** @param {View} view */
function list(view) {
  const fans = matching(view.setup.fans, view.search);
  if (!fans.length) return h("p", { class: "quiet" }, t("no_fan_found"));
  return h("ul", { class: "fans" }, fans.map((/** @type {Fan} */ fan) => option(view, fan)));
}

/** @param {View} view @param {Fan} fan */
function option(view, fan) {
  const against = reasonAgainst(view, fan);
  const replaced = against ? [] : replacedFans(view, fan);
  const count = current(view).fans[fan.key] ?? 0;
  const full = count > 0 && (count >= fan.maximum || fan.key in conflictingFans(view));
  const note = replaced.length ? t("instead_of", { fans: joinList(replaced.map((other) => other.name)) }) : fan.flower ? t("one_each") : fan.other;
  const below = count ? (full ? fan.other : t("once_more", { fan: fan.name })) : against || note;
  const name = h("span", { class: "grow" }, h("b", {}, fan.name), h("small", {}, below));
  const marks = h("span", { class: "fan-count" }, count > 1 ? `× ${count}` : count ? "✓" : "");
  const attributes = { class: "option", "data-fan": fan.key, "aria-pressed": count > 0, "aria-disabled": !count && Boolean(against) };
  return h("li", { "data-key": fan.key }, h("button", { ...attributes, ...(full ? { type: "button" } : trigger("fan", fan.key)) }, name, marks, h("span", { class: "num" }, fan.points)));
}

/** Why a fan cannot be picked; "" if it can. @param {View} view @param {Fan} fan */
function reasonAgainst(view, fan) {
  const drawn = isSelfDrawn(current(view));
  if (fan.won === "drawn" && !drawn) return t("only_self_drawn");
  if (fan.won === "discard" && drawn) return t("only_discarded");
  const by = pickedFans(view).find((other) => fan.barred[other.key] === 0 && !(other.barred[fan.key] === 0 && other.points < fan.points));
  const against = conflictingFans(view);
  if (!by && against[fan.key] === "") return t("not_beside_all");
  const key = by?.key ?? against[fan.key];
  return key ? t("not_beside", { fan: view.setup.fans.find((/** @type {Fan} */ other) => other.key === key)?.name ?? key }) : "";
}

/**
 * The fans excluded by the picked ones, by key, each with one that excludes it. Until the preview arrives the result for
 * fewer fans is used.
 * @param {View} view @returns {Record<string, string>}
 */
function conflictingFans(view) {
  const { kind, key, data } = view.preview ?? {};
  if (kind !== "ok" || !key || !data?.struck) return {};
  const draft = current(view);
  const body = JSON.parse(key);
  const isSuperset = Object.entries(body.fans ?? {}).every(([fan, times]) => (draft.fans[fan] ?? 0) >= Number(times));
  return isSuperset && (body.discarder === null) === isSelfDrawn(draft) ? data.struck : {};
}

/** The picked fans that this one would replace. @param {View} view @param {Fan} fan */
const replacedFans = (view, fan) => pickedFans(view).filter((other) => other.barred[fan.key] === 0);

/** Keys of the picked fans that a fan would replace. @param {View} view @param {string} key */
export function replacedBy(view, key) {
  const fan = view.setup.fans.find((/** @type {Fan} */ other) => other.key === key);
  return fan ? replacedFans(view, fan).map((other) => other.key) : [];
}

// --- points ---------------------------------------------------------------------------------------------------------
/** Buttons to choose points, fans or tiles. @param {View} view @param {import("../draft.js").Depth} chosen */
export function depthTabs(view, chosen) {
  const buttons = DEPTHS.map((way) => h("button", { "aria-pressed": way === chosen, ...trigger("by", way) }, t(`by_${way}`)));
  return h("div", { class: "seg", role: "group", "aria-label": t("by") }, buttons);
}

/** @param {View} view */
export function pointsPad(view) {
  const draft = current(view);
  const output = h("output", { class: draft.overtypes && draft.points ? "overtypes" : null, "aria-live": "polite" }, draft.points || "–");
  const figure = h("div", { class: "points" }, output, besideFigure(view));
  const less = h("button", { class: "small less", ...trigger("digit-less"), "aria-label": t("delete_digit"), "aria-disabled": !draft.points }, "⌫");
  const clear = h("button", { class: "small clear", ...trigger("digits-clear"), "aria-disabled": !draft.points }, t("clear"));
  return [figure, h("div", { class: "keys" }, DIGITS.map(key), clear, key(0), less)];
}

/** @param {number} digit */
const key = (digit) => h("button", { ...trigger("digit", digit), "data-digit": digit }, digit);

/** Problems of the points, or the question to confirm them, beside the figure so that no key moves. @param {View} view */
function besideFigure(view) {
  const problems = [...view.problems.filter((problem) => isPointsField(problem.where)), ...(currentPreview(view)?.problems ?? [])];
  const faults = [...new Set(problems.map((problem) => problem.message))];
  if (faults.length) return h("small", { class: "at", role: "status" }, faults.join(" "));
  if (isConfirming(view)) return h("small", { class: "at", role: "status" }, t("large_figure", { points: LARGE }));
  return h("small", { class: "small" }, t("points_hint"));
}

/** The change of a player's score, less that of the hand being corrected; null while unknown. @param {View} view @param {number} player @returns {number | null} */
export function changeOf(view, player) {
  if (!byPoints(current(view))) return null;
  const rows = currentPreview(view)?.data?.payments ?? [];
  const row = rows.find((/** @type {any} */ other) => other.player === player);
  return row ? row.after - row.before : null;
}

// --- footer ---------------------------------------------------------------------------------------------------------
/** @param {View} view @returns {Element[]} */
function footer(view) {
  const draft = current(view);
  const points = currentPreview(view)?.data?.points || sumOf(pickedFans(view));
  const rows = currentPreview(view)?.data?.payments;
  // in the order of the seats, so that no column moves while fans are picked
  const columns = view.state.seats.map((/** @type {any} */ seat) => rows?.find((/** @type {any} */ row) => row.player === seat.player) ?? { player: seat.player, change: 0, before: seat.score, after: seat.score });
  const label = isFixing(view) ? t("what_changes") : saveLabel(draft.number, points);
  // while the fans do not stand there are no payments: the reasons take their place
  const cost = h("div", { class: "cost" }, payments(view, columns), h("div", { role: "status" }, reasons(view)));
  return [cost, announcedBar(view, label, hasFans(draft))];
}

/** Why the picked fans cannot be saved as they are, or are not checked. @param {View} view */
function reasons(view) {
  const { kind, problems = [] } = currentPreview(view) ?? {};
  const all = [...view.problems.filter((problem) => isFansField(problem.where)), ...problems].map((problem) => problem.message);
  if (kind === "unreachable") all.push(t("checked_later"));
  return all.map((message) => h("p", { class: "at" }, message));
}

/** @param {number} number @param {number} points 0: unknown */
export const saveLabel = (number, points) => t("save_hand", { number, points: points || "–" }, points);

/**
 * The bar with Save or, for a correction, with the way to its effects; or with the question to confirm.
 * @param {View} view @param {string} label @param {boolean} [entered] whether there is anything to save
 */
export function announcedBar(view, label, entered = true) {
  const startOver = sideButton(t("start_over"), trigger("start-over"));
  if (isConfirming(view)) return confirmation(view, startOver);
  if (doubt(view)) return savebar(mainButton(label, trigger("confirm"), { disabled: Boolean(view.busy), doubtful: doubt(view) !== "large" }), startOver);
  if (isFixing(view)) return savebar(mainButton(label, trigger("tiles"), { disabled: !isReady(view) || !entered }), startOver, overrideField(view));
  return savebar(save(view, label), startOver, overrideField(view));
}

/** @param {View} view @param {Node} startOver */
function confirmation(view, startOver) {
  const options = { disabled: Boolean(view.busy) || view.resting };
  const override = trigger("override");
  switch (doubt(view)) {
    case "short":
      return savebar(mainButton(t("false_hu"), trigger("false-hu"), { ...options, danger: true }), view.state.judges ? sideButton(t("override"), override, options) : startOver);
    case "against":
      return savebar(mainButton(t("override"), override, options), startOver);
    default:
      return savebar(mainButton(t("large_yes", { points: current(view).points }), trigger("save"), options), startOver);
  }
}

/** @param {View} view @param {string} label */
function save(view, label) {
  if (!isChecking(view)) return mainButton(label, trigger("save"), { disabled: !isReady(view) });
  const isTapped = view.saveWhenChecked === current(view);
  return mainButton(isTapped ? t("saving") : label, trigger("save"), { disabled: true }); // until the changed figure is checked
}
