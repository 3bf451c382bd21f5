// All there is to show, in one object: the table as the server last told it with what waits here on top, what is being
// entered, what went wrong.

import { byPoints, count, draftOf, emptyDraft, isAnnounced, isComplete, isTouched, isWhole, newUuid, questionOf, sameAs } from "./draft.js";
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
 * @property {{uuid: string, body: string} | null} sent
 */
/**
 * What the server said about a hand or a foul that is not saved yet; `key` is the question it answers.
 * @typedef {{key: string, kind: string, data: any, problems: Problem[]}} Opinion
 */
/** @typedef {{kind: "" | "bad" | "gold" | "ok", title: string, text?: string, action?: string, arg?: string, label?: string, href?: string}} Notice */
/**
 * @typedef {object} View
 * @property {any} setup
 * @property {TableState} server  the table as the server last told it
 * @property {Entry[]} waiting  what was written here and is not there yet, in order
 * @property {string} fresh       the uuid of a write that is on its way for the first time: not shown as waiting
 * @property {TableState & {uncounted: any[]}} state  the server's table with what waits on top
 * @property {string} place       this table, among all there are
 * @property {boolean} offline    the server could not be reached when last asked
 * @property {Record<number, Draft>} kept  drafts of later hands, put aside while an earlier one came back
 * @property {{name: string, arg: string}} route
 * @property {Draft} draft        the hand that comes next
 * @property {Draft | null} fix   a correction under way
 * @property {FoulForm | null} foul
 * @property {import("./draft.js").Depth} by  how the next win is entered
 * @property {string} search      for a fan
 * @property {Opinion | null} opinion   on the hand on the screen
 * @property {Opinion | null} proposal  on the foul on the screen
 * @property {string} busy        what is being sent, or nothing
 * @property {boolean} unsaved    the last attempt to save did not get through
 * @property {boolean} resting    a button just took the place of another; a second tap must not press it
 * @property {Problem[]} problems of the last write
 * @property {Notice | null} notice
 * @property {string} justSaved   what was just saved, in words
 * @property {string} reason      why a penalty is cancelled, or the others begin without a player
 * @property {string} standIn     who plays in a missing player's place
 * @property {{player: number | null, hand: number | null, penalty: string | null, text: string, uuid: string}} appeal  being written
 * @property {{minutes: string, reason: string}} extra  time to be given to this table
 * @property {Draft | null} eager  what is to be saved as soon as it is checked: Enter was pressed, or Save tapped
 * @property {Draft | null} asking  the hand of which it is asked whether it was in time: it was saved after the gong
 * @property {Draft | null} confirming  the draft for which Save was tapped although something speaks against it: it takes a second tap
 * @property {boolean} legend     the keys are shown
 * @property {string} typing      digits typed on a keyboard that wait for their suit
 */

export const SHORT = "announced_below_minimum";
export const LARGE = 100; // points; few hands come to more, and a digit too many does
const ROUTES = /^#(late|extra-time|tiles|fans|foul|appeal|sheet|hand-in|hand|fix|fix-fans|fix-tiles|cancel)(?:-(\d+|[0-9a-f-]{36}))?$/;

/** @param {string} hash @returns {View["route"]} */
export function routeOf(hash) {
  const found = hash.match(ROUTES);
  return found ? { name: found[1], arg: found[2] ?? "" } : { name: "table", arg: "" };
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
    opinion: null,
    proposal: null,
    busy: "",
    unsaved: false,
    resting: false,
    problems: [],
    notice: null,
    justSaved: "",
    reason: "",
    standIn: "",
    appeal: emptyAppeal(),
    extra: { minutes: "", reason: "" },
    typing: "",
    eager: null,
    asking: null,
    confirming: null,
    legend: false,
  };
}

/** The name of a table among all there are. @param {{tournament: string, session: number, table: number}} state */
const placeOf = ({ tournament, session, table }) => `${tournament}/sessions/${session}/tables/${table}`;

/** @param {number | null} [hand] @returns {FoulForm} */
export function emptyFoul(hand = null) {
  return { player: null, foul: "", hand_number: hand, facts: {}, note: "", search: "", instead: null, because: "", explain: true, sent: null };
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

/** The draft with the seats that are empty now; a recorded hand has its own. @param {View} view @param {Draft} draft @returns {Draft} */
export function seated(view, draft) {
  if (isFixing(view)) return draft;
  const empty = view.state.empty_seats.filter((/** @type {any} */ seat) => seat.hand === draft.number);
  return { ...draft, absent: empty.length ? empty.map((/** @type {any} */ seat) => seat.player) : null };
}

/** The recorded hand that contradicts what is being entered. @param {View} view @param {Draft} draft */
export function rival(view, draft) {
  const hand = recorded(view, draft.number);
  return hand && isTouched(draft) && hand.version !== draft.basis ? hand : null;
}

// --- what the table allows ------------------------------------------------------------------------------------------
/** @param {Pick<View, "state">} view @param {number} number */
export const recorded = (view, number) => view.state.hands.find((/** @type {any} */ hand) => hand.number === number);

/** @param {View} view @param {number | null} player */
export const nameOf = (view, player) => view.state.seats.find((/** @type {any} */ seat) => seat.player === player)?.name ?? "";

/** The players in the order of the turn in the hand on the screen. @param {View} view @returns {number[]} */
export function turnOf(view) {
  const places = recorded(view, current(view).number)?.places ?? {};
  const wind = (/** @type {any} */ seat) => "ESWN".indexOf((places[seat.player] ?? seat).wind.code);
  const seats = [...view.state.seats].sort((a, b) => wind(a) - wind(b));
  return seats.map((/** @type {any} */ seat) => seat.player);
}

/** What penalties forbid a player in the hand on the screen, or another. @param {View} view @param {number | null} player @param {number} number */
export function restraint(view, player, number = current(view).number) {
  const mine = view.state.restraints.filter((/** @type {any} */ restraint) => restraint.player === player && restraint.hand === number);
  return { marks: [...new Set(mine.flatMap((/** @type {any} */ restraint) => restraint.marks))], barred: mine.find((/** @type {any} */ restraint) => restraint.barred)?.barred ?? "" };
}

/** The seat of a player in whose place nobody sits in the hand on the screen. @param {View} view @param {number | null} player */
export function emptySeat(view, player) {
  const draft = current(view);
  const found = view.state.empty_seats.find((/** @type {any} */ seat) => seat.player === player && seat.hand === draft.number);
  return found && (!isFixing(view) || draft.absent?.includes(found.player)) ? found : null;
}

/** Why nothing can be recorded yet, or not of this player: the others wait, or nobody sits there and nobody wins, discards or claims. @param {View} view @param {number | null} [player] */
export function hindrance(view, player = null) {
  const now = Date.now() + view.setup.skew;
  const waits = view.state.empty_seats.find((/** @type {any} */ seat) => {
    const absence = view.state.absences.find((/** @type {any} */ absence) => absence.player === seat.player);
    return seat.too_early && seat.hand === current(view).number && absence && now < Date.parse(absence.since) + view.setup.late.stand_in_after * 60_000;
  });
  return (waits?.too_early ?? emptySeat(view, player)?.why) || "";
}

/** Whether the hand just saved can still be taken back. @param {View} view */
export function canUndo(view) {
  const { undo } = view.state;
  if (!undo) return false;
  return undo.until === undefined || Date.now() + view.setup.skew < Date.parse(undo.until); // what is not sent has all the time
}

/** Whether this person may replace a hand: an umpire in person any, a table's card what it entered. @param {View} view @param {any} hand */
export const mayCorrect = (view, hand) => view.state.may_correct && (view.state.judges || hand.mine);

// --- whether it can be sent -----------------------------------------------------------------------------------------
/** What the server is to be asked about the hand on the screen; null while there is nothing to ask. @param {View} view */
export function question(view) {
  if (view.route.name === "hand") return recordedQuestion(view);
  const draft = current(view);
  if (draft.outcome === "draw") return isFixing(view) ? questionOf(seated(view, draft)) : null;
  const enough = isAnnounced(draft) ? isWhole(draft) : count(draft) >= 12;
  const ready = draft.outcome === "win" && draft.decided && enough;
  return ready ? questionOf(seated(view, draft)) : null;
}

/** A recorded hand is asked about as it stands, for its receipt. @param {View} view */
function recordedQuestion(view) {
  const hand = recorded(view, Number(view.route.arg));
  return hand?.outcome === "win" ? questionOf(draftOf(hand)) : null;
}

/** The server's opinion on exactly what is on the screen. @param {View} view @returns {Opinion | null} */
export function opinion(view) {
  const body = question(view);
  return body && view.opinion?.key === JSON.stringify(body) ? view.opinion : null;
}

/** Whether nothing was found against what is on the screen, or nobody could look. @param {View} view */
function isSound(view) {
  const found = opinion(view);
  return found?.kind === "ok" ? !found.problems.length : found?.kind === "unreachable" && isEntered(current(view));
}

/** Whether it is sound, and can be sent now. @param {View} view */
export const isReady = (view) => !isHeldBack(view) && isSound(view);

/**
 * Why Save asks before it saves what was announced: "short" of the minimum, which may be a false hu; "against" the rulebook,
 * which an umpire may override; "large", by its points alone. "" where it does not, or cannot be saved at all.
 * @param {View} view @returns {"" | "short" | "against" | "large"}
 */
export function doubt(view) {
  const draft = current(view);
  if (!isAnnounced(draft) || draft.overrides) return "";
  const found = opinion(view);
  if (found?.kind === "ok" && found.problems.length) {
    if (!found.data.overridable) return "";
    if (!isFixing(view) && found.problems.some((problem) => problem.code === SHORT)) return "short";
    return view.state.judges ? "against" : "";
  }
  return byPoints(draft) && draft.points > LARGE && !isFixing(view) && isSound(view) ? "large" : "";
}

/** Whether Save was tapped and its question stands in its place. @param {View} view */
export const isConfirming = (view) => view.confirming === current(view) && doubt(view) !== "";

/** Whether all is entered, and the answer to it is not here yet: what is tapped now is done when it comes. @param {View} view */
export const isChecking = (view) => isEntered(current(view)) && Boolean(question(view)) && !opinion(view) && !isHeldBack(view);

/** Whether nothing can be sent now, whatever the answer is. @param {View} view */
const isHeldBack = (view) => lacksReason(view) || Boolean(view.busy) || view.resting;

/** Whether what was announced counts against the rulebook and nobody has said why. @param {View} view */
function lacksReason(view) {
  const found = opinion(view);
  const { overrides, override } = current(view);
  return (found?.kind === "ok" ? Boolean(found.data.overridden) : overrides) && !override.trim();
}

/** Whether everything is entered. @param {Draft} draft */
const isEntered = (draft) => draft.outcome === "draw" || isWhole(draft);

// --- the table as it is told and as it will be ----------------------------------------------------------------------
/**
 * Take over the table as the server tells it. Gives what became of the hand being entered: "" (it still waits), "saved"
 * (this very hand is in) or "same" (another device saved the same).
 * @param {View} view @param {TableState} state
 */
export function adopt(view, state) {
  if (state.version < view.server.version) return "";
  if (state.version > view.server.version) Object.assign(view, { opinion: null, proposal: null }); // of another table
  view.server = state;
  return lay(view);
}

/** The same, when only what waits here has changed: the scores, and the fouls that came before. @param {View} view */
export function relay(view) {
  Object.assign(view, { opinion: null, proposal: null });
  return lay(view);
}

/** @param {View} view */
function lay(view) {
  layWaitingOn(view);
  const fate = fateOf(view, view.draft);
  if (fate || !isTouched(view.draft)) view.draft = nextDraft(view);
  if (view.fix && fateOf(view, view.fix)) view.fix = null;
  return fate;
}

/** The hand that comes next: empty, or as far as it had been entered. @param {View} view @returns {Draft} */
function nextDraft(view) {
  const { next } = view.state;
  const kept = view.kept[next] ?? emptyDraft(next);
  delete view.kept[next];
  return kept;
}

/** @param {View} view @param {Draft} draft */
function fateOf(view, draft) {
  const hand = recorded(view, draft.number);
  if (!hand) return "";
  if (draft.sent && hand.uuid === draft.sent.uuid) return "saved";
  return draft.basis === 0 && isEntered(draft) && sameAs(draft, hand) ? "same" : "";
}

/** Put the waiting entries on top of the server's table. @param {View} view */
function layWaitingOn(view) {
  view.state = withEntries(view.setup, view.server, view.waiting.filter((entry) => entry.uuid !== view.fresh));
}
