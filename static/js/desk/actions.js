// Handlers of taps and inputs. Each changes the view; main.js draws it afterwards.

import { t } from "./dom.js";
import * as draft from "./draft.js";
import { stageOf } from "./frame.js";
import { replacedBy } from "./screens/announced.js";
import { copySanction, currentProposal, factOf, forEachFact, withFlag, withPoints, withReceiver } from "./screens/foul.js";
import { canUndo, conflictingHand, current, currentPreview, emptyFoul, isFixing, obstacleTo, recordedHand, restraint, setCurrent, turnOf } from "./view.js";

/** @typedef {import("./view.js").View} View */

/**
 * @param {View} view @param {ReturnType<typeof import("./send.js").createSender>} send
 * @param {(hash: string) => void} go
 * @returns {Record<string, (arg: string) => void>}
 */
export function actions(view, send, go) {
  /** @param {(hand: draft.Draft) => draft.Draft} step */
  const change = (step) => setCurrent(view, step(current(view)));
  const base = () => (isFixing(view) ? `#fix-${current(view).number}` : "");
  /** @param {string} name */
  const to = (name) => go(isFixing(view) ? `#fix-${name}-${current(view).number}` : `#${name}`);
  const continueEntry = () => {
    change((hand) => draft.withImpliedFan(hand, view.setup.fans));
    const hand = current(view);
    if (!hand.decided || hand.outcome !== "win") return;
    if (draft.byPoints(hand)) go(base());
    else to(hand.by);
  };
  /** Whether the others have to wait, or the seat is empty. Also shows the problem. @param {number | null} [player] */
  const isPrevented = (player = null) => {
    const message = obstacleTo(view, player);
    view.problems = message ? [{ code: "seat_empty", where: "winner", message }] : [];
    return Boolean(message);
  };
  /** Whether a dead hand bars this player from winning. Also shows the problem. @param {number | null} player */
  const isBarred = (player) => {
    const { barred } = restraint(view, player);
    view.problems = barred ? [{ code: "dead_hand", where: "winner", message: barred }] : [];
    return Boolean(barred);
  };

  /** Add or remove a claimant of the discard. @param {number} player */
  const claimant = (player) => {
    if (isPrevented(player)) return;
    const next = draft.tapClaimant(current(view), player, turnOf(view), (other) => Boolean(restraint(view, other).barred));
    if (!isBarred(next.winner)) change(() => next);
  };

  /** Choose a claimant, or else the winner or the discarder: then the entry may continue. @param {number} player */
  const pickSeat = (player) => {
    if (current(view).claiming) claimant(player);
    if (current(view).claiming || isPrevented(player)) return false;
    const next = draft.tapSeat(current(view), player);
    if (isBarred(next.winner)) return false;
    change((hand) => ({ ...next, by: isFixing(view) ? hand.by : view.by }));
    return true;
  };

  /** Forget that the last write failed. */
  const discardUnsaved = () => Object.assign(view, { unsaved: false, notice: null });

  const startOver = () => {
    const { number, basis } = current(view);
    change(() => draft.emptyDraft(number, basis));
    view.search = "";
    discardUnsaved();
    go(base());
  };

  return {
    // who
    seat: (arg) => {
      if (pickSeat(Number(arg))) continueEntry();
    },
    "seat-key": (arg) => void pickSeat(Number(arg)), // stays at the table, so that the next key can choose what is entered
    "self-drawn": () => {
      change(draft.toggleSelfDrawn);
      continueEntry();
    },
    "wash-out": () => void (isPrevented() || change(draft.toggleWashOut)),
    disputed: () => {
      if (isPrevented()) return;
      change(draft.asDisputed);
      go("#dispute");
    },
    claims: (arg) => change((hand) => ({ ...hand, claimants: draft.toggle(hand.claimants, Number(arg)) })),
    "was-there": (arg) => change((hand) => ({ ...hand, absent: draft.toggle(hand.absent ?? [], Number(arg)) })),
    "start-over": startOver,
    tiles: () => to("tiles"),
    reason: (arg) => setCurrent(view, { ...current(view), reason: arg }),

    // points
    by: (arg) => {
      const by = /** @type {draft.Depth} */ (arg);
      if (!isFixing(view)) view.by = by;
      change((hand) => ({ ...hand, by }));
      continueEntry();
    },
    digit: (arg) => change((hand) => draft.addDigit(hand, Number(arg))),
    "digit-less": () => change(draft.removeDigit),
    "digits-clear": () => change((hand) => ({ ...hand, points: 0 })),

    // fans
    fan: (arg) => {
      change((hand) => draft.addFan(hand, arg, replacedBy(view, arg)));
      view.search = "";
    },
    "fan-less": (arg) => change((hand) => draft.removeFan(hand, arg)),

    // what was announced, against the rulebook
    override: () => change((hand) => ({ ...hand, overrides: true })),
    "count-tiles": () => change((hand) => ({ ...hand, overrides: false })),
    "forget-announced": () => change(draft.withoutAnnouncement),
    claiming: () => change((hand) => ({ ...hand, claiming: !hand.claiming })),

    // tiles
    mode: (arg) => change((hand) => (draft.canUse(hand, /** @type {draft.Mode} */ (arg)) ? { ...hand, mode: /** @type {draft.Mode} */ (arg) } : hand)),
    key: (arg) => change((hand) => draft.addTile(hand, arg)),
    flower: () => change((hand) => ({ ...hand, flowers: Math.min(hand.flowers + 1, draft.MAX_FLOWERS) })),
    "flower-less": () => change((hand) => ({ ...hand, flowers: Math.max(hand.flowers - 1, 0) })),
    delete: () => change(draft.removeLast),
    "take-tile": (arg) => change((hand) => draft.removeTile(hand, Number(arg))),
    "take-meld": (arg) => change((hand) => draft.removeMeld(hand, Number(arg))),
    "won-on": (arg) => change((hand) => ({ ...hand, wonOn: Number(arg) })),
    change: () => change((hand) => ({ ...hand, changing: true })),
    fold: () => change((hand) => ({ ...hand, changing: false })),
    flag: (arg) => change((hand) => draft.toggleFlag(hand, arg)),
    recount: () => {
      view.preview = null;
    },
    save: () => {
      const isAfterTime = !isFixing(view) && !view.state.counts_totals && stageOf(view) === "over";
      if (isAfterTime) view.asking = current(view);
      else void send.hand();
    },
    "in-time": () => {
      view.asking = null;
      void send.hand();
    },
    "not-in-time": () => {
      startOver();
      Object.assign(view, { asking: null, notice: { kind: "gold", title: t("hand_not_saved") } });
    },
    "back-to-hand": () => {
      view.asking = null;
    },
    confirm: () => (view.confirming = current(view)),
    "put-away": (key) => {
      const problems = view.problems.filter((problem) => problem.message !== key);
      if (view.notice?.title === key) view.notice = null;
      else if (problems.length < view.problems.length) view.problems = problems;
      else view.putAway = [...view.putAway, key];
    },

    // correcting
    fix: (arg) => {
      const hand = recordedHand(view, Number(arg));
      if (!view.fix || view.fix.number !== hand.number || view.fix.basis !== hand.version) view.fix = draft.asUndecided(draft.draftOf(hand));
      go(hand.outcome === "win" && hand.tiles ? `#fix-tiles-${hand.number}` : `#fix-${hand.number}`);
    },
    deepen: (arg) => {
      const hand = recordedHand(view, Number(arg));
      view.fix = /** @type {draft.Draft} */ ({ ...draft.draftOf(hand), by: "tiles" });
      go(`#fix-tiles-${hand.number}`);
    },
    keep: (arg) => {
      view.fix = null;
      discardUnsaved();
      go(`#hand-${arg}`);
    },
    "take-theirs": () => {
      const { number } = current(view);
      if (isFixing(view)) view.fix = null;
      else view.draft = draft.emptyDraft(view.state.next);
      view.notice = null;
      send.deliver.now();
      go(`#hand-${number}`);
    },
    "keep-mine": () => {
      const mine = current(view);
      const theirs = conflictingHand(view, mine);
      view.fix = { ...draft.asUndecided(mine), basis: theirs.version, sent: null, reason: mine.reason || t("two_devices") };
      if (mine === view.draft) view.draft = draft.emptyDraft(view.state.next);
      view.notice = null;
      send.deliver.now();
      go(mine.outcome === "draw" || draft.isAnnounced(mine) || !mine.decided ? `#fix-${mine.number}` : `#fix-tiles-${mine.number}`);
    },

    undo: () => void (canUndo(view) && send.undo(view.state.undo.number)),

    "extra-time": () => void send.extraTime(),

    // appeals
    appellant: (arg) => {
      view.appeal.player = Number(arg);
    },
    appeal: () => void send.appeal(),

    // the sheet
    sign: (arg) => void send.signature("sign", Number(arg)),
    unsign: (arg) => void send.signature("unsign", Number(arg)),
    "hand-in": () => {
      if (!view.handingIn && view.state.seats.some((/** @type {any} */ seat) => !seat.signed)) view.handingIn = true;
      else void send.sheet("hand_in");
    },
    "not-yet": () => {
      view.handingIn = false;
      if (view.foul) view.foul.confirming = false;
    },
    disagree: (arg) => {
      view.appeal.player = Number(arg);
      go("#appeal");
    },
    reopen: () => void send.sheet("reopen"),
    "cancel-penalty": (arg) => void send.cancel(arg),
    "cancel-again": () => void send.cancel(view.route.arg),
    back: (arg) => go(arg),

    ...foulActions(view, send, go, discardUnsaved),
  };
}

/**
 * Handlers for fouls and absences.
 * @param {View} view @param {ReturnType<typeof import("./send.js").createSender>} send
 * @param {(hash: string) => void} go
 * @param {() => void} discardUnsaved
 * @returns {Record<string, (arg: string) => void>}
 */
function foulActions(view, send, go, discardUnsaved) {
  /** @param {string} name @param {string | number | boolean | null} value */
  const fact = (name, value) => setFact(view, name, value);

  /** Open the form for the penalty of a late or absent player. @param {string} uuid */
  const openLateFoul = (uuid) => {
    const absence = view.state.absences.find((/** @type {any} */ absence) => absence.uuid === uuid);
    if (!absence) return;
    view.foul = { ...emptyFoul(null), player: absence.player, foul: "late", facts: { minutes: absence.in_all } };
    go("#foul");
  };

  /** @param {any} sanction */
  const setSanction = (sanction) => {
    if (view.foul) Object.assign(view.foul, { instead: sanction, confirming: false });
  };

  return {
    // absences
    absent: (arg) => void send.absent(Number(arg)),
    "absence-back": (arg) => void send.absenceBack(arg),
    "stand-in": (arg) => void send.standIn(Number(arg)),
    "begin-without": (arg) => void send.beginWithout(arg),
    "seated-again": (arg) => void send.seatedAgain(Number(arg)),
    arrived: (arg) => void send.arrived(arg, () => openLateFoul(arg)),
    "late-foul": (arg) => openLateFoul(arg),

    // fouls
    foul: () => {
      view.foul ??= emptyFoul(view.state.may_record ? view.state.next : null);
      go("#foul");
    },
    "close-foul": () => {
      view.foul = null;
      discardUnsaved();
      go("");
    },
    "false-hu": () => {
      const entry = view.setup.fouls.find((/** @type {any} */ foul) => foul.key === "false_hu");
      const under = entry?.cases.find((/** @type {any} */ situation) => situation.key === "under_minimum");
      const short = currentPreview(view)?.data?.receipt;
      view.foul = { ...emptyFoul(view.draft.number), player: view.draft.winner, foul: "false_hu" };
      if (under && short) fact("circumstance", under.key);
      go("#foul");
    },
    offender: (arg) => {
      if (view.foul) Object.assign(view.foul, { player: Number(arg), confirming: false });
      if (view.foul?.facts.victim === Number(arg)) fact("victim", null);
    },
    "this-foul": (arg) => {
      if (view.foul) Object.assign(view.foul, { confirming: false, foul: arg, facts: {}, search: "", instead: null, because: "" });
      view.problems = [];
    },
    "no-foul": () => {
      if (view.foul) Object.assign(view.foul, { foul: "", facts: {}, instead: null, because: "" });
    },
    ...facts(view),
    tick: (arg) => fact(arg, !view.foul?.facts[arg]),
    "change-sanction": () => {
      const proposed = currentProposal(view)?.data.proposal;
      if (view.foul && proposed) Object.assign(view.foul, { instead: copySanction(proposed.imposed), explain: !proposed.open });
    },
    "book-sanction": () => {
      if (view.foul) Object.assign(view.foul, { instead: null, because: "" });
    },
    "sanction-points": (arg) => setSanction(withPoints(view.foul?.instead, Number(arg))),
    "sanction-paid": (arg) => setSanction(withReceiver(view.foul?.instead, arg)),
    "sanction-flag": (arg) => setSanction(withFlag(view.foul?.instead, arg)),
    "confirm-foul": () => {
      if (view.foul) view.foul.confirming = true;
    },
    give: () => void send.penalty(),
    "undo-penalty": (arg) => void send.undoPenalty(arg),
  };
}

/** Handlers of inputs, by `data-input`. @param {View} view @returns {Record<string, (value: string) => void>} */
export function inputHandlers(view) {
  return {
    reason: (value) => setCurrent(view, { ...current(view), reason: value }),
    "begin-reason": (value) => {
      view.reason = value;
    },
    "cancel-reason": (value) => {
      view.reason = value;
    },
    "extra-minutes": (value) => {
      view.extra.minutes = value;
    },
    "extra-reason": (value) => {
      view.extra.reason = value;
    },
    "appeal-about": (value) => {
      view.appeal.hand = /^\d{1,2}$/.test(value) ? Number(value) : null;
      view.appeal.penalty = value.length === 36 ? value : null; // the whole sheet is neither
    },
    "appeal-text": (value) => {
      view.appeal.text = value;
    },
    dispute: (value) => setCurrent(view, { ...current(view), dispute: value }),
    override: (value) => setCurrent(view, { ...current(view), override: value }),
    "fan-search": (value) => {
      view.search = value;
    },
    search: (value) => {
      if (view.foul) view.foul.search = value;
    },
    note: (value) => {
      if (view.foul) view.foul.note = value;
    },
    "stand-in": (value) => {
      view.standIn = value;
    },
    because: (value) => {
      if (view.foul) view.foul.because = value;
    },
    "sanction-points": (value) => {
      if (view.foul?.instead) view.foul.instead = withPoints(view.foul.instead, Math.trunc(Number(value)));
    },
    ...facts(view),
    hand_number: (value) => {
      if (view.foul) view.foul.hand_number = value === "" ? null : Number(value);
    },
  };
}

/** Handlers for the facts that a foul needs, by tap or input. @param {View} view @returns {Record<string, (value: string) => void>} */
const facts = (view) => forEachFact("fact-", (name, kind) => (/** @type {string} */ value) => setFact(view, name, factOf(kind, value)));

/** @param {View} view @param {string} name @param {string | number | boolean | null} value */
function setFact(view, name, value) {
  if (view.foul) view.foul.facts = { ...view.foul.facts, [name]: value };
}
