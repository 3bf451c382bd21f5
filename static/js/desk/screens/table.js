// The screen of the table: the picture with its seats, who won from whom, points; notices when nothing can be recorded; what
// stands beside it on a wide screen; and the conflict with another device.

import { h, joinList, mark, signed, t } from "../dom.js";
import { byFans, byPoints, countTiles } from "../draft.js";
import { announcementBand, banner, bar, mainButton, offlineBanner, problemsAt, savebar, sideButton, stageOf, trigger, undoable, undoPenaltyButton, waitingTag, windBadge } from "../frame.js";
import { KEYS } from "../keyboard.js";
import { canUndo, current, currentPreview, emptySeat, isFixing, mayCorrect, nameOf, recordedHand, restraint } from "../view.js";
import { announcedBar, changeOf, depthTabs, pointsPad, saveLabel } from "./announced.js";
import { absentChips, clockNotice, lateLink, lateNotices, standInName } from "./clock.js";
import { claimText, fixingTitle, howWon, winnerText } from "./outcome.js";
import { afterTime, scoreOf, scores, signaturesText, sumOf } from "./sheet.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../frame.js").Screen} Screen */

const SIDES = ["north", "left", "right", "south-side"];
const isOutcomeField = (/** @type {string} */ where) => ["winner", "discarder", "outcome"].includes(where);
const SHOWN_HANDS = 3;

/** @param {View} view @returns {Screen} */
export function tableScreen(view) {
  const { state, setup } = view;
  const fixing = isFixing(view);
  const open = fixing ? state.may_correct : state.may_record;
  const idle = !fixing && current(view).outcome === null;
  const notices = [announcementBand(view), offlineBanner(view), ...(idle ? [clockNotice(view), ...lateNotices(view)] : [])];
  const title = fixing ? fixingTitle(view) : t("table", { table: state.table });
  return {
    header: bar(view, {
      back: fixing ? `#hand-${current(view).number}` : undefined,
      title,
      subtitle: t("session_of", { session: state.session, sessions: setup.sessions }),
      clock: !fixing && state.running,
    }),
    tight: true,
    // While a hand is entered, notices come after the controls and cover none.
    notices: idle ? notices : [],
    isField: isOutcomeField,
    main: [
      !fixing && !open ? closedBanner(view) : null,
      picture(view, open),
      open ? question(view) : fullNotice(view),
      ...(open ? entering(view) : []),
      open ? claims(view) : null,
      fixing ? absentChips(view) : null,
      ...(idle ? [] : notices),
      idle ? lateLink(view) : null,
      idle && !view.isWide ? lastHands(view, SHOWN_HANDS) : null,
      view.legend || (idle && view.isWide) ? legend() : null,
      fixing ? h("div", { class: "chips bottom" }, washOut(view)) : null,
    ],
    footer: footer(view, open),
  };
}

// --- picture and question -------------------------------------------------------------------------------------------
/** @param {View} view @param {boolean} open */
function picture(view, open) {
  const { state } = view;
  const draft = current(view);
  const hand = isFixing(view) ? recordedHand(view, draft.number) : null;
  const round = hand ? hand.round : state.round;
  const seats = state.seats.map((/** @type {any} */ seat) => ({ ...seat, ...(hand ? hand.places[seat.player] : {}) }));
  seats.sort((/** @type {any} */ a, /** @type {any} */ b) => SIDES.indexOf(a.side) - SIDES.indexOf(b.side));
  return h(
    "div",
    { class: "table", role: "group", "aria-label": t("table", { table: state.table }) },
    seats.map((/** @type {any} */ seat) => seatButton(view, seat, open)),
    h(
      "p",
      { class: "round" },
      h("b", {}, mark(round.character)),
      h("strong", {}, round.name),
      t("hand_of", { number: isFixing(view) ? draft.number : state.next, hands: state.hands_in_all }),
    ),
  );
}

/** @param {View} view @param {any} seat @param {boolean} open */
function seatButton(view, seat, open) {
  const draft = current(view);
  const won = draft.outcome === "win" && draft.winner === seat.player;
  const lost = draft.outcome === "win" && draft.discarder === seat.player;
  const isClaimant = draft.outcome === "win" && draft.claimants.includes(seat.player);
  const role = won ? t("wins") : lost ? t("discarded") : isClaimant ? t("claimed_too") : "";
  const dealer = seat.wind.dealer ? h("span", { "aria-hidden": "true" }, t("dealer")) : null;
  const kind = won ? " winner" : lost ? " discarder" : "";
  const change = changeOf(view, seat.player);
  const attributes = { class: `seat ${seat.side}${kind}`, "data-key": seat.player };
  return h(
    open ? "button" : "div",
    open ? { ...attributes, ...trigger("seat", seat.player), "aria-pressed": won || lost || isClaimant } : attributes,
    h("span", { class: "top" }, windBadge(seat.wind), dealer, role ? h("span", { class: "role" }, role) : null),
    h("span", { class: "name" }, seat.name),
    h("span", { class: "score" }, h("span", {}, scoreOf(seat)), change === null ? null : h("b", { class: change < 0 ? "loss" : "gain" }, signed(change))),
    ...tabs(view, seat),
  );
}

/** Labels of a seat: withdrawal, stand-in, restraints. They do not change its height. @param {View} view @param {any} seat */
function tabs(view, seat) {
  const attendance = [seat.withdrawn && t("withdrawn"), seat.stand_in && standInName(seat)].filter(Boolean);
  const marks = [!seat.stand_in && seat.excluded, emptySeat(view, seat.player) && t("seat_is_empty"), ...restraint(view, seat.player).marks].filter(Boolean);
  return [
    attendance.length ? h("small", { class: "stand-in", title: joinList(attendance) }, joinList(attendance)) : null,
    marks.length ? h("span", { class: "restraint", title: joinList(marks) }, joinList(marks)) : null,
  ];
}

/** The question, with problems in place of the hint. Its height is fixed. @param {View} view */
function question(view) {
  const draft = current(view);
  const [text, hint] = questionAndHint(view, draft);
  const faults = problemsAt(view, isOutcomeField);
  const small = faults.length ? faults : h("small", { class: draft.outcome === null && isNewRound(view) ? "small new-round" : "small" }, hint);
  const pressed = draft.decided && draft.discarder === null;
  const selfDrawn = draft.outcome === "win" ? h("button", { class: "chip", "aria-pressed": pressed, ...trigger("self-drawn") }, t("self_drawn")) : null;
  return h("div", { class: "question-row" }, h("div", { class: "question", "aria-live": "polite" }, h("p", {}, text), small), selfDrawn);
}

/** @param {View} view @param {import("../draft.js").Draft} draft @returns {string[]} the question and the hint */
function questionAndHint(view, draft) {
  if (draft.outcome === "draw") return [t("nobody_won", { number: draft.number }), ""];
  if (draft.outcome === "pending") return [t("disputed_hand"), t("plays_on")];
  if (draft.outcome === null) return [t("who_won", { number: draft.number }), isNewRound(view) ? t("new_round", { round: view.state.round.name }) : t("tap_winner")];
  if (!draft.decided) return [t("who_discarded"), t("tap_discarder")];
  return [winnerText(view, draft), claimText(view, draft) || (draft.claiming ? t("tap_claimants") : "")];
}

/** The choice of depth and, by points, the keypad. @param {View} view */
function entering(view) {
  const draft = current(view);
  if (draft.outcome === "draw" || draft.outcome === "pending") return [];
  if (draft.outcome === null) return [depthTabs(view, view.by)];
  return [depthTabs(view, draft.by), ...(byPoints(draft) && draft.decided ? pointsPad(view) : [])];
}

/** The chips to enter further claimants of the discard, and to leave a disputed hand to the committee. @param {View} view */
function claims(view) {
  const draft = current(view);
  if (draft.outcome !== "win" || !draft.decided) return null;
  const others = draft.discarder === null ? null : h("button", { class: "chip", "aria-pressed": draft.claiming, ...trigger("claiming") }, t("others_claimed"));
  const disputed = isFixing(view) ? null : h("button", { class: "chip", ...trigger("disputed") }, t("disputed"));
  return others || disputed ? h("div", { class: "chips" }, others, disputed) : null;
}

/** @param {View} view */
function washOut(view) {
  return h("button", { class: "btn", ...trigger("wash-out"), "aria-pressed": current(view).outcome === "draw" }, t("wash_out"));
}

// --- below the picture, or beside it on a wide screen ---------------------------------------------------------------
/** The scores and the hands, beside the table on a wide screen. @param {View} view */
export function besideTable(view) {
  return h("aside", { class: "beside stack", "data-key": "beside", "aria-label": t("score_sheet"), tabindex: 0 }, scores(view), lastHands(view, view.state.hands.length + 1));
}

/** The keyboard shortcuts. */
function legend() {
  const rows = KEYS.flatMap(([names, what]) => [h("dt", {}, names.map((name) => h("kbd", {}, name))), h("dd", {}, t(what))]);
  return h("section", { class: "card stack legend" }, h("h2", {}, t("keys")), h("dl", { class: "facts" }, rows));
}

/** The last hands and those to be ruled on, the newest first, and what can be undone. @param {View} view @param {number} count */
function lastHands(view, count) {
  const { state } = view;
  const penalty = undoable(view);
  const shown = penalty ? count - 1 : count;
  const last = [...state.hands].reverse().filter((hand, n) => n < shown || hand.outcome === "pending");
  return h(
    "ul",
    { class: "lines card snug", "aria-label": t("last_hands") },
    penalty ? h("li", { "data-key": penalty.uuid }, h("span", { class: "grow" }, h("b", {}, penalty.name), " ", t("foul_and_sanction", penalty), penalty.uncounted ? null : waitingTag(penalty)), undoPenaltyButton(view, penalty)) : null,
    last.map((hand) =>
      h(
        "li",
        { "data-key": hand.number },
        h("b", { class: "no" }, hand.number),
        h("span", { class: "grow" }, hand.text, " ", hand.override ? h("span", { class: "tag" }, t("overridden")) : null, afterTime(hand), waitingTag(hand)),
        h("b", {}, hand.points || ""),
        lastHandButton(view, hand),
      ),
    ),
    view.isWide ? null : h("li", { "data-key": "sum" }, h("span", { class: "grow quiet" }, sumOf(view))),
  );
}

/** The button to undo the last hand, or to correct it later. @param {View} view @param {any} hand */
function lastHandButton(view, hand) {
  if (canUndo(view) && view.state.undo.number === hand.number) {
    return h("button", { class: "btn", ...trigger("undo"), "aria-label": t("undo_label", { number: hand.number }) }, t("undo"));
  }
  if (!mayCorrect(view, hand) || hand.waiting) return null;
  const word = t(hand.outcome === "pending" ? "rule" : "correct");
  return h("button", { class: "btn plain", ...trigger("fix", hand.number), "aria-label": `${word} ${hand.number}` }, word);
}

/** Whether a wind round has just begun, for which the players change seats as the picture shows. @param {View} view */
function isNewRound(view) {
  const last = recordedHand(view, view.state.next - 1);
  return Boolean(last) && view.state.may_record && stageOf(view) !== "over" && last.round.name !== view.state.round.name;
}

// --- tables at which nothing can be recorded ------------------------------------------------------------------------
/** Banner that tells why nothing can be recorded. @param {View} view */
function closedBanner(view) {
  const { state } = view;
  const values = { session: state.session, table: state.table };
  if (state.is_full && state.running && !state.is_in) return null;
  const reopen = state.may_reopen ? { action: "reopen", label: t("reopen") } : {};
  if (state.is_in && state.running) return banner({ kind: "ok", title: t("is_in", values), text: `${signaturesText(view)} ${state.may_reopen ? t("is_in_way_on") : ""}`, ...reopen });
  if (state.planned) return banner({ kind: "", title: t("not_started", values), text: t("not_started_way_on") });
  return banner({ kind: "", title: t("closed", values), text: t("closed_way_on") });
}

/** @param {View} view */
function fullNotice(view) {
  const { state } = view;
  if (state.is_full && state.running && !state.is_in) {
    return h("p", { class: "question" }, t("full", { hands: state.hands_in_all }), h("small", { class: "small" }, t("full_way_on")));
  }
  return null;
}

// --- footer ---------------------------------------------------------------------------------------------------------
/** @param {View} view @param {boolean} open */
function footer(view, open) {
  const draft = current(view);
  const number = draft.number;
  const startOver = sideButton(t("start_over"), trigger("start-over"));
  if (!open || draft.outcome === null) return idleBar(view);
  if (byPoints(draft)) return announcedBar(view, isFixing(view) ? t("what_changes") : saveLabel(number, draft.points));
  if (byFans(draft)) return savebar(mainButton(t("to_fans"), trigger("by", "fans"), { disabled: !draft.decided }), startOver);
  if (draft.outcome === "pending") return savebar(h("a", { class: "btn primary", href: "#dispute", "data-key": "main" }, t("write_claims")), startOver);
  if (draft.outcome === "win") return savebar(mainButton(t("to_tiles"), trigger("tiles"), { disabled: !draft.decided }), startOver);
  if (isFixing(view)) return savebar(mainButton(t("what_changes"), trigger("tiles")), startOver);
  return savebar(mainButton(t("save_wash_out", { number }), trigger("save"), { disabled: Boolean(view.busy) }), startOver);
}

/** The bar while no hand is entered. Its main button appears when nothing more is expected to be recorded. @param {View} view */
function idleBar(view) {
  const { state } = view;
  const mayHandIn = state.running && !state.is_in && (state.is_full || (stageOf(view) === "over" && state.played > 0));
  const primary = mayHandIn
    ? h("a", { class: "btn primary", href: "#hand-in", "data-key": "main" }, t("sign_and_hand_in"))
    : state.may_record || isFixing(view)
      ? null
      : h("a", { class: "btn primary", href: view.setup.urls.tables, "data-key": "main" }, t("all_tables"));
  return savebar(primary, null, state.running && !isFixing(view) ? actions(view) : null);
}

/** What an umpire needs at any time. @param {View} view */
function actions(view) {
  return h(
    "div",
    { class: "actions" },
    view.state.may_record ? washOut(view) : null,
    h("button", { class: "btn danger", ...trigger("foul") }, t("foul")),
    h("a", { class: "btn", href: "#sheet" }, t("score_sheet")),
  );
}

// --- conflict with another device -----------------------------------------------------------------------------------
/** @param {View} view @param {any} theirs the hand as it is recorded @returns {import("../frame.js").Screen} */
export function conflictScreen(view, theirs) {
  const draft = current(view);
  const by = theirs.by || t("someone");
  return {
    header: bar(view, { back: "#", title: t("table", { table: view.state.table }), subtitle: t("hand_of", { number: draft.number, hands: view.state.hands_in_all }) }),
    main: [
      h(
        "section",
        { class: "card stack" },
        h("h2", {}, t("conflict")),
        h("p", { class: "small" }, t("conflict_hand", { number: draft.number, at: theirs.at, by })),
        h(
          "div",
          { class: "four" },
          side(t("theirs", { by }), theirs.text, theirs.points, h("button", { class: "btn", ...trigger("take-theirs") }, t("take_theirs"))),
          side(t("yours"), draftText(view), worth(view), h("button", { class: "btn", ...trigger("keep-mine") }, t("keep_mine"))),
        ),
      ),
    ],
    footer: null, // empty, so that a double tap on Save chooses neither
  };
}

/** One of the two conflicting hands. @param {string} title @param {string} text @param {number} worth @param {Element} button */
const side = (title, text, worth, button) => h("div", { class: "side stack" }, h("h3", {}, title), h("p", { class: "small" }, text), h("p", {}, h("b", {}, points(worth))), button);

/** @param {number} worth */
const points = (worth) => (worth ? t("points_n", { points: worth }, worth) : "");

/** @param {View} view */
function worth(view) {
  const { by, points: named } = current(view);
  return currentPreview(view)?.data?.receipt?.points ?? (by === "points" ? Number(named) : 0);
}

/** The draft in a line. @param {View} view */
function draftText(view) {
  const draft = current(view);
  if (draft.outcome === "draw") return t("wash_out");
  if (draft.outcome === "pending") return t("to_be_ruled");
  const from = draft.decided ? howWon(view, draft.discarder) : "";
  const who = draft.winner === null ? "" : t("wins_title", { name: nameOf(view, draft.winner) });
  const tiles = countTiles(draft) && !isFixing(view) ? t("the_hand", { count: countTiles(draft) }) : "";
  return [who, from, worth(view) ? "" : tiles].filter(Boolean).join(" · ");
}
