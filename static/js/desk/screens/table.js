// The table as a picture: who won, from whom. Also what there is to say when nothing can be recorded, when the wind round
// is new, and when another device was quicker.

import { h, joined, mark, signed, t } from "../dom.js";
import { byFans, byPoints, count } from "../draft.js";
import { announcementBand, banner, bar, cutOff, does, mainButton, problemsAt, savebar, sentences, sideButton, undoable, undoPenalty, waitingTag, windBadge } from "../frame.js";
import { KEYS } from "../keyboard.js";
import { canUndo, current, emptySeat, isFixing, mayCorrect, nameOf, opinion, recorded, restraint } from "../view.js";
import { announcedBar, changeOf, pointsPad, ways } from "./announced.js";
import { clockNotice, lateNotices, lateWay, standInName, whoWasThere } from "./clock.js";
import { wayOf, whoHasIt, whoWon } from "./outcome.js";
import { afterTime, scoreOf, sumOf, whoSigned } from "./sheet.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../frame.js").Screen} Screen */

const SIDES = ["north", "left", "right", "south-side"];
const WHO = (/** @type {string} */ where) => ["winner", "discarder", "outcome"].includes(where);
const SHOWN_HANDS = 3;

/** @param {View} view @returns {Screen} */
export function tableScreen(view) {
  const { state, setup } = view;
  const fixing = isFixing(view);
  const open = fixing ? state.may_correct : state.may_record;
  const idle = !fixing && current(view).outcome === null;
  const title = fixing ? t("correct_title", { number: current(view).number }) : t("table", { table: state.table });
  return {
    header: bar(view, {
      back: fixing ? `#hand-${current(view).number}` : undefined,
      title,
      subtitle: t("session_of", { session: state.session, sessions: setup.sessions }),
      clock: !fixing && state.running,
    }),
    tight: true,
    // What is tapped stands above what comes and goes, so that nothing moves under the thumb.
    main: [
      !fixing && !open ? closed(view) : null,
      picture(view, open),
      open ? question(view) : standing(view),
      ...(open ? entering(view) : []),
      open ? claims(view) : null,
      fixing ? whoWasThere(view) : null,
      idle ? newRound(view) : null,
      view.legend ? legend() : null,
      announcementBand(view),
      ...sentences(view, WHO),
      cutOff(view),
      idle ? clockNotice(view) : null,
      ...(idle ? lateNotices(view) : []),
      idle ? lateWay(view) : null,
      idle ? lastHands(view) : null,
      idle && state.running ? actions(view) : null,
      fixing ? h("div", { class: "chips bottom" }, washOut(view)) : null,
    ],
    footer: footer(view, open),
  };
}

// --- the picture and the question -----------------------------------------------------------------------------------
/** @param {View} view @param {boolean} open */
function picture(view, open) {
  const { state } = view;
  const draft = current(view);
  const hand = isFixing(view) ? recorded(view, draft.number) : null;
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
  const also = draft.outcome === "win" && draft.claimants.includes(seat.player);
  const role = won ? t("wins") : lost ? t("discarded") : also ? t("claimed_too") : "";
  const dealer = seat.wind.dealer ? h("span", { "aria-hidden": "true" }, t("dealer")) : null;
  const kind = won ? " winner" : lost ? " discarder" : "";
  const change = changeOf(view, seat.player);
  const attributes = { class: `seat ${seat.side}${kind}`, "data-key": seat.player };
  return h(
    open ? "button" : "div",
    open ? { ...attributes, ...does("seat", seat.player), "aria-pressed": won || lost || also } : attributes,
    h("span", { class: "top" }, windBadge(seat.wind), dealer, role ? h("span", { class: "role" }, role) : null),
    h("span", { class: "name" }, seat.name),
    h("span", { class: "score" }, h("span", {}, scoreOf(seat)), change === null ? null : h("b", { class: change < 0 ? "loss" : "gain" }, signed(change))),
    ...tabs(view, seat),
  );
}

/** Who sits there, and what they may not do: on the edge of the seat, so that it is no higher for it. @param {View} view @param {any} seat */
function tabs(view, seat) {
  const sits = [seat.withdrawn && t("withdrawn"), seat.stand_in && standInName(seat)].filter(Boolean);
  const against = [seat.excluded, emptySeat(view, seat.player) && t("seat_is_empty"), ...restraint(view, seat.player).marks].filter(Boolean);
  return [
    sits.length ? h("small", { class: "stand-in", title: joined(sits) }, joined(sits)) : null,
    against.length ? h("span", { class: "restraint", title: joined(against) }, joined(against)) : null,
  ];
}

/** What is asked, and what is wrong with the answer in place of the hint: always as high. @param {View} view */
function question(view) {
  const draft = current(view);
  const [asks, hint] = questionAndHint(view, draft);
  const faults = problemsAt(view, WHO);
  const small = faults.length ? faults : h("small", { class: "small" }, hint);
  const pressed = draft.decided && draft.discarder === null;
  const selfDrawn = draft.outcome === "win" ? h("button", { class: "chip", "aria-pressed": pressed, ...does("self-drawn") }, t("self_drawn")) : null;
  return h("div", { class: "asking" }, h("div", { class: "question", "aria-live": "polite" }, h("p", {}, asks), small), selfDrawn);
}

/** @param {View} view @param {import("../draft.js").Draft} draft @returns {string[]} the question and the hint */
function questionAndHint(view, draft) {
  if (draft.outcome === "draw") return [t("nobody_won", { number: draft.number }), ""];
  if (draft.outcome === null) return [t("who_won", { number: draft.number }), t("tap_winner")];
  if (!draft.decided) return [t("who_discarded"), t("tap_discarder")];
  return [whoWon(view, draft), whoHasIt(view, draft) || (draft.claiming ? t("tap_claimants") : "")];
}

/** How the win is entered and, by points, the points. @param {View} view */
function entering(view) {
  const draft = current(view);
  if (draft.outcome === "draw") return [];
  if (draft.outcome === null) return [ways(view, view.by)];
  return [ways(view, draft.by), ...(byPoints(draft) && draft.decided ? pointsPad(view) : [])];
}

/** Several claimed the same discard; who else is asked beside the picture. @param {View} view */
function claims(view) {
  const draft = current(view);
  if (draft.outcome !== "win" || draft.discarder === null) return null;
  const chip = h("button", { class: "chip", "aria-pressed": draft.claiming, ...does("claiming") }, t("others_claimed"));
  return h("div", { class: "chips" }, chip);
}

/** @param {View} view */
function washOut(view) {
  return h("button", { class: "btn", ...does("wash-out"), "aria-pressed": current(view).outcome === "draw" }, t("wash_out"));
}

// --- what stands below ----------------------------------------------------------------------------------------------
/** @param {View} view */
function actions(view) {
  return h(
    "div",
    { class: "actions bottom" },
    view.state.may_record ? washOut(view) : h("a", { class: "btn", href: view.setup.urls.tables }, t("all_tables")),
    h("button", { class: "btn danger", ...does("foul") }, t("foul")),
    h("a", { class: "btn", href: "#sheet" }, t("score_sheet")),
  );
}

/** The keys of a keyboard. */
function legend() {
  const rows = KEYS.flatMap(([names, what]) => [h("dt", {}, names.map((name) => h("kbd", {}, name))), h("dd", {}, t(what))]);
  return h("section", { class: "card stack" }, h("h2", {}, t("keys")), h("dl", { class: "facts" }, rows));
}

/** @param {View} view */
function lastHands(view) {
  const { state } = view;
  const penalty = undoable(view);
  const last = [...state.hands].reverse().slice(0, newRound(view) ? 1 : penalty ? SHOWN_HANDS - 1 : SHOWN_HANDS);
  return h(
    "ul",
    { class: "lines card snug", "aria-label": t("last_hands") },
    penalty ? h("li", { "data-key": penalty.uuid }, h("span", { class: "grow" }, h("b", {}, penalty.name), " ", t("foul_and_sanction", penalty), penalty.uncounted ? null : waitingTag(penalty)), undoPenalty(view, penalty)) : null,
    last.map((hand) =>
      h(
        "li",
        { "data-key": hand.number },
        h("b", { class: "no" }, hand.number),
        h("span", { class: "grow" }, hand.text, " ", hand.override ? h("span", { class: "tag" }, t("overridden")) : null, afterTime(hand), waitingTag(hand)),
        h("b", {}, hand.points || ""),
        lastWay(view, hand),
      ),
    ),
    h("li", { "data-key": "sum" }, h("span", { class: "grow quiet" }, sumOf(view))),
  );
}

/** The way to change a hand: undo it for a minute, then correct it. @param {View} view @param {any} hand */
function lastWay(view, hand) {
  if (canUndo(view) && view.state.undo.number === hand.number) {
    return h("button", { class: "btn", ...does("undo"), "aria-label": t("undo_label", { number: hand.number }) }, t("undo"));
  }
  if (!mayCorrect(view, hand) || hand.waiting) return null;
  return h("button", { class: "btn plain", ...does("fix", hand.number), "aria-label": `${t("correct")} ${hand.number}` }, t("correct"));
}

/** Between two rounds, until the next hand is begun; nothing at other times. @param {View} view */
function newRound(view) {
  const { state } = view;
  const last = recorded(view, state.next - 1);
  if (!last || !state.may_record || last.round.name === state.round.name) return null;
  const rows = moves(state, last).map((text) => h("li", { "data-key": text }, text));
  const title = h("h2", {}, h("b", {}, mark(state.round.character)), t("new_round", { round: state.round.name }));
  return h("section", { class: "card stack new-round", role: "status", "data-key": "new-round" }, title, h("ul", {}, rows));
}

/** Two who change places in one line. @param {any} state @param {any} last the hand before @returns {string[]} */
function moves(state, last) {
  const side = (/** @type {any} */ seat) => last.places[seat.player].side;
  const sat = (/** @type {string} */ place) => state.seats.find((/** @type {any} */ other) => side(other) === place);
  const lines = state.seats.map((/** @type {any} */ seat) => {
    const other = sat(seat.side);
    if (other.player === seat.player) return t("stays_put", { name: seat.name });
    if (sat(other.side).player !== seat.player) return t("sits_where", { name: seat.name, other: other.name });
    const [first, second] = [seat, other].sort((a, b) => a.player - b.player);
    return t("change_places", { one: first.name, two: second.name });
  });
  return [...new Set(lines)];
}

// --- when nothing can be recorded -----------------------------------------------------------------------------------
/** Why nothing can be recorded here, and the way on. @param {View} view */
function closed(view) {
  const { state } = view;
  const values = { session: state.session, table: state.table };
  if (state.is_full && state.running && !state.is_in) return null;
  const again = state.may_reopen ? { action: "reopen", label: t("reopen") } : {};
  if (state.is_in && state.running) return banner({ kind: "ok", title: t("is_in", values), text: `${whoSigned(view)} ${state.may_reopen ? t("is_in_way_on") : ""}`, ...again });
  if (state.planned) return banner({ kind: "", title: t("not_started", values), text: t("not_started_way_on") });
  return banner({ kind: "", title: t("closed", values), text: t("closed_way_on") });
}

/** @param {View} view */
function standing(view) {
  const { state } = view;
  if (state.is_full && state.running && !state.is_in) {
    return h("p", { class: "question" }, t("full", { hands: state.hands_in_all }), h("small", { class: "small" }, t("full_way_on")));
  }
  return null;
}

// --- the bar at the foot --------------------------------------------------------------------------------------------
/** @param {View} view @param {boolean} open */
function footer(view, open) {
  const { state } = view;
  const draft = current(view);
  const number = draft.number;
  const over = sideButton(t("start_over"), does("start-over"));
  if (!open) {
    if (!state.is_full || state.is_in || !state.running) return savebar(h("a", { class: "btn primary", href: view.setup.urls.tables }, t("all_tables")));
    const sign = h("a", { class: "btn side", href: "#hand-in" }, t("signatures"));
    return savebar(mainButton(t("hand_in", { table: state.table }), does("hand-in"), { disabled: Boolean(view.busy) }), sign);
  }
  if (draft.outcome === null) return null;
  if (byPoints(draft)) return announcedBar(view, isFixing(view) ? t("what_changes") : t("save_hand", { number, points: draft.points || "–" }));
  if (byFans(draft)) return savebar(mainButton(t("to_fans"), does("by", "fans"), { disabled: !draft.decided }), over);
  if (draft.outcome === "win") return savebar(mainButton(t("to_tiles"), does("tiles"), { disabled: !draft.decided }), over);
  if (isFixing(view)) return savebar(mainButton(t("what_changes"), does("tiles")), over);
  return savebar(mainButton(t("save_wash_out", { number }), does("save"), { disabled: Boolean(view.busy) }), over);
}

// --- two devices ----------------------------------------------------------------------------------------------------
/** @param {View} view @param {any} theirs the hand as it is recorded @returns {import("../frame.js").Screen} */
export function conflictScreen(view, theirs) {
  const draft = current(view);
  const by = theirs.by || t("someone");
  return {
    header: bar(view, { back: "#", title: t("table", { table: view.state.table }), subtitle: t("hand_of", { number: draft.number, hands: view.state.hands_in_all }) }),
    main: [
      ...sentences(view),
      h(
        "section",
        { class: "card stack" },
        h("h2", {}, t("conflict")),
        h("p", { class: "small" }, t("conflict_hand", { number: draft.number, at: theirs.at, by })),
        h(
          "div",
          { class: "four" },
          side(t("theirs", { by }), theirs.text, theirs.points, h("button", { class: "btn", ...does("take-theirs") }, t("take_theirs"))),
          side(t("yours"), mine(view), worth(view), h("button", { class: "btn", ...does("keep-mine") }, t("keep_mine"))),
        ),
      ),
    ],
    footer: null, // where Save was there is nothing now: a second tap chooses neither
  };
}

/** One of the two: whose, what, how much, and the way to it. @param {string} whose @param {string} text @param {number} worth @param {Element} way */
const side = (whose, text, worth, way) => h("div", { class: "side stack" }, h("h3", {}, whose), h("p", { class: "small" }, text), h("p", {}, h("b", {}, points(worth))), way);

/** @param {number} worth */
const points = (worth) => (worth ? t("points_n", { points: worth }) : "");

/** @param {View} view */
function worth(view) {
  const { by, points: named } = current(view);
  return opinion(view)?.data?.receipt?.points ?? (by === "points" ? Number(named) : 0);
}

/** What is being entered, in a line. @param {View} view */
function mine(view) {
  const draft = current(view);
  if (draft.outcome === "draw") return t("wash_out");
  const from = draft.decided ? wayOf(view, draft.discarder) : "";
  const who = draft.winner === null ? "" : t("wins_title", { name: nameOf(view, draft.winner) });
  const tiles = count(draft) && !isFixing(view) ? t("the_hand", { count: count(draft) }) : "";
  return [who, from, worth(view) ? "" : tiles].filter(Boolean).join(" · ");
}
