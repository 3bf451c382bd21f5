// The desk of a table. This module draws, listens to events, and follows writes of other devices. The state of the page is in
// view.js, the hand being entered in draft.js, handlers in actions.js, scores in preview.js, writes in send.js and outbox.js.

import { ring } from "../gong.js";
import { synchronise } from "../time.js";
import { actions, inputHandlers } from "./actions.js";
import { request } from "./api.js";
import { installServiceWorker, keepAwake, restoreView, sortByUse, storeView } from "./device.js";
import { configure, h, patch, t } from "./dom.js";
import { byFans, isTouched } from "./draft.js";
import { announcementBand, announcements, clockParts, sentences, stageOf, undoable } from "./frame.js";
import { createPreviewer, loadEngine } from "./preview.js";
import { createKeyHandler, isForField, typeTile } from "./keyboard.js";
import { fansScreen } from "./screens/announced.js";
import { extraTimeScreen, inTimeScreen, lateScreen } from "./screens/clock.js";
import { disputeScreen } from "./screens/dispute.js";
import { foulScreen } from "./screens/foul.js";
import { appealScreen, cancelScreen, handScreen, sheetScreen, signingScreen } from "./screens/sheet.js";
import { besideTable, conflictScreen, tableScreen } from "./screens/table.js";
import { tilesScreen } from "./screens/tiles.js";
import { createSender } from "./send.js";
import { adoptState, canUndo, conflictingHand, current, currentPreview, doubt, isConfirming, isFixing, isFolded, makeView, recordedHand, routeOf } from "./view.js";

const IDLE_AFTER = 2_000; // ms after which less urgent files are loaded
const BUTTON_PAUSE = 300; // ms in which a button that replaced another ignores taps
const ROUTES_WITH_SHEET = ["table", "fans", "tiles", "fix", "fix-fans", "fix-tiles", "late"]; // on a wide screen
const wide = matchMedia("(min-width: 900px) and (min-height: 501px)"); // as in css/wide.css
const read = (/** @type {string} */ id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

const setup = read("desk-setup");
const isOld = document.documentElement.dataset.kept !== undefined; // from the cache of the service worker
setup.skew = isOld ? 0 : Date.parse(setup.now) - Date.now(); // this device's clock may be wrong
setup.fans = sortByUse(setup.fans);
configure(setup);
const view = makeView(setup, read("desk-state"));
const phone = /** @type {HTMLElement} */ (document.querySelector(".phone"));

// --- drawing --------------------------------------------------------------------------------------------------------
const { refreshPreview, invalidate } = createPreviewer(view, draw, noteNetwork);
let shown = location.hash;
/** @type {Element[]} */
let focusTrail = []; // the element focused last and those around it; empty after a tap

function draw() {
  const { header, main, notices = [announcementBand(view)], isField, tight = false, footer = null, sheet = false, peek = "" } = screenOf();
  const atEnd = h("div", { class: "notices", "data-key": "notices" }, sentences(view, isField), notices);
  const hasKeyboard = footer instanceof Element && footer.matches(".keyboard"); // it leaves no room to cover anything
  const middle = h("main", { id: "main", tabindex: -1, class: sheet ? "sheet" : tight ? "tight" : null }, ...main, hasKeyboard && atEnd);
  const foot = hasKeyboard ? footer : h("div", { class: "foot" }, atEnd, footer);
  phone.classList.toggle("scrim", sheet);
  const sheetPanel = view.isWide && ROUTES_WITH_SHEET.includes(view.route.name) ? besideTable(view) : null;
  const parts = [header, peek && h("p", { class: "peek" }, peek), middle, foot, sheetPanel];
  patch(phone, /** @type {Node[]} */ (parts.filter((node) => node instanceof Node)));
  saveIfChecked();
  const isNewScreen = shown !== location.hash;
  if (isNewScreen) {
    shown = location.hash;
    window.scrollTo(0, 0);
  }
  if (isNewScreen || focusTrail.length) keepFocus();
}

/** Return the focus of an element that was removed or disabled: to it, to what is around it, or to the beginning of the screen. */
function keepFocus() {
  const [last] = focusTrail;
  const isWaiting = Boolean(view.busy) || view.resting; // buttons are enabled or removed afterwards
  if (document.activeElement !== document.body || (isWaiting && last?.matches(":disabled"))) return;
  const place = focusTrail.find((element) => element.isConnected && !element.matches(":disabled") && (element === last || element.matches("[tabindex]")));
  const target = place ?? document.getElementById("main");
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}

/** The screen for the route: the table, unless another one applies. @returns {import("./frame.js").Screen} */
function screenOf() {
  const { route } = view;
  const draft = current(view);
  const theirs = ["table", "fans", "tiles", "dispute", "fix", "fix-fans", "fix-tiles"].includes(route.name) && !view.busy ? conflictingHand(view, draft) : null;
  if (theirs) return conflictScreen(view, theirs);
  if (view.asking && view.asking === draft && !view.busy) return inTimeScreen(view);
  const penalty = view.state.penalties.find((/** @type {any} */ penalty) => penalty.uuid === route.arg);
  if (route.name === "dispute" && draft.outcome === "pending" && view.state.may_record) return disputeScreen(view);
  if (route.name === "foul" && view.foul) return foulScreen(view);
  if (route.name === "late") return lateScreen(view);
  if (route.name === "extra-time" && view.state.may_give_time) return extraTimeScreen(view);
  if (route.name === "appeal" && view.state.may_appeal) return appealScreen(view);
  if (route.name === "sheet") return sheetScreen(view);
  if (route.name === "hand" && recordedHand(view, Number(route.arg))) return handScreen(view);
  if (route.name === "hand-in" && view.state.played) return signingScreen(view);
  if (route.name === "cancel" && penalty && !penalty.cancelled) return cancelScreen(view, penalty);
  const open = route.name.startsWith("fix") ? isFixing(view) : view.state.may_record;
  if (open && route.name.endsWith("fans") && draft.decided && byFans(draft)) return fansScreen(view);
  const entering = open && route.name.endsWith("tiles");
  if (entering && (draft.decided || (draft.outcome === "draw" && isFixing(view)))) return tilesScreen(view);
  return tableScreen(view);
}

/** Press the main button once the draft is checked, if Enter or Save was pressed before. */
function saveIfChecked() {
  if (view.saveWhenChecked !== current(view)) view.saveWhenChecked = null; // the draft has changed
  if (currentPreview(view)?.problems.length && (!doubt(view) || isConfirming(view))) view.saveWhenChecked = null; // it cannot be saved
  const main = view.saveWhenChecked && phone.querySelector(".savebar .primary:enabled");
  if (!(main instanceof HTMLElement)) return;
  view.saveWhenChecked = null;
  queueMicrotask(() => main.click());
}

/** Store the view, update the preview and draw, after going to `hash` if given. @param {string} [hash] */
function show(hash) {
  if (hash !== undefined) go(hash, true);
  storeView(view);
  refreshPreview();
  draw();
}

/** @param {string} hash @param {boolean} [replace] leave the current screen out of the history */
function go(hash, replace = false) {
  const url = hash || location.pathname + location.search;
  if (location.hash === hash) return;
  if (replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  enterScreen();
}

/** Set the route from the address, and clear notices and problems. */
function enterScreen() {
  view.route = routeOf(location.hash);
  if (view.route.name.startsWith("fix") && view.fix?.number !== Number(view.route.arg)) view.fix = null;
  Object.assign(view, { problems: [], typing: "", saveWhenChecked: null, asking: null, handingIn: false });
  if (!view.unsaved) view.notice = null;
}

// --- changes by other devices ---------------------------------------------------------------------------------------
let refreshing = false;
let stale = false;

async function refresh() {
  if (view.busy || refreshing) {
    stale = true;
    return;
  }
  refreshing = true;
  const answer = await request(view.server.urls.desk);
  refreshing = false;
  noteNetwork(answer.kind);
  if (answer.kind === "ok" && !view.busy) {
    const before = view.state.version;
    const { number } = view.draft;
    const outcome = adoptState(view, answer.data.state);
    if (view.state.version !== before) invalidate();
    if (outcome === "saved") Object.assign(view, { justSaved: t("hand_saved", { number }), unsaved: false, notice: null });
    if (conflictingHand(view, current(view))) view.notice = null; // the conflict screen replaces it
    if (outcome === "same") view.notice = { kind: "ok", title: t("same_saved", { number }) };
    show(outcome && ["fans", "tiles", "dispute"].includes(view.route.name) ? "" : undefined);
  }
  if (stale) {
    stale = false;
    void refresh();
  }
}

/** Note whether the server was reached; send waiting entries once it is back. @param {string} kind */
function noteNetwork(kind) {
  const wasOffline = view.offline;
  view.offline = kind === "unreachable";
  if (!view.offline && view.waiting.length) send.deliver.now();
  if (wasOffline !== view.offline) draw();
}

document.body.addEventListener("live", (event) => {
  const entry = /** @type {CustomEvent} */ (event).detail;
  const here = entry?.session === view.state.session && entry?.table === view.state.table;
  if (entry?.topics?.includes("screens")) return; // hall screens do not change tables
  const isNews = here ? entry.table_version === undefined || entry.table_version > view.state.version : entry?.table === undefined;
  if (isNews) void refresh();
});
document.body.addEventListener("live:connected", () => {
  if (view.waiting.length) send.deliver.now(); // at once, not at the next retry
  if (view.offline) void refresh();
});
window.addEventListener("online", () => {
  if (view.preview?.kind !== "ok") invalidate();
  send.deliver.now();
  void refresh();
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void refresh();
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) void refresh();
});

// --- event listeners ------------------------------------------------------------------------------------------------
const send = createSender(view, show);
const handlers = actions(view, send, go);
const inputs = inputHandlers(view);

/** Run a step and draw the result. @param {() => void} step */
function run(step) {
  const [folded, confirming] = [isFolded(view), asksForConfirmation()];
  view.saveWhenChecked = null;
  step();
  if ((!folded && isFolded(view)) || (!confirming && asksForConfirmation())) pauseButtons();
  show();
}

/** Whether a button has to be tapped again to confirm. */
const asksForConfirmation = () => isConfirming(view) || view.handingIn || Boolean(view.foul?.confirming);

/** Ignore taps for a moment because buttons have changed places. */
function pauseButtons() {
  view.resting = true;
  window.setTimeout(() => {
    view.resting = false;
    draw();
  }, BUTTON_PAUSE);
}

phone.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-do]") : null;
  if (!button || button.getAttribute("aria-disabled") === "true") return;
  const act = handlers[button.getAttribute("data-do") ?? ""];
  run(() => act(button.getAttribute("data-arg") ?? ""));
});

phone.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  const take = inputs[field.dataset.input ?? ""];
  if (take) run(() => take(field.value));
});

phone.addEventListener("focusin", (event) => {
  focusTrail = [];
  for (let element = event.target; element instanceof Element && element !== phone; element = element.parentElement) focusTrail.push(element);
});
document.addEventListener("pointerdown", () => {
  focusTrail = [];
});

const handleKey = createKeyHandler(view, handlers);

document.addEventListener("keydown", (event) => {
  if (isForField(event)) return;
  const { name } = view.route;
  const isTable = name === "table" || name === "fix";
  if (event.key === "Escape" && !isTable) return leaveScreen();
  const handle = ["tiles", "fix-tiles"].includes(name) && !isFolded(view) ? () => typeTile(view, event) : () => isTable && handleKey(event.key);
  run(() => {
    if (handle()) event.preventDefault();
  });
});

/** Press the button or link with which the screen returns to the one before. */
function leaveScreen() {
  const exit = phone.querySelector("[data-do=close-foul], .bar .back");
  if (exit instanceof HTMLElement) exit.click();
}

wide.addEventListener("change", () => {
  view.isWide = wide.matches;
  draw();
});

window.addEventListener("hashchange", () => {
  if (location.hash === "#main") return; // the skip link
  enterScreen();
  show();
});

window.setInterval(() => {
  const over = (/** @type {boolean} */ still, /** @type {string} */ button) => !still && phone.querySelector(`[data-do="${button}"]`);
  if (phone.querySelector("[data-late]") || over(canUndo(view), "undo") || over(Boolean(undoable(view)), "undo-penalty")) draw();
}, 1000);

/** Changes when the screen has to be drawn again because of the time. */
const clockStage = () => `${stageOf(view)} ${announcements(view).length}`;
let shownAt = clockStage();
window.setInterval(() => {
  const clock = phone.querySelector("[data-clock]");
  const parts = clockParts(view);
  if (clock && clock.firstChild?.nodeValue !== parts[0]) clock.replaceChildren(...parts);
  if (shownAt === clockStage()) return;
  shownAt = clockStage();
  draw();
}, 250);
/** Get the skew of this device's clock more exactly than from the page. */
const syncClock = () => synchronise().then((skew) => {
  if (skew !== null) setup.skew = skew;
});

view.isWide = wide.matches;
restoreView(view, isOld);
view.offline = isOld;
const outcome = adoptState(view, view.server);
if (outcome === "saved") view.justSaved = t("hand_saved", { number: view.state.played });
if (!isTouched(view.draft) && ["fans", "tiles", "dispute"].includes(view.route.name)) go("", true);
enterScreen();
show();
void send.deliver.resume().then(() => show());
if (isOld) void refresh();
window.setTimeout(() => {
  void syncClock();
  void installServiceWorker(setup);
  loadEngine(setup, () => {
    if (view.preview?.kind !== "unreachable" && view.proposal?.kind !== "unreachable") return;
    invalidate(); // ask again, now that the engine can answer
    show();
  });
}, IDLE_AFTER);
keepAwake(() => view.state.running && !view.state.is_in);
ring(() => (view.state.is_in ? null : view.state.clock), () => Date.now() + view.setup.skew);
