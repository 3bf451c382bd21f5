// The state of the page in one object: the table's state from the server with waiting entries applied, drafts and forms,
// problems and notices.

import { byPoints, countTiles, draftOf, emptyDraft, isAnnounced, isComplete, isFilled, isSameHand, isTouched, newUuid, previewBody } from "./draft.js";
import { withEntries } from "./waiting.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./outbox.js").Entry} Entry */
/** @typedef {import("./api.js").Problem} Problem */
/** @typedef {import("./state.js").TableState} TableState */
/**
 * @typedef {object} FoulForm
 * @property {number | null} player
 * @property {string} foul
 * @property {number | null} hand_number
 * @property {Record<string, string | number | boolean | null>} facts  those of FACTS in screens/foul.js that were stated
 * @property {string} note
 * @property {string} search
 * @property {any} instead   the umpire's own sanction; null: the foul book's
 * @property {string} because  why it is another one
 * @property {boolean} explain  the foul book says something: departing from it needs a reason
 * @property {boolean} confirming  a grave sanction has to be confirmed
 * @property {{uuid: string, body: string} | null} sent
 */
/**
 * The preview of a hand or a foul; `key`: the request it answers, as JSON.
 * @typedef {{key: string, kind: string, data: any, problems: Problem[]}} Preview
 */
/** @typedef {{kind: "" | "bad" | "gold" | "ok", title: string, text?: string, action?: string, arg?: string, label?: string, href?: string}} Notice */
/**
 * @typedef {object} View
 * @property {any} setup
 * @property {TableState} server  the table's last state from the server
 * @property {Entry[]} waiting  entries of this table in the outbox, in order
 * @property {string} fresh       uuid of an entry on its first way to the server, not shown as waiting
 * @property {TableState & {uncounted: any[]}} state  the table's state with waiting entries applied
 * @property {string} place       identifies this table among all
 * @property {boolean} offline    the last request did not reach the server
 * @property {Record<number, Draft>} kept  drafts of later hands, put aside when an earlier one returned to the form
 * @property {{name: string, arg: string}} route
 * @property {Draft} draft        the hand that comes next
 * @property {Draft | null} fix   a correction under way
 * @property {FoulForm | null} foul
 * @property {import("./draft.js").Depth} by  how the next win is entered
 * @property {string} search      for a fan
 * @property {Preview | null} preview   on the hand on the screen
 * @property {Preview | null} proposal  on the foul on the screen
 * @property {string} busy        what is being sent, or ""
 * @property {boolean} unsaved    the last write did not reach the server
 * @property {boolean} resting    buttons have just changed places and ignore taps
 * @property {Problem[]} problems of the last write
 * @property {Notice | null} notice  about the last write
 * @property {string[]} putAway   keys of the notices that were put away
 * @property {string} justSaved   text of what was just saved
 * @property {string} reason      why a penalty is cancelled, or the others begin without a player
 * @property {string} standIn     who plays in a missing player's place
 * @property {{player: number | null, hand: number | null, penalty: string | null, text: string, uuid: string}} appeal  being written
 * @property {{minutes: string, reason: string}} extra  time to be given to this table
 * @property {Draft | null} saveWhenChecked  the draft to save as soon as it is checked
 * @property {Draft | null} asking  the draft for which the umpire is asked whether it was in time
 * @property {Draft | null} confirming  the draft for which Save was tapped and has to be confirmed
 * @property {boolean} handingIn  handing in without all signatures has to be confirmed
 * @property {boolean} legend     the keys are shown
 * @property {boolean} isWide     there is room for the sheet beside the table
 * @property {string} typing      digits typed that wait for their suit
 */

export const SHORT = "announced_below_minimum";
export const LARGE = 100; // points above which a figure has to be confirmed
const ROUTES = /^#(late|extra-time|dispute|tiles|fans|foul|appeal|sheet|hand-in|hand|fix|fix-fans|fix-tiles|cancel)(?:-(\d+|[0-9a-f-]{36}))?$/;

/** @param {string} hash @returns {View["route"]} */
export function routeOf(hash) {
  const match = hash.match(ROUTES);
  return match ? { name: match[1], arg: match[2] ?? "" } : { name: "table", arg: "" };
}

/** @param {any} setup @param {TableState} state @returns {View} */
export function makeView(setup, state) {
  return {
    setup,
    server: state,
    waiting: [],
    fresh: "",
    state: withEntries(setup, state, []),
    place: placeOf(state),
    offline: false,
    kept: {},
    route: routeOf(location.hash),
    draft: emptyDraft(state.next),
    fix: null,
    foul: null,
    by: "tiles",
    search: "",
    preview: null,
    proposal: null,
    busy: "",
    unsaved: false,
    resting: false,
    problems: [],
    notice: null,
    putAway: [],
    justSaved: "",
    reason: "",
    standIn: "",
    appeal: emptyAppeal(),
    extra: { minutes: "", reason: "" },
    typing: "",
    saveWhenChecked: null,
    asking: null,
    confirming: null,
    handingIn: false,
    legend: false,
    isWide: false,
  };
}

/** Identify a table among all. @param {{tournament: string, session: number, table: number}} state */
const placeOf = ({ tournament, session, table }) => `${tournament}/sessions/${session}/tables/${table}`;

/** @param {number | null} [hand] @returns {FoulForm} */
export function emptyFoul(hand = null) {
  return { player: null, foul: "", hand_number: hand, facts: {}, note: "", search: "", instead: null, because: "", explain: true, confirming: false, sent: null };
}

/** @returns {View["appeal"]} */
export function emptyAppeal() {
  return { player: null, hand: null, penalty: null, text: "", uuid: newUuid() };
}

// --- the hand on the screen -----------------------------------------------------------------------------------------
/** @param {View} view */
export const isFixing = (view) => view.route.name.startsWith("fix") && view.fix !== null;

/** The hand on the screen. @param {View} view @returns {Draft} */
export const current = (view) => (isFixing(view) && view.fix ? view.fix : view.draft);

/** @param {View} view @param {Draft} draft */
export function setCurrent(view, draft) {
  if (isFixing(view)) view.fix = draft;
  else view.draft = draft;
}

/** @param {View} view */
export const isFolded = (view) => isComplete(current(view)) && !current(view).changing;

/** Add the seats that are empty now to the draft of a new hand. @param {View} view @param {Draft} draft @returns {Draft} */
export function withEmptySeats(view, draft) {
  if (isFixing(view)) return draft;
  const empty = view.state.empty_seats.filter((/** @type {any} */ seat) => seat.hand === draft.number);
  return { ...draft, absent: empty.length ? empty.map((/** @type {any} */ seat) => seat.player) : null };
}

/** The recorded hand that conflicts with a draft, if any. @param {View} view @param {Draft} draft */
export function conflictingHand(view, draft) {
  const hand = recordedHand(view, draft.number);
  return hand && isTouched(draft) && hand.version !== draft.basis ? hand : null;
}

// --- permissions ----------------------------------------------------------------------------------------------------
/** @param {Pick<View, "state">} view @param {number} number */
export const recordedHand = (view, number) => view.state.hands.find((/** @type {any} */ hand) => hand.number === number);

/** Whether the hand on the screen is the ruling on a disputed one. @param {View} view */
export const isRuling = (view) => isFixing(view) && recordedHand(view, current(view).number)?.outcome === "pending";

/** @param {View} view @param {number | null} player */
export const nameOf = (view, player) => view.state.seats.find((/** @type {any} */ seat) => seat.player === player)?.name ?? "";

/** The players in order of turn in the hand on the screen. @param {View} view @returns {number[]} */
export function turnOf(view) {
  const places = recordedHand(view, current(view).number)?.places ?? {};
  const wind = (/** @type {any} */ seat) => "ESWN".indexOf((places[seat.player] ?? seat).wind.code);
  const seats = [...view.state.seats].sort((a, b) => wind(a) - wind(b));
  return seats.map((/** @type {any} */ seat) => seat.player);
}

/** The restraints of a player by penalties, in the hand on the screen or another. @param {View} view @param {number | null} player @param {number} number */
export function restraint(view, player, number = current(view).number) {
  const mine = view.state.restraints.filter((/** @type {any} */ restraint) => restraint.player === player && restraint.hand === number);
  return { marks: [...new Set(mine.flatMap((/** @type {any} */ restraint) => restraint.marks))], barred: mine.find((/** @type {any} */ restraint) => restraint.barred)?.barred ?? "" };
}

/** The player's seat if it is empty in the hand on the screen. @param {View} view @param {number | null} player */
export function emptySeat(view, player) {
  const draft = current(view);
  const seat = view.state.empty_seats.find((/** @type {any} */ seat) => seat.player === player && seat.hand === draft.number);
  return seat && (!isFixing(view) || draft.absent?.includes(seat.player)) ? seat : null;
}

/** Why nothing can be recorded yet, or not of this player: the others have to wait, or the seat is empty; "" otherwise. @param {View} view @param {number | null} [player] */
export function obstacleTo(view, player = null) {
  const now = Date.now() + view.setup.skew;
  const waiting = view.state.empty_seats.find((/** @type {any} */ seat) => {
    const absence = view.state.absences.find((/** @type {any} */ absence) => absence.player === seat.player);
    return seat.too_early && seat.hand === current(view).number && absence && now < Date.parse(absence.since) + view.setup.late.stand_in_after * 60_000;
  });
  return (waiting?.too_early ?? emptySeat(view, player)?.why) || "";
}

/** Whether the last hand can be undone. @param {View} view */
export function canUndo(view) {
  const { undo } = view.state;
  if (!undo) return false;
  return undo.until === undefined || Date.now() + view.setup.skew < Date.parse(undo.until); // an unsent hand always can
}

/** Whether the user may correct a hand: umpires any, holders of the table's card what they entered; a disputed one who may rule on it. @param {View} view @param {any} hand */
export const mayCorrect = (view, hand) => view.state.may_correct && (hand.outcome === "pending" ? view.state.may_rule : view.state.judges || hand.mine);

// --- readiness ------------------------------------------------------------------------------------------------------
/** Body of the preview of the hand on the screen; null while there is nothing to preview. @param {View} view */
export function previewRequest(view) {
  if (view.route.name === "hand") return recordedHandRequest(view);
  const draft = current(view);
  if (draft.outcome === "draw") return isFixing(view) ? previewBody(withEmptySeats(view, draft)) : null;
  const enough = isAnnounced(draft) ? isFilled(draft) : countTiles(draft) >= 12;
  const ready = draft.outcome === "win" && draft.decided && enough;
  return ready ? previewBody(withEmptySeats(view, draft)) : null;
}

/** Body of the preview of a recorded hand, for its receipt. @param {View} view */
function recordedHandRequest(view) {
  const hand = recordedHand(view, Number(view.route.arg));
  return hand?.outcome === "win" ? previewBody(draftOf(hand)) : null;
}

/** The preview of exactly what is on the screen. @param {View} view @returns {Preview | null} */
export function currentPreview(view) {
  const body = previewRequest(view);
  return body && view.preview?.key === JSON.stringify(body) ? view.preview : null;
}

/** Whether the preview found no problems, or could not be made. @param {View} view */
function hasNoProblems(view) {
  const preview = currentPreview(view);
  return preview?.kind === "ok" ? !preview.problems.length : preview?.kind === "unreachable" && isEntered(current(view));
}

/** Whether the hand can be saved now. @param {View} view */
export const isReady = (view) => !isBlocked(view) && hasNoProblems(view);

/**
 * Why saving an announcement has to be confirmed: "short" of the minimum, which may be a false hu; "against" the rulebook,
 * which an umpire may override; "large" points. "" if it need not be, or cannot be saved.
 * @param {View} view @returns {"" | "short" | "against" | "large"}
 */
export function doubt(view) {
  const draft = current(view);
  if (!isAnnounced(draft) || draft.overrides) return "";
  const preview = currentPreview(view);
  if (preview?.kind === "ok" && preview.problems.length) {
    if (!preview.data.overridable) return "";
    if (!isFixing(view) && preview.problems.some((problem) => problem.code === SHORT)) return "short";
    return view.state.judges ? "against" : "";
  }
  return byPoints(draft) && draft.points > LARGE && !isFixing(view) && hasNoProblems(view) ? "large" : "";
}

/** Whether Save was tapped and has to be confirmed. @param {View} view */
export const isConfirming = (view) => view.confirming === current(view) && doubt(view) !== "";

/** Whether everything is entered and its preview is on the way. @param {View} view */
export const isChecking = (view) => isEntered(current(view)) && Boolean(previewRequest(view)) && !currentPreview(view) && !isBlocked(view);

/** Whether the correction on the screen changes nothing: the same hand, which is still worth the same. @param {View} view */
export function changesNothing(view) {
  const hand = recordedHand(view, current(view).number);
  if (!hand || !isSameHand(current(view), hand)) return false;
  return (currentPreview(view)?.data?.points ?? hand.points) === hand.points;
}

/** Whether nothing can be saved now, whatever the preview is. @param {View} view */
const isBlocked = (view) => lacksReason(view) || Boolean(view.busy) || view.resting;

/** Whether an override lacks its reason. @param {View} view */
function lacksReason(view) {
  const preview = currentPreview(view);
  const { overrides, override } = current(view);
  return (preview?.kind === "ok" ? Boolean(preview.data.overridden) : overrides) && !override.trim();
}

/** Whether everything is entered. @param {Draft} draft */
const isEntered = (draft) => draft.outcome === "draw" || (draft.outcome === "pending" ? draft.dispute.trim() !== "" : isFilled(draft));

// --- state of the table ---------------------------------------------------------------------------------------------
/**
 * Adopt a state from the server, unless it is older. Return the result for the hand being entered: "" (not recorded yet),
 * "saved" (it is recorded) or "same" (another device recorded the same).
 * @param {View} view @param {TableState} state
 */
export function adoptState(view, state) {
  if (state.version < view.server.version) return "";
  if (state.version > view.server.version) Object.assign(view, { preview: null, proposal: null }); // of another table
  view.server = state;
  return rebuildState(view);
}

/** Apply the waiting entries again after they have changed. @param {View} view */
export function refreshState(view) {
  Object.assign(view, { preview: null, proposal: null });
  return rebuildState(view);
}

/** @param {View} view */
function rebuildState(view) {
  applyWaiting(view);
  const outcome = outcomeOf(view, view.draft);
  if (outcome || !isTouched(view.draft)) view.draft = nextDraft(view);
  if (view.fix && outcomeOf(view, view.fix)) view.fix = null;
  return outcome;
}

/** The draft of the next hand: put aside earlier, or empty. @param {View} view @returns {Draft} */
function nextDraft(view) {
  const { next } = view.state;
  const draft = view.kept[next] ?? emptyDraft(next);
  delete view.kept[next];
  return draft;
}

/** @param {View} view @param {Draft} draft */
function outcomeOf(view, draft) {
  const hand = recordedHand(view, draft.number);
  if (!hand) return "";
  if (draft.sent && hand.uuid === draft.sent.uuid) return "saved";
  return draft.basis === 0 && isEntered(draft) && isSameHand(draft, hand) ? "same" : "";
}

/** Apply the waiting entries to the server's state. @param {View} view */
function applyWaiting(view) {
  view.state = withEntries(view.setup, view.server, view.waiting.filter((entry) => entry.uuid !== view.fresh));
}
