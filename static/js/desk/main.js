// The desk: one table, from the first tile to the sheet handed in. This file draws, listens, and follows what other devices
// write. All there is to show is in view.js, the hand being entered in draft.js; what a tap means is in actions.js, what a
// hand comes to in judging.js, what is written in send.js and, until the server has it, in outbox.js.

import { ring } from "../gong.js";
import { synchronise } from "../time.js";
import { actions, fields } from "./actions.js";
import { ask } from "./api.js";
import { install, keepAwake, ordered, recall, remember } from "./device.js";
import { h, patch, speak, t } from "./dom.js";
import { byFans, isTouched } from "./draft.js";
import { announcementBand, announcements, clockParts, stageOf, undoable } from "./frame.js";
import { asker, prepare } from "./judging.js";
import { isWritten, keys, typed } from "./keyboard.js";
import { fansScreen } from "./screens/announced.js";
import { extraTimeScreen, inTimeScreen, lateScreen } from "./screens/clock.js";
import { foulScreen } from "./screens/foul.js";
import { appealScreen, cancelScreen, handScreen, sheetScreen, signingScreen } from "./screens/sheet.js";
import { conflictScreen, tableScreen } from "./screens/table.js";
import { tilesScreen } from "./screens/tiles.js";
import { sender } from "./send.js";
import { adopt, canUndo, current, doubt, isConfirming, isFixing, isFolded, makeView, opinion, recorded, rival, routeOf } from "./view.js";

const SETTLED = 2_000; // ms after which the page has its first hand on the screen, and the line is free for what can wait
const REST = 300; // where a button takes the place of another: long enough for a double tap to pass
const read = (/** @type {string} */ id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

const setup = read("desk-setup");
const isOld = document.documentElement.dataset.kept !== undefined; // from the service worker: there is no network
setup.skew = isOld ? 0 : Date.parse(setup.now) - Date.now(); // this device's clock may be wrong; the server's is everybody's
setup.fans = ordered(setup.fans);
speak(setup);
const view = makeView(setup, read("desk-state"));
const phone = /** @type {HTMLElement} */ (document.querySelector(".phone"));

// --- drawing --------------------------------------------------------------------------------------------------------
const { inquire, forget } = asker(view, draw, noteNetwork);
let shown = "";

function draw() {
  const { header, main, tight = false, footer = null, sheet = false, peek = "" } = screenOf();
  const content = [tight ? null : announcementBand(view), ...main].flat(2).filter((node) => node instanceof Node);
  const middle = h("main", { id: "main", tabindex: -1, class: sheet ? "sheet" : tight ? "tight" : null }, content);
  phone.classList.toggle("scrim", sheet);
  const parts = [header, peek && h("p", { class: "peek" }, peek), middle, footer];
  patch(phone, /** @type {Node[]} */ (parts.filter((node) => node instanceof Node)));
  hurry();
  if (shown !== location.hash) {
    shown = location.hash;
    window.scrollTo(0, 0);
  }
}

/** Which screen an address shows: the table unless something else is there to be done. @returns {import("./frame.js").Screen} */
function screenOf() {
  const { route } = view;
  const draft = current(view);
  const theirs = ["table", "fans", "tiles", "fix", "fix-fans", "fix-tiles"].includes(route.name) && !view.busy ? rival(view, draft) : null;
  if (theirs) return conflictScreen(view, theirs);
  if (view.asking && view.asking === draft && !view.busy) return inTimeScreen(view);
  const penalty = view.state.penalties.find((/** @type {any} */ penalty) => penalty.uuid === route.arg);
  if (route.name === "foul" && view.foul) return foulScreen(view);
  if (route.name === "late") return lateScreen(view);
  if (route.name === "extra-time" && view.state.may_give_time) return extraTimeScreen(view);
  if (route.name === "appeal" && view.state.may_appeal) return appealScreen(view);
  if (route.name === "sheet") return sheetScreen(view);
  if (route.name === "hand" && recorded(view, Number(route.arg))) return handScreen(view);
  if (route.name === "hand-in" && view.state.played) return signingScreen(view);
  if (route.name === "cancel" && penalty && !penalty.cancelled) return cancelScreen(view, penalty);
  const open = route.name.startsWith("fix") ? isFixing(view) : view.state.may_record;
  if (open && route.name.endsWith("fans") && draft.decided && byFans(draft)) return fansScreen(view);
  const entering = open && route.name.endsWith("tiles");
  if (entering && (draft.decided || (draft.outcome === "draw" && isFixing(view)))) return tilesScreen(view);
  return tableScreen(view);
}

/** What Enter was pressed for, or Save tapped, is done as soon as it can be. */
function hurry() {
  if (view.eager !== current(view)) view.eager = null; // it was for another hand, or what is entered has changed
  if (opinion(view)?.problems.length && (!doubt(view) || isConfirming(view))) view.eager = null; // it cannot be saved as it is
  const main = view.eager && phone.querySelector(".savebar .primary:enabled");
  if (!(main instanceof HTMLElement)) return;
  view.eager = null;
  queueMicrotask(() => main.click());
}

/** Draw the screen, after going to another one when a hash is given. @param {string} [hash] */
function show(hash) {
  if (hash !== undefined) go(hash, true);
  remember(view);
  inquire();
  draw();
}

/** @param {string} hash @param {boolean} [replace] a screen that is done with is not to come back */
function go(hash, replace = false) {
  const url = hash || location.pathname + location.search;
  if (location.hash === hash) return;
  if (replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  turn();
}

/** Another screen: notices and problems of the last one are over. */
function turn() {
  view.route = routeOf(location.hash);
  if (view.route.name.startsWith("fix") && view.fix?.number !== Number(view.route.arg)) view.fix = null;
  Object.assign(view, { problems: [], typing: "", eager: null, asking: null });
  if (!view.unsaved) view.notice = null;
}

// --- following what other devices write --------------------------------------------------------------------------------
let refreshing = false;
let stale = false;

async function refresh() {
  if (view.busy || refreshing) {
    stale = true;
    return;
  }
  refreshing = true;
  const answer = await ask(view.server.urls.desk);
  refreshing = false;
  noteNetwork(answer.kind);
  if (answer.kind === "ok" && !view.busy) {
    const before = view.state.version;
    const { number } = view.draft;
    const fate = adopt(view, answer.data.state);
    if (view.state.version !== before) forget();
    if (fate === "saved") Object.assign(view, { justSaved: t("hand_saved", { number }), unsaved: false, notice: null });
    if (rival(view, current(view))) view.notice = null; // the conflict says it all
    if (fate === "same") view.notice = { kind: "ok", title: t("same_saved", { number }) };
    show(fate && ["fans", "tiles"].includes(view.route.name) ? "" : undefined);
  }
  if (stale) {
    stale = false;
    void refresh();
  }
}

/** Whether the server was there; when it is back, what waits goes. @param {string} kind */
function noteNetwork(kind) {
  const was = view.offline;
  view.offline = kind === "unreachable";
  if (!view.offline && view.waiting.length) send.deliver.now();
  if (was !== view.offline) draw();
}

document.body.addEventListener("live", (event) => {
  const entry = /** @type {CustomEvent} */ (event).detail;
  const here = entry?.session === view.state.session && entry?.table === view.state.table;
  if (entry?.topics?.includes("screens")) return; // what the hall is shown changes no table
  const isNews = here ? entry.table_version === undefined || entry.table_version > view.state.version : entry?.table === undefined;
  if (isNews) void refresh();
});
document.body.addEventListener("live:stands", () => {
  if (view.waiting.length) send.deliver.now(); // not when the outbox would next have tried: that may be half a minute
  if (view.offline) void refresh();
});
window.addEventListener("online", () => {
  if (view.opinion?.kind !== "ok") forget();
  send.deliver.now();
  void refresh();
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void refresh();
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) void refresh();
});

// --- listening ----------------------------------------------------------------------------------------------------------
const send = sender(view, show);
const does = actions(view, send, go);
const takes = fields(view);

/** Run an action and draw what came of it. @param {() => void} step */
function run(step) {
  const [folded, confirming] = [isFolded(view), isConfirming(view)];
  view.eager = null;
  step();
  if ((!folded && isFolded(view)) || (!confirming && isConfirming(view))) rest();
  show();
}

/** Other buttons stand where one was just tapped: they wait a moment, then the page takes the focus of the key that is gone. */
function rest() {
  view.resting = true;
  window.setTimeout(() => {
    view.resting = false;
    draw();
    if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
  }, REST);
}

phone.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-do]") : null;
  if (!button || button.getAttribute("aria-disabled") === "true") return;
  const act = does[button.getAttribute("data-do") ?? ""];
  run(() => act(button.getAttribute("data-arg") ?? ""));
});

phone.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  const take = takes[field.dataset.input ?? ""];
  if (take) run(() => take(field.value));
});

const pressed = keys(view, does);

document.addEventListener("keydown", (event) => {
  if (isWritten(event)) return;
  const { name } = view.route;
  const meant = ["tiles", "fix-tiles"].includes(name) && !isFolded(view) ? () => typed(view, event) : () => ["table", "fix"].includes(name) && pressed(event.key);
  run(() => {
    if (meant()) event.preventDefault();
  });
});

window.addEventListener("hashchange", () => {
  turn();
  show();
});

window.setInterval(() => {
  const over = (/** @type {boolean} */ still, /** @type {string} */ button) => !still && phone.querySelector(`[data-do="${button}"]`);
  if (phone.querySelector("[data-late]") || over(canUndo(view), "undo") || over(Boolean(undoable(view)), "undo-penalty")) draw();
}, 1000);

/** The same second as on every screen in the hall, and what the end of the session means once it is near. */
const moment = () => `${stageOf(view)} ${announcements(view).length}`;
let shownAt = moment();
window.setInterval(() => {
  const clock = phone.querySelector("[data-clock]");
  const parts = clockParts(view);
  if (clock && clock.firstChild?.nodeValue !== parts[0]) clock.replaceChildren(...parts);
  if (shownAt === moment()) return;
  shownAt = moment();
  draw();
}, 250);
/** More exactly than by when the page was made. */
const agree = () => synchronise().then((skew) => {
  if (skew !== null) setup.skew = skew;
});

recall(view, isOld);
view.offline = isOld;
const fate = adopt(view, view.server);
if (fate === "saved") view.justSaved = t("hand_saved", { number: view.state.played });
if (!isTouched(view.draft) && ["fans", "tiles"].includes(view.route.name)) go("", true);
turn();
show();
void send.deliver.resume().then(() => show());
if (isOld) void refresh();
window.setTimeout(() => {
  void agree();
  void install(setup);
  prepare(setup, () => {
    if (view.opinion?.kind !== "unreachable" && view.proposal?.kind !== "unreachable") return;
    forget(); // it was asked about before anybody here could answer
    show();
  });
}, SETTLED);
keepAwake(() => view.state.running && !view.state.is_in);
ring(() => (view.state.is_in ? null : view.state.clock), () => Date.now() + view.setup.skew);
