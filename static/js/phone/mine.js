// "This is me": the player of this device, stored in the browser alone, as the pages are the same for everybody. The player's
// card comes first on the event's page, and their lines are marked, with a link to the first of them.
//
//   <p id="me" data-event="/t/spring-open/" data-word="you" hidden><a href="#me">To my line</a>
//   <section id="mine" data-kept hidden>             the place of the player's card
//   <tr data-player="7">                             a line that can be marked
//   <button data-me="7">, <button data-me="">        this is me; not me
//   <p data-shown="nobody" hidden>, data-shown="7"   shown while no player is stored; shown to player 7
//   <details data-opens-for="7 12">                  open for players 7 and 12

import { keepUpToDate } from "../refresh.js";

const lineLink = document.getElementById("me"); // none on a page without lines
const { event = "", word = "" } = lineLink?.dataset ?? {};
const KEY = `${event} me`;
const cardSection = () => document.getElementById("mine");
/** @param {string} selector @returns {NodeListOf<HTMLElement>} */
const all = (selector) => document.querySelectorAll(selector);

/** The stored player's number; "" for none, null if the browser has no storage. */
function loadPlayer() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return null;
  }
}

/** @param {string} number */
function storePlayer(number) {
  if (number) localStorage.setItem(KEY, number);
  else localStorage.removeItem(KEY);
}

/** Add "you" beside the name of a line. @param {HTMLElement} line */
function mark(line) {
  line.classList.add("mine");
  if (line.querySelector(".you")) return;
  const tag = Object.assign(document.createElement("span"), { className: "tag you", textContent: word });
  const link = line.querySelector("a");
  if (link) link.after(" ", tag);
  else (line.querySelector(".grow") ?? line.querySelector("span") ?? line).append(" ", tag);
}

/** @param {HTMLElement} line */
function unmark(line) {
  line.classList.remove("mine");
  line.querySelector(".you")?.remove();
}

/** Update marks, buttons and link to the stored player. */
function update() {
  const player = loadPlayer();
  if (player === null) return;
  for (const line of all("[data-player]")) (player && line.dataset.player === player ? mark : unmark)(line);
  for (const part of all("[data-shown]")) part.hidden = part.dataset.shown !== (player || "nobody");
  const first = document.querySelector(".mine");
  if (first) first.id ||= "my-line";
  if (!lineLink) return;
  lineLink.hidden = !first || Boolean(cardSection());
  if (first) lineLink.querySelector("a")?.setAttribute("href", `#${first.id}`);
}

/** Open what concerns the stored player. The reader may close it. */
function openOwn() {
  const player = loadPlayer();
  for (const fold of document.querySelectorAll("details[data-opens-for]")) {
    if (player && fold.getAttribute("data-opens-for")?.split(" ").includes(player)) fold.setAttribute("open", "");
  }
}

/** Load the player's card; a player who does not exist any more is removed. */
async function loadCard() {
  const section = cardSection();
  const player = loadPlayer();
  if (!section || !player) return;
  const url = `${event}players/${player}/card/`;
  const response = await fetch(url).catch(() => null);
  if (response?.status === 404) removePlayer();
  if (!response?.ok) return;
  section.dataset.refresh = url;
  section.innerHTML = await response.text();
  section.hidden = false;
  keepUpToDate(section);
}

function removePlayer() {
  storePlayer("");
  cardSection()?.remove(); // its refreshing ends with it
  update();
  document.getElementById("main")?.focus({ preventScroll: true }); // the button is gone
}

document.addEventListener("click", (click) => {
  const button = click.target instanceof Element ? click.target.closest("button[data-me]") : null;
  if (!(button instanceof HTMLElement)) return;
  const number = button.dataset.me ?? "";
  if (!number) return removePlayer();
  storePlayer(number);
  if (location.pathname !== `${event}players/${number}/`) return location.assign(event);
  update();
  /** @type {HTMLElement | null} */ (document.querySelector(`[data-shown="${number}"] button`))?.focus();
});
document.addEventListener("redrawn", update);
update();
openOwn();
void loadCard();
