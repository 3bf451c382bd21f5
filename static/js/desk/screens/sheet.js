// The score sheet: hands, penalties, scores, signatures and appeals; a hand with its versions; and the screens to cancel a
// penalty, to open an appeal and to sign.

import { figure, h, joinList, t, tileSet } from "../dom.js";
import { banner, bar, mainButton, problemsAt, savebar, seatPicker, sideButton, trigger, undoPenaltyButton } from "../frame.js";
import { currentPreview, mayCorrect, nameOf, recordedHand } from "../view.js";
import { extraTimeNote, gongCard, standInName } from "./clock.js";
import { claimText, comparison, effectTable, notCounted, overruled, payments, receipt } from "./outcome.js";

/** @typedef {import("../view.js").View} View */
/** @typedef {import("../frame.js").Screen} Screen */

const SUBJECT_FIELDS = ["hand_number", "penalty"];
const isAppealField = (/** @type {string} */ where) => ["player", "text", ...SUBJECT_FIELDS].includes(where);

/** @param {View} view @returns {Screen} */
export function sheetScreen(view) {
  const { state, setup } = view;
  return {
    header: bar(view, { back: "#", title: t("score_sheet"), subtitle: `${t("table", { table: state.table })} · ${t("session_of", { session: state.session, sessions: setup.sessions })}` }),
    main: [
      openAppealsBanner(view),
      scores(view),
      h("section", { class: "card" }, h("h2", {}, t("hands")), state.hands.length ? h("ul", { class: "lines" }, state.hands.map(handLine)) : h("p", { class: "quiet" }, t("no_hands"))),
      h("section", { class: "card" }, h("h2", {}, t("penalties")), state.penalties.length ? h("ul", { class: "lines" }, state.penalties.map((/** @type {any} */ penalty) => penaltyLine(view, penalty))) : h("p", { class: "quiet" }, t("no_penalties"))),
      state.is_in ? signaturesCard(view) : null,
      extraTimeNote(view),
      appealsCard(view),
      sheetActions(view),
      gongCard(view),
    ],
    footer: state.is_full && state.running && !state.is_in ? savebar(h("a", { class: "btn primary", href: "#hand-in", "data-key": "main" }, t("sign_and_hand_in"))) : null,
  };
}

/** What can be done from the sheet, as buttons of one width. @param {View} view */
function sheetActions(view) {
  const { state, setup } = view;
  const isOpen = state.running && !state.is_in;
  const isEarly = isOpen && !state.is_full && state.played > 0;
  return h(
    "div",
    { class: "sheet-actions" },
    isEarly ? h("a", { class: "btn", href: "#hand-in" }, t("hand_in_early", { played: state.played }, state.played)) : null,
    state.may_reopen ? h("button", { class: "btn", ...trigger("reopen") }, t("reopen")) : null,
    state.running ? h("a", { class: "btn", href: setup.urls.call }, t("call_umpire")) : null,
    state.running && state.may_record ? h("button", { class: "btn", ...trigger("disputed") }, t("refer_hand", { number: view.draft.number })) : null,
    state.may_appeal ? h("a", { class: "btn", href: "#appeal" }, t("appeal")) : null,
    state.clock && state.may_give_time ? h("a", { class: "btn", href: "#extra-time" }, t("give_extra_time")) : null,
    isOpen && state.judges ? h("a", { class: "btn", href: "#late" }, t("to_stand_in")) : null,
    h("a", { class: "btn", href: setup.urls.help, target: "_blank" }, t("help")),
  );
}

/** The running scores, the highest first. @param {View} view */
export function scores(view) {
  const { state } = view;
  const seats = [...state.seats].sort((a, b) => b.score - a.score);
  const head = h("tr", {}, h("th", { scope: "col" }, t("self_check")), h("th", { scope: "col", class: "num" }, t("points")), h("th", { scope: "col", class: "num" }, t("table_points")));
  const rows = seats.map((seat) => h("tr", { "data-key": seat.player }, h("td", {}, seat.name), h("td", { class: "num" }, h("b", {}, scoreOf(seat))), h("td", { class: "num" }, seat.table_points)));
  return h("section", { class: "card" }, effectTable(t("self_check"), head, rows), h("p", { class: "small quiet" }, sumOf(view)));
}

/** A score, marked if it includes unsent entries. @param {any} seat @returns {(Node | string)[]} */
export const scoreOf = (seat) => (seat.unsent ? [unsentMark(t("unsent")), figure(seat.score)] : [figure(seat.score)]);

/** @param {string} [label] for screen readers, where no text beside it tells */
const unsentMark = (label) => h("span", { class: "unsent", ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }) });

/** Texts on the sum of the scores, and on unsent entries in them or missing from them. @param {View} view @returns {(Node | string | null)[]} */
export function sumOf(view) {
  const { unpaid, seats, uncounted } = view.state;
  const isUnsent = seats.some((/** @type {any} */ seat) => seat.unsent);
  return [
    unpaid ? t("sum_unpaid", { sum: figure(-unpaid), points: unpaid }) : t("sum_zero"),
    isUnsent ? h("small", { class: "who" }, unsentMark(), t("scores_unsent")) : null,
    ...uncounted.map((/** @type {any} */ entry) => h("small", { class: "who at" }, entry.number ? t("scores_without_hand", entry) : t("scores_without_penalty", entry))),
  ];
}

/** @param {any} hand */
function handLine(hand) {
  const version = hand.before.length ? ` · ${t("versions_n", { n: hand.before.length })}` : "";
  return h(
    "li",
    { "data-key": hand.number },
    h("a", { href: `#hand-${hand.number}`, class: "row apart" }, h("b", {}, hand.number), h("span", { class: "grow" }, hand.text, " ", hand.override ? h("span", { class: "tag" }, t("overridden")) : null, afterTime(hand), h("small", { class: "quiet who" }, `${hand.at} ${hand.by}${version}`)), h("b", {}, hand.points || "")),
  );
}

/** Marks a hand saved after time. @param {any} hand */
export const afterTime = (hand) => (hand.saved_in ? h("span", { class: "pill bad" }, t("after_time")) : null);

/** @param {View} view @param {any} penalty */
function penaltyLine(view, penalty) {
  const where = penalty.hand ? ` · ${t("in_hand", { number: penalty.hand })}` : "";
  const unpaid = penalty.unpaid > 0 ? ` · ${t("paid_to_nobody", { points: penalty.unpaid })}` : "";
  const about = penalty.cancelled ? t("cancelled", { by: penalty.cancelled_by || t("someone"), reason: penalty.cancelled_because }) : penalty.waiting ? t("waits") : `${penalty.at} ${penalty.by}`;
  return h(
    "li",
    { class: penalty.cancelled ? "struck" : null, "data-key": penalty.uuid },
    h("span", { class: "grow" }, h("b", {}, penalty.name), h("span", { class: "who" }, `${foulAndSanction(penalty)}${where}`), penalty.instead_of ? h("small", { class: "who" }, h("b", {}, t("not_as_in_book")), ` ${t("book_says", { sanction: penalty.instead_of })} ${penalty.because}`) : null, penalty.note ? h("small", { class: "who" }, penalty.note) : null, h("small", { class: "quiet who" }, `${about}${unpaid}`)),
    undoPenaltyButton(view, penalty) ?? cancelLink(view, penalty),
  );
}

/** @param {View} view @param {any} penalty */
function cancelLink(view, penalty) {
  if (penalty.cancelled || penalty.waiting || !view.state.may_correct || !view.state.judges) return null;
  return h("a", { class: "btn plain", href: `#cancel-${penalty.uuid}`, "aria-label": `${t("cancel_penalty")}: ${penalty.name}` }, t("cancel"));
}

/** @param {any} penalty */
const foulAndSanction = ({ foul, sanction }) => t("foul_and_sanction", { foul, sanction });

/** Who signed and handed in the sheet. @param {View} view */
function signaturesCard(view) {
  const { in_at: at, in_by: by } = view.state;
  return h(
    "section",
    { class: "card stack" },
    h("h2", {}, t("signatures")),
    h("p", {}, by ? t("handed_in_by", { at, by }) : "", " ", signaturesText(view)),
    h("a", { class: "btn", href: "#hand-in" }, t("show_signatures")),
  );
}

// --- hand -----------------------------------------------------------------------------------------------------------
/** @param {View} view @returns {Screen} */
export function handScreen(view) {
  const hand = recordedHand(view, Number(view.route.arg));
  const rows = Object.entries(hand.payments)
    .map(([player, change]) => ({ player: Number(player), change: Number(change) }))
    .sort((a, b) => Number(b.change > 0) - Number(a.change > 0) || a.change - b.change);
  return {
    header: bar(view, { back: "#sheet", title: t("hand_title", { number: hand.number }), subtitle: savedBy(hand) }),
    main: [
      h("p", { class: "question" }, hand.text, hand.points ? h("small", {}, t("points_n", { points: hand.points }, hand.points)) : null),
      hand.laid.length ? h("section", { class: "tray" }, h("div", { class: "hand tiles-m" }, hand.laid.map((/** @type {any} */ group) => tileSet(group)))) : null,
      hand.winner !== null && !hand.laid.length ? h("p", { class: "small quiet" }, t("announced")) : null,
      ...dispute(view, hand),
      disputeLink(view, hand),
      hand.claimants.length && hand.winner !== null ? h("p", { class: "small" }, claimText(view, hand)) : null,
      hand.saved_in ? banner({ kind: "bad", title: t("saved_after_time"), text: t("saved_after_time_why", { minute: hand.saved_in, minutes: view.state.minutes }) }) : null,
      hand.override ? banner({ kind: "gold", title: t("overridden"), text: hand.overridden }) : null,
      comparison(view, false),
      overruled(view) ? null : receipt(currentPreview(view)?.data?.receipt, view.setup.urls.fans),
      hand.outcome === "win" ? payments(view, rows) : null,
      notCounted(currentPreview(view)?.data?.receipt, view.setup.urls.fans),
      hand.reason ? banner({ kind: "gold", title: t("reason"), text: hand.reason }) : null,
      hand.before.length ? h("section", { class: "card" }, h("h2", {}, t("versions")), h("ul", { class: "lines" }, hand.before.map(versionLine))) : null,
    ],
    footer: view.state.may_correct && !hand.waiting ? savebar(mayCorrect(view, hand) ? mainButton(t(hand.outcome === "pending" ? "rule_on_hand" : "correct_title", { number: hand.number }), trigger("fix", hand.number)) : null, addTilesButton(hand)) : null,
  };
}

/** What each side of a disputed hand claims, and who rules on it. @param {View} view @param {any} hand */
function dispute(view, hand) {
  if (hand.outcome !== "pending") return [];
  const names = hand.claimants.map((/** @type {number} */ player) => nameOf(view, player));
  return [
    names.length ? h("p", { class: "small" }, t("claimed_by", { names: joinList(names) })) : null,
    h("section", { class: "card stack" }, h("h2", {}, t("what_claims")), h("p", { class: "lines-kept" }, hand.dispute)),
    view.state.may_rule ? null : h("p", { class: "small quiet" }, t("who_rules")),
  ];
}

/** The link to the page of a hand that is or was disputed, with its photographs. Players, who hold the card on the table, have none. @param {View} view @param {any} hand */
const disputeLink = (view, hand) => (view.setup.urls.disputes && !hand.waiting && [hand, ...hand.before].some(({ outcome }) => outcome === "pending") ? h("a", { class: "btn", href: `${view.setup.urls.disputes}${hand.number}/` }, t("photographs")) : null);

/** The button to add tiles to a hand recorded without. @param {any} hand */
const addTilesButton = (hand) => (hand.outcome === "win" && !hand.tiles ? sideButton(t("add_tiles"), trigger("deepen", hand.number)) : null);

/** @param {any} version */
const savedBy = ({ at, by }) => (by ? t("version_by", { at, by }) : t("version_at", { at }));

/** @param {any} version */
function versionLine(version) {
  const who = savedBy(version);
  return h("li", { "data-key": version.uuid }, h("span", { class: "grow" }, h("s", {}, version.text), h("small", { class: "quiet who" }, [who, version.dispute, version.reason].filter(Boolean).join(" · "))), h("s", {}, version.points || ""));
}

// --- cancelling a penalty -------------------------------------------------------------------------------------------
/** @param {View} view @param {any} penalty @returns {Screen} */
export function cancelScreen(view, penalty) {
  const here = (/** @type {string} */ where) => where === "reason";
  const faults = view.problems.filter((problem) => here(problem.where));
  return {
    header: bar(view, { back: "#sheet", title: t("cancel_penalty"), subtitle: penalty.name }),
    isField: here,
    main: [
      h("p", { class: "question" }, foulAndSanction(penalty), h("small", {}, t("cancel_kept"))),
      h(
        "label",
        { class: "stack-form" },
        h("b", {}, t("cancel_why")),
        h("input", { "data-input": "cancel-reason", "data-key": "cancel-reason", value: view.reason, maxlength: 300, autocomplete: "off", "aria-invalid": faults.length > 0 }),
        faults.map((problem) => h("p", { class: "at", role: "alert" }, problem.message)),
      ),
    ],
    footer: savebar(mainButton(t("cancel_penalty"), trigger("cancel-penalty", penalty.uuid), { danger: true, disabled: Boolean(view.busy) }), sideButton(t("keep_penalty"), trigger("back", "#sheet"))),
  };
}

// --- signatures -----------------------------------------------------------------------------------------------------
/** The screen to sign and hand in. @param {View} view @returns {Screen} */
export function signingScreen(view) {
  const { state } = view;
  const values = { table: state.table, played: state.played, hands: state.hands_in_all };
  const open = state.running && !state.is_in;
  const early = open && !state.is_full;
  return {
    header: bar(view, { back: early ? "#sheet" : "#", title: t("table", values), subtitle: t("signatures") }),
    main: [
      early ? h("p", { class: "question" }, t("hand_in_question", values), h("small", {}, t("hand_in_why"))) : h("p", { class: "question" }, t("sign_question")),
      h("p", { class: "small quiet" }, t("sign_hint")),
      h("ul", { class: "four signing" }, state.seats.map((/** @type {any} */ seat) => signer(view, seat))),
      h("p", { class: "small quiet" }, sumOf(view)),
      h("p", { role: "status" }, signaturesText(view)),
    ],
    footer: open ? handInBar(view, early) : null,
  };
}

/** The bar to hand in; without all signatures it asks once. @param {View} view @param {boolean} early */
function handInBar(view, early) {
  const disabled = Boolean(view.busy) || view.resting;
  if (view.handingIn) return savebar(mainButton(t("hand_in_unsigned"), trigger("hand-in"), { disabled }), sideButton(t("back"), trigger("not-yet")));
  return savebar(mainButton(t("hand_in", { table: view.state.table }), trigger("hand-in"), { disabled }), early ? h("a", { class: "btn side", href: "#" }, t("keep_playing")) : null);
}

/** A player's figures, with the button to sign or the time of the signature. @param {View} view @param {any} seat */
function signer(view, seat) {
  const score = figure(seat.score);
  const figures = [h("span", { class: "name" }, seat.name), seat.stand_in ? h("small", {}, standInName(seat)) : null, h("b", { class: "own" }, score), h("span", { class: "small" }, t("tp", { points: seat.table_points }, seat.table_points))];
  if (seat.signed) {
    return h(
      "li",
      { class: "signed", "data-key": seat.player, tabindex: -1 },
      h("div", { class: "signer" }, ...figures, h("span", { class: "pill ok" }, t("signed_at", { at: seat.signed }))),
      h("button", { class: "btn plain", ...trigger("unsign", seat.player), "aria-label": t("cancel_signature_of", { name: seat.name }) }, t("cancel_signature")),
    );
  }
  const word = seat.unsigned_because ? t("sign_again", { reason: seat.unsigned_because }) : t("sign");
  return h(
    "li",
    { "data-key": seat.player, tabindex: -1 }, // gets the focus of the button when it is gone
    h("button", { class: "signer", "data-key": "sign", ...trigger("sign", seat.player), disabled: Boolean(view.busy), "aria-label": t("sign_for", { name: seat.name, score }) }, ...figures, h("span", { class: "todo" }, word)),
    view.state.may_appeal ? h("button", { class: "btn plain", ...trigger("disagree", seat.player), "aria-label": t("disagree_of", { name: seat.name }) }, t("disagree")) : null,
  );
}

/** Text on missing signatures. @param {View} view */
export function signaturesText(view) {
  const missing = view.state.seats.filter((/** @type {any} */ seat) => !seat.signed);
  if (!missing.length) return t("signed_by_all");
  if (missing.length === view.state.seats.length) return t("signed_by_nobody");
  return t("not_signed_by", { names: joinList(missing.map((/** @type {any} */ seat) => seat.name)) });
}

// --- appeals --------------------------------------------------------------------------------------------------------
/** @param {View} view @returns {Screen} */
export function appealScreen(view) {
  const { state } = view;
  const form = view.appeal;
  return {
    header: bar(view, { back: "#sheet", title: t("appeal"), subtitle: t("table", { table: state.table }) }),
    isField: isAppealField,
    main: [
      state.appeals_at_once ? h("p", { class: "small quiet" }, t("appeals_at_once")) : null,
      state.appeals_until ? h("p", { class: "small quiet" }, t("appeals_until", { until: state.appeals_until })) : null,
      view.setup.appeal_deposit ? h("p", { class: "small quiet" }, t("appeal_deposit", { deposit: view.setup.appeal_deposit })) : null,
      h("p", { class: "question" }, t("who_appeals")),
      seatPicker(view, t("who_appeals"), form.player, "appellant"),
      ...problemsAt(view, (where) => where === "player"),
      h(
        "label",
        { class: "stack-form" },
        h("b", {}, t("about_hand")),
        h("select", { "data-input": "appeal-about", "data-key": "appeal-about", "aria-invalid": view.problems.some((problem) => SUBJECT_FIELDS.includes(problem.where)) }, h("option", { value: "", selected: form.hand === null && form.penalty === null }, t("whole_sheet")), state.hands.map((/** @type {any} */ hand) => h("option", { value: hand.number, selected: form.hand === hand.number }, `${t("hand_title", { number: hand.number })}: ${hand.text}`)), appealablePenalties(view).map((/** @type {any} */ penalty) => h("option", { value: penalty.uuid, selected: form.penalty === penalty.uuid }, t("penalty_of", { name: penalty.name, foul: penalty.foul })))),
        ...problemsAt(view, (where) => SUBJECT_FIELDS.includes(where)),
      ),
      h(
        "label",
        { class: "stack-form" },
        h("b", {}, t("appeal_text")),
        h("textarea", { "data-input": "appeal-text", "data-key": "appeal-text", rows: 4, maxlength: 2000, "aria-invalid": view.problems.some((problem) => problem.where === "text") }, form.text),
        ...problemsAt(view, (where) => where === "text"),
      ),
    ],
    footer: savebar(mainButton(form.player === null ? t("choose_player") : t("open_appeal"), trigger("appeal"), { disabled: form.player === null || Boolean(view.busy) })),
  };
}

/** Penalties that can be appealed against. @param {View} view */
const appealablePenalties = (view) => view.state.penalties.filter((/** @type {any} */ penalty) => !penalty.cancelled);

/** The appeals of this table, with the link to the rulings. @param {View} view */
function appealsCard(view) {
  const { state, setup } = view;
  if (!state.appeals.length && !state.is_final) return null;
  const open = state.appeals.some((/** @type {any} */ appeal) => appeal.open);
  return h(
    "section",
    { class: "card stack" },
    h("h2", {}, t("appeals")),
    state.is_final ? h("p", { class: "small quiet" }, t("result_final")) : null,
    state.appeals.length ? h("ul", { class: "lines" }, state.appeals.map(appealLine)) : null,
    open ? h("a", { class: "btn", href: setup.urls.appeals }, t("to_rulings")) : null,
  );
}

/** @param {any} appeal */
function appealLine(appeal) {
  const where = appeal.hand ? ` · ${t("in_hand", { number: appeal.hand })}` : appeal.penalty ? ` · ${t("against_penalty")}` : "";
  const pill = h("span", { class: `pill ${appeal.open ? "bad" : appeal.state === "dismissed" ? "open" : "ok"}` }, t(`appeal_${appeal.state}`));
  return h("li", { "data-key": appeal.uuid }, h("span", { class: "grow" }, h("b", {}, appeal.name), where, h("span", { class: "who" }, pill), h("span", { class: "who" }, appeal.text), appeal.ruling ? h("span", { class: "who" }, [appeal.ruling, appeal.settled_because].filter(Boolean).join(" · ")) : null, h("small", { class: "quiet who" }, `${appeal.at} ${appeal.by}`)));
}

/** A banner if there are open appeals. @param {View} view */
function openAppealsBanner(view) {
  const open = view.state.appeals.filter((/** @type {any} */ appeal) => appeal.open);
  if (!open.length) return null;
  const areRuled = open.every((/** @type {any} */ appeal) => appeal.state === "pending");
  return banner({ kind: "bad", title: t(areRuled ? "to_carry_out" : "under_appeal"), text: joinList(open.map((/** @type {any} */ appeal) => appeal.name)), href: view.setup.urls.appeals, label: t("to_rulings") });
}
