// What a tap does. Each action changes the view; main.js draws it afterwards.

import * as announced from "./announced.js";
import * as draft from "./draft.js";
import { canUndo, current, emptyFoul, isFixing, opinion, recorded, restraint, rival, setCurrent, turnOf } from "./view.js";
import { replacedBy } from "./screens/fans.js";
import { proposal } from "./screens/foul.js";
import { startFrom, withFlag, withPoints, withReceiver } from "./screens/sanction.js";
import { t } from "./words.js";

/** @typedef {import("./view.js").View} View */

/**
 * @param {View} view @param {ReturnType<typeof import("./send.js").sender>} send
 * @param {(hash: string) => void} go
 * @returns {Record<string, (arg: string) => void>}
 */
export function actions(view, send, go) {
  /** @param {(one: draft.Draft) => draft.Draft} step */
  const change = (step) => setCurrent(view, step(current(view)));
  const base = () => (isFixing(view) ? `#fix-${current(view).number}` : "");
  /** @param {string} name */
  const to = (name) => go(isFixing(view) ? `#fix-${name}-${current(view).number}` : `#${name}`);
  const toTiles = () => to("tiles");
  const onward = () => {
    const one = current(view);
    if (!one.decided || one.outcome !== "win") return;
    if (draft.byPoints(one)) go(base());
    else to(one.by);
  };
  /** @param {string} name @param {string | number | boolean | null} value */
  const fact = (name, value) => {
    if (view.foul) view.foul.facts = { ...view.foul.facts, [name]: value };
  };

  /** The penalty for having come late, to be given. @param {string} uuid */
  const fine = (uuid) => {
    const absence = view.state.absences.find((/** @type {any} */ one) => one.uuid === uuid);
    if (!absence || absence.minutes === null) return;
    view.foul = { ...emptyFoul(null), player: absence.player, foul: "late", facts: { minutes: absence.minutes } };
    go("#foul");
  };

  /** @param {any} sanction */
  const instead = (sanction) => {
    if (view.foul) view.foul.instead = sanction;
  };

  /** Somebody else claimed the discard too. @param {number} player */
  const claimant = (player) => {
    const { barred } = restraint(view, player);
    view.problems = barred ? [{ code: "dead_hand", where: "winner", message: barred }] : [];
    if (!barred) change((one) => announced.tapClaimant(one, player, turnOf(view)));
  };

  /** What could not be saved is given up. */
  const forgive = () => Object.assign(view, { unsaved: false, notice: null });

  return {
    // who
    seat: (arg) => {
      if (current(view).claiming) return claimant(Number(arg));
      const next = draft.tapSeat(current(view), Number(arg));
      const { barred } = restraint(view, next.winner);
      view.problems = barred ? [{ code: "dead_hand", where: "winner", message: barred }] : [];
      if (barred) return;
      change((one) => ({ ...next, by: isFixing(view) ? one.by : view.by }));
      onward();
    },
    "self-drawn": () => {
      change(draft.toggleSelfDrawn);
      onward();
    },
    "wash-out": () => change(draft.toggleWashOut),
    "start-over": () => {
      const { number, basis } = current(view);
      change(() => draft.emptyDraft(number, basis));
      view.search = "";
      forgive();
      go(base());
    },
    tiles: toTiles,

    // points
    by: (arg) => {
      const by = /** @type {draft.Depth} */ (arg);
      if (!isFixing(view)) view.by = by;
      change((one) => ({ ...one, by }));
      onward();
    },
    digit: (arg) => change((one) => draft.addDigit(one, Number(arg))),
    "digit-less": () => change(draft.removeDigit),
    "digits-clear": () => change((one) => ({ ...one, points: 0 })),

    // fans
    fan: (arg) => {
      change((one) => announced.addFan(one, arg, replacedBy(view, arg)));
      view.search = "";
    },
    "fan-less": (arg) => change((one) => announced.removeFan(one, arg)),

    // what was announced, against the rulebook
    override: () => change((one) => ({ ...one, overrides: true })),
    "count-tiles": () => change((one) => ({ ...one, overrides: false })),
    "forget-announced": () => change(announced.withoutAnnouncement),
    claiming: () => change((one) => ({ ...one, claiming: !one.claiming })),

    // tiles
    mode: (arg) => change((one) => (draft.canUse(one, /** @type {draft.Mode} */ (arg)) ? { ...one, mode: /** @type {draft.Mode} */ (arg) } : one)),
    key: (arg) => change((one) => draft.addTile(one, arg)),
    flower: () => change((one) => ({ ...one, flowers: Math.min(one.flowers + 1, draft.MOST_FLOWERS) })),
    "flower-less": () => change((one) => ({ ...one, flowers: Math.max(one.flowers - 1, 0) })),
    delete: () => change(draft.removeLast),
    "take-tile": (arg) => change((one) => draft.removeTile(one, Number(arg))),
    "take-meld": (arg) => change((one) => draft.removeMeld(one, Number(arg))),
    "won-on": (arg) => change((one) => ({ ...one, wonOn: Number(arg) })),
    change: () => change((one) => ({ ...one, changing: true })),
    fold: () => change((one) => ({ ...one, changing: false })),
    flag: (arg) => change((one) => draft.toggleFlag(one, arg)),
    recount: () => {
      view.opinion = null;
    },
    save: () => void send.hand(),

    // correcting
    fix: (arg) => {
      const hand = recorded(view, Number(arg));
      if (!view.fix || view.fix.number !== hand.number || view.fix.basis !== hand.version) view.fix = draft.draftOf(hand);
      go(hand.outcome === "win" && hand.tiles ? `#fix-tiles-${hand.number}` : `#fix-${hand.number}`);
    },
    deepen: (arg) => {
      const hand = recorded(view, Number(arg));
      view.fix = /** @type {draft.Draft} */ ({ ...draft.draftOf(hand), by: "tiles" });
      go(`#fix-tiles-${hand.number}`);
    },
    keep: (arg) => {
      view.fix = null;
      forgive();
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
      const theirs = rival(view, mine);
      view.fix = { ...mine, basis: theirs.version, sent: null, reason: mine.reason || t("two_devices") };
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
    "hand-in": () => void send.sheet("hand_in"),
    reopen: () => void send.sheet("reopen"),
    "cancel-penalty": (arg) => void send.cancel(arg),
    "cancel-again": () => void send.cancel(view.route.arg),
    back: (arg) => go(arg),

    // who is missing
    absent: (arg) => void send.absence("absent", { uuid: draft.newUuid(), player: Number(arg) }),
    "absence-back": (arg) => void send.absence("absence_taken_back", {}, arg),
    "stand-in": (arg) => void send.absence("stand_in", { player: Number(arg), name: view.standIn }),
    "seated-again": (arg) => void send.absence("seated_again", { player: Number(arg) }),
    arrived: (arg) => void send.absence("arrived", {}, arg, () => fine(arg)),
    "late-foul": (arg) => fine(arg),

    // fouls
    foul: () => {
      view.foul ??= emptyFoul(view.state.next);
      go("#foul");
    },
    "close-foul": () => {
      view.foul = null;
      forgive();
      go("");
    },
    "false-hu": () => {
      const entry = view.setup.fouls.find((/** @type {any} */ foul) => foul.key === "false_hu");
      const under = entry?.cases.find((/** @type {any} */ one) => one.key === "under_minimum");
      const short = opinion(view)?.data?.receipt;
      view.foul = { ...emptyFoul(view.draft.number), player: view.draft.winner, foul: "false_hu" };
      if (under && short) fact("circumstance", under.key);
      go("#foul");
    },
    offender: (arg) => {
      if (view.foul) Object.assign(view.foul, { player: Number(arg) });
      if (view.foul?.facts.victim === Number(arg)) fact("victim", null);
    },
    "this-foul": (arg) => {
      if (view.foul) Object.assign(view.foul, { foul: arg, facts: {}, search: "", instead: null, because: "" });
      view.problems = [];
    },
    "no-foul": () => {
      if (view.foul) Object.assign(view.foul, { foul: "", facts: {}, instead: null, because: "" });
    },
    victim: (arg) => fact("victim", Number(arg)),
    "fact-points": (arg) => fact("points", Number(arg)),
    "fact-hu_was_valid": (arg) => fact("hu_was_valid", arg === "true"),
    "fact-circumstance": (arg) => fact("circumstance", arg),
    seen: () => fact("tile_seen", !view.foul?.facts.tile_seen),
    "change-sanction": () => {
      const proposed = proposal(view)?.data.proposal;
      if (view.foul && proposed) Object.assign(view.foul, { instead: startFrom(proposed.imposed), explain: !proposed.open });
    },
    "book-sanction": () => {
      if (view.foul) Object.assign(view.foul, { instead: null, because: "" });
    },
    "sanction-points": (arg) => instead(withPoints(view.foul?.instead, Number(arg))),
    "sanction-paid": (arg) => instead(withReceiver(view.foul?.instead, arg)),
    "sanction-flag": (arg) => instead(withFlag(view.foul?.instead, arg)),
    give: () => void send.penalty(),
  };
}

/** What typing in a field does. @param {View} view @returns {Record<string, (value: string) => void>} */
export function inputs(view) {
  return {
    reason: (value) => setCurrent(view, { ...current(view), reason: value }),
    "cancel-reason": (value) => {
      view.reason = value;
    },
    "extra-minutes": (value) => {
      view.extra.minutes = value;
    },
    "extra-reason": (value) => {
      view.extra.reason = value;
    },
    "appeal-hand": (value) => {
      view.appeal.hand = value === "" ? null : Number(value);
    },
    "appeal-text": (value) => {
      view.appeal.text = value;
    },
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
    minutes: (value) => {
      if (view.foul) view.foul.facts = { ...view.foul.facts, minutes: value === "" ? null : Math.trunc(Number(value)) };
    },
    hand_number: (value) => {
      if (view.foul) view.foul.hand_number = value === "" ? null : Number(value);
    },
  };
}

/**
 * Tiles from a keyboard: digits, then m, p or s for all of them; E S W N C F P by themselves; Backspace.
 * @param {View} view @param {KeyboardEvent} event @returns {boolean} whether the key meant a tile
 */
export function typed(view, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { key } = event;
  if (/^[1-9]$/.test(key)) {
    view.typing = (view.typing + key).slice(-14);
    return true;
  }
  const waiting = view.typing;
  const codes = waiting && /^[mps]$/i.test(key) ? [...waiting].map((digit) => `${digit}${key.toLowerCase()}`) : /^[eswncfp]$/i.test(key) ? [key.toUpperCase()] : [];
  if (codes.length) {
    view.typing = "";
    setCurrent(view, codes.reduce(draft.addTile, current(view)));
    return true;
  }
  if (key === "Backspace") {
    if (waiting) view.typing = waiting.slice(0, -1);
    else setCurrent(view, draft.removeLast(current(view)));
    return true;
  }
  return false;
}

