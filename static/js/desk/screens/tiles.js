// Entering the tiles of the winning hand, with their score.

import { h, joinList, layMeld, t, tile, tileName, tileSet } from "../dom.js";
import { canAdd, canUse, countTiles, FLAGS, hasFlag, isAnnounced, isCertain, isExcluded, MAX_FLOWERS, SIZE, winningPlace, winningTile } from "../draft.js";
import { announcementBand, banner, bar, mainButton, problemsAt, savebar, sideButton, trigger } from "../frame.js";
import { changesNothing, current, currentPreview, isFixing, isFolded, isReady, isRuling, nameOf, recordedHand } from "../view.js";
import { depthTabs, saveLabel } from "./announced.js";
import { comparison, correction, fixingTitle, notCounted, overruled, payments, reasonField, receipt, winnerText } from "./outcome.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../frame.js").Screen} Screen */

const MODES = /** @type {const} */ (["tile", "chow", "pung", "kong", "concealed_kong"]);
const SUITS = [
  ["characters", "m"],
  ["dots", "p"],
  ["bamboos", "s"],
];
const CELLS = 14;
const isTrayField = (/** @type {string} */ where) => /^(concealed|melds|winning_tile|flowers|tiles)/.test(where);
const isChipField = (/** @type {string} */ where) => FLAGS.includes(where) || where === "self_drawn";
const isReasonField = (/** @type {string} */ where) => where === "reason";

/** @param {View} view @returns {Screen} */
export function tilesScreen(view) {
  const draft = current(view);
  const fixing = isFixing(view);
  const who = nameOf(view, draft.winner);
  const from = draft.discarder === null ? "hand_self_drawn" : "hand_from";
  const folded = isFolded(view);
  const isWashOut = draft.outcome === "draw";
  const hasNoTiles = isWashOut || isAnnounced(draft);
  return {
    header: bar(view, {
      back: fixing ? `#hand-${draft.number}` : "#",
      title: fixing ? fixingTitle(view) : t("wins_title", { name: who }),
      subtitle: isWashOut ? t("wash_out") : fixing ? winnerText(view, draft) : t(from, { number: draft.number, name: nameOf(view, draft.discarder) }),
    }),
    tight: true,
    isField: (where) => isTrayField(where) || isChipField(where) || isReasonField(where),
    main: [
      hasNoTiles ? null : tray(view, folded),
      ...problemsAt(view, isTrayField),
      hasNoTiles ? null : chips(view),
      hasNoTiles || folded ? h("div", { class: "outcome" }, result(view), fixing ? [correction(view), needsReason(view) && reasonField(view, problemsAt(view, isReasonField))] : null) : liveScore(view),
      hasNoTiles ? null : depthTabs(view, "tiles"),
    ],
    footer: hasNoTiles || folded ? footer(view) : keyboard(view),
  };
}

// --- tray -----------------------------------------------------------------------------------------------------------
/** @param {View} view @param {boolean} folded */
export function tray(view, folded) {
  const draft = current(view);
  const free = SIZE - countTiles(draft);
  const won = winningPlace(draft);
  const cells = [
    ...draft.melds.map((meld, place) => meldCell(meld, place, folded)),
    ...draft.held.map((code, place) => tileCell(code, place, place === won, folded)),
    ...Array.from({ length: Math.min(free, CELLS) }, (_none, at) => h("span", { class: "cell", "data-key": `slot-${free - at}` }, h("span", { class: at ? "slot" : "slot next" }))),
  ];
  return h("section", { class: "tray", "aria-label": t("the_hand", { count: countTiles(draft) }) }, h("div", { class: "cells" }, cells), trayFooter(view, folded, free));
}

/** @param {import("../draft.js").Meld} meld @param {number} place @param {boolean} folded */
function meldCell(meld, place, folded) {
  const key = { class: "cell meld", "data-key": `meld-${place}-${meld.tiles[0]}` };
  if (folded) return h("span", key, tileSet(layMeld(meld)));
  return h("button", { ...key, ...trigger("take-meld", place), "aria-label": t("remove_tile", { tile: meld.tiles.map(tileName).join(", ") }) }, tileSet(layMeld(meld), false));
}

/** @param {string} code @param {number} place @param {boolean} wins @param {boolean} folded */
function tileCell(code, place, wins, folded) {
  const label = t(folded ? "mark_winner" : "remove_tile", { tile: tileName(code) });
  const act = folded ? trigger("won-on", place) : trigger("take-tile", place);
  return h("button", { class: "cell", "data-key": `tile-${place}-${code}`, ...act, "aria-label": label, "aria-pressed": folded ? wins : null }, tile(code, { win: wins, named: false }));
}

/** @param {View} view @param {boolean} folded @param {number} free */
function trayFooter(view, folded, free) {
  const draft = current(view);
  const winner = winningTile(draft);
  if (folded && isFixing(view)) {
    const who = h("a", { class: "btn done", href: `#fix-${draft.number}` }, t("change_who"));
    return h("div", { class: "row apart under" }, who, h("button", { class: "btn done", ...trigger("change") }, t("change_tiles")));
  }
  const text = folded && winner ? t("won_on", { tile: tileName(winner) }) : free > 0 ? t("to_go", { count: free }) : t("tap_to_remove");
  const flowers = t("flowers", { count: draft.flowers }, draft.flowers);
  const pill = draft.flowers ? h("span", { class: "pill gold" }, flowers) : null;
  const change = folded ? ["change", "change_tiles"] : ["fold", "done"];
  const turn = free ? null : h("button", { class: "btn done", ...trigger(change[0]) }, t(change[1]));
  return h("div", { class: "row apart small under" }, h("span", { class: "grow" }, view.typing ? `${view.typing}…` : text), pill, turn);
}

// --- while the keyboard is open -------------------------------------------------------------------------------------
/** What the hand could be worth or, once it is complete, is worth. @param {View} view */
function liveScore(view) {
  const draft = current(view);
  const answer = currentPreview(view);
  const outlook = answer?.kind === "ok" ? answer.data.outlook : null;
  const problems = answer?.problems ?? [];
  if (problems.length) return h("p", { class: "live at", role: "status" }, problems.map((problem) => problem.message).join(" "));
  if (outlook) {
    const tiles = outlook.tiles.map((/** @type {string} */ code) => tile(code));
    const row = h("span", { class: "row nearly" }, t("with_tiles"), " ", tiles);
    return h("p", { class: "live", role: "status" }, h("b", { class: outlook.enough ? "" : "loss" }, outlook.points), h("span", { class: "tiles-xs grow" }, row, outlook.text));
  }
  const score = answer?.data?.receipt;
  if (score) {
    const fans = score.lines.map((/** @type {any} */ line) => `${line.name} ${line.points}`);
    return h("p", { class: "live", role: "status" }, h("b", {}, score.points), h("span", { class: "grow" }, joinList(fans)));
  }
  const text = answer?.kind === "ok" ? t("no_way") : countTiles(draft) >= 12 ? t("counting") : t("nothing_yet");
  const hint = draft.mode === "chow" ? t("chow_hint") : text;
  return h("p", { class: "live quiet", role: "status" }, answer?.kind === "unreachable" ? t("unchecked") : hint);
}

/** @param {View} view */
function chips(view) {
  const draft = current(view);
  const faults = [...view.problems, ...(currentPreview(view)?.problems ?? [])].filter((problem) => isChipField(problem.where));
  const shown = FLAGS.map((flag) => {
    const on = hasFlag(draft, flag);
    const locked = isCertain(draft, flag) || (!on && isExcluded(draft, flag));
    return h("button", { class: "chip", "aria-pressed": on, "aria-disabled": locked, ...trigger("flag", flag) }, t(flag));
  });
  const more = isFolded(view) ? h("button", { class: "chip", ...trigger("flower"), "aria-disabled": draft.flowers >= MAX_FLOWERS }, t("flower_key")) : null; // the keyboard has it too
  const less = draft.flowers ? h("button", { class: "chip", ...trigger("flower-less") }, t("one_flower_less")) : null;
  return h("div", { class: "tight-stack" }, h("div", { class: "chips", role: "group", "aria-label": t("circumstances") }, shown, more, less), faults.map((problem) => h("p", { class: "at", role: "alert" }, problem.message)));
}

/** @param {View} view */
export function keyboard(view) {
  const draft = current(view);
  const modes = MODES.map((mode) => {
    const label = mode === "concealed_kong" ? t("concealed_kong_short") : t(mode);
    return h("button", { "aria-pressed": draft.mode === mode, "aria-disabled": !canUse(draft, mode), "aria-label": t(mode), ...trigger("mode", mode) }, label);
  });
  const pads = SUITS.map(([name, suit]) => pad(view, t(name), Array.from({ length: 9 }, (_none, at) => key(view, `${at + 1}${suit}`))));
  const flower = h("button", { ...trigger("flower"), "aria-disabled": draft.flowers >= MAX_FLOWERS }, t("flower_key"));
  const back = h("button", { ...trigger("delete"), "aria-label": t("delete_last"), "aria-disabled": !countTiles(draft) }, "⌫");
  const honours = pad(view, t("honours"), [..."ESWN".split("").map((code) => key(view, code)), flower, back, ..."CFP".split("").map((code) => key(view, code))]);
  return h("div", { class: "keyboard" }, h("div", { class: "seg", role: "group", "aria-label": t("next_tap") }, modes), h("div", { class: "tilepad" }, pads, honours));
}

/** @param {View} _view @param {string} name @param {Node[]} keys */
const pad = (_view, name, keys) => h("div", { class: "pad", role: "group", "aria-label": name }, keys);

/** @param {View} view @param {string} code */
function key(view, code) {
  const draft = current(view);
  const name = draft.mode === "tile" ? tileName(code) : `${t(draft.mode)}: ${tileName(code)}`;
  return h("button", { ...trigger("key", code), "data-key": code, "aria-label": name, "aria-disabled": !canAdd(draft, code) }, tile(code, { named: false }));
}

// --- complete hands -------------------------------------------------------------------------------------------------
/** @param {View} view @returns {(Node | null)[]} */
function result(view) {
  const answer = currentPreview(view);
  const fixing = isFixing(view);
  if (answer?.kind === "unreachable" || answer?.kind === "broken") {
    const later = answer.kind === "unreachable" && !fixing;
    return [banner({ kind: later ? "gold" : "bad", title: t("unchecked"), text: t(later ? "checked_later" : "unreachable_why"), action: "recount", label: t("try_again") })];
  }
  if (!answer) return [h("p", { class: "live quiet", role: "status" }, t("counting"))];
  const { data } = answer;
  return [
    verdict(view),
    comparison(view),
    overruled(view) ? null : receipt(data?.receipt),
    fixing ? null : payments(view, data?.payments),
    notCounted(data?.receipt),
  ];
}

/** Whether a correction needs a reason: not if it only adds detail or has a new override. @param {View} view */
function needsReason(view) {
  const data = currentPreview(view)?.data;
  const saysWhy = data?.overridden && current(view).override !== recordedHand(view, current(view).number)?.override;
  return !data?.deepens && !saysWhy;
}

/** Banner that tells why the hand does not win. @param {View} view */
function verdict(view) {
  const answer = currentPreview(view);
  const problems = answer?.problems ?? [];
  const short = answer?.data?.receipt;
  if (short && !short.enough) return banner({ kind: "bad", title: short.title, text: short.why });
  if (problems.some((problem) => problem.code === "not_a_winning_hand")) return banner({ kind: "bad", title: t("not_winning"), text: t("not_winning_why") });
  const rest = problems.filter((problem) => !isChipField(problem.where));
  return rest.length ? banner({ kind: "bad", title: rest.map((problem) => problem.message).join(" ") }) : null;
}

/** @param {View} view */
function footer(view) {
  const draft = current(view);
  const answer = currentPreview(view);
  const number = draft.number;
  const points = answer?.data?.points || answer?.data?.receipt?.points || 0;
  const short = answer?.kind === "ok" && answer.problems.some((problem) => ["below_minimum", "not_a_winning_hand"].includes(problem.code));
  if (isFixing(view)) {
    const isNew = isRuling(view) || answer?.data?.deepens;
    const label = draft.outcome === "draw" ? t(isNew ? "save_wash_out" : "replace_wash_out", { number }) : t(isNew ? "save_hand" : "replace_hand", { number, points }, points);
    const hand = recordedHand(view, number);
    const keep = hand?.points ? t("keep_points", { points: hand.points }) : t("keep_it");
    return savebar(mainButton(label, trigger("save"), { disabled: !isReady(view) || changesNothing(view) }), sideButton(keep, trigger("keep", number)));
  }
  const startOver = sideButton(t("start_over"), trigger("start-over"));
  if (short) return savebar(mainButton(t("false_hu"), trigger("false-hu"), { danger: true }), startOver);
  const label = answer || isReady(view) ? saveLabel(number, points) : t("counting");
  return savebar(mainButton(label, trigger("save"), { disabled: !isReady(view) }), startOver);
}
