// What a tap does. Each action changes the view; main.js draws it afterwards.

import { foulActions } from "./actions_foul.js";
import { t } from "./dom.js";
import * as draft from "./draft.js";
import { replacedBy } from "./screens/fans.js";
import { canUndo, current, hindrance, isFixing, recorded, restraint, rival, setCurrent, turnOf } from "./view.js";

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
    change((one) => draft.withWhatFollows(one, view.setup.fans));
    const one = current(view);
    if (!one.decided || one.outcome !== "win") return;
    if (draft.byPoints(one)) go(base());
    else to(one.by);
  };
  /** Whether the others wait, or nobody sits in that seat; says so. @param {number | null} [player] */
  const hindered = (player = null) => {
    const message = hindrance(view, player);
    view.problems = message ? [{ code: "seat_empty", where: "winner", message }] : [];
    return Boolean(message);
  };
  /** Whether a dead hand keeps this player from winning; the screen says so. @param {number | null} player */
  const isBarred = (player) => {
    const { barred } = restraint(view, player);
    view.problems = barred ? [{ code: "dead_hand", where: "winner", message: barred }] : [];
    return Boolean(barred);
  };

  /** Somebody else claimed the discard too. @param {number} player */
  const claimant = (player) => {
    if (hindered(player)) return;
    const next = draft.tapClaimant(current(view), player, turnOf(view), (one) => Boolean(restraint(view, one).barred));
    if (!isBarred(next.winner)) change(() => next);
  };

  /** What could not be saved is given up. */
  const forgive = () => Object.assign(view, { unsaved: false, notice: null });

  return {
    // who
    seat: (arg) => {
      if (current(view).claiming) return claimant(Number(arg));
      if (hindered(Number(arg))) return;
      const next = draft.tapSeat(current(view), Number(arg));
      if (isBarred(next.winner)) return;
      change((one) => ({ ...next, by: isFixing(view) ? one.by : view.by }));
      onward();
    },
    "self-drawn": () => {
      change(draft.toggleSelfDrawn);
      onward();
    },
    "wash-out": () => void (hindered() || change(draft.toggleWashOut)),
    "was-there": (arg) => change((one) => ({ ...one, absent: draft.toggled(one.absent ?? [], Number(arg)) })),
    "start-over": () => {
      const { number, basis } = current(view);
      change(() => draft.emptyDraft(number, basis));
      view.search = "";
      forgive();
      go(base());
    },
    tiles: toTiles,
    reason: (arg) => setCurrent(view, { ...current(view), reason: arg }),

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
      change((one) => draft.addFan(one, arg, replacedBy(view, arg)));
      view.search = "";
    },
    "fan-less": (arg) => change((one) => draft.removeFan(one, arg)),

    // what was announced, against the rulebook
    override: () => change((one) => ({ ...one, overrides: true })),
    "count-tiles": () => change((one) => ({ ...one, overrides: false })),
    "forget-announced": () => change(draft.withoutAnnouncement),
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
    "save-soon": () => (view.eager = current(view)),

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

    ...foulActions(view, send, go, forgive),
  };
}
