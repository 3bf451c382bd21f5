// "This is me": asked once an event and kept on this device alone, for the pages are the same for everybody. Then the player's
// own card stands first on the event's page, and their lines are marked, with a link to the first of them.
//
//   <p id="me" data-event="/t/spring-open/" data-word="you" hidden><a href="#me">To my line</a>
//   <section id="mine" data-kept hidden>             takes the player's card
//   <tr data-player="7">                             a line that is marked
//   <button data-me="7">, <button data-me="">        this is me; not me
//   <p data-shown="nobody" hidden>, data-shown="7"   shown while nobody is kept; to player 7

import { keepUpToDate } from "../refresh.js";

const place = document.getElementById("me"); // none on a page that has no lines
const { event = "", word = "" } = place?.dataset ?? {};
const KEY = `${event} me`;
const page = () => document.getElementById("mine");
/** @param {string} selector @returns {NodeListOf<HTMLElement>} */
const all = (selector) => document.querySelectorAll(selector);

/** The player's number; "" for nobody, null where a browser keeps nothing. */
function kept() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return null;
  }
}

/** @param {string} number */
function keep(number) {
  if (number) localStorage.setItem(KEY, number);
  else localStorage.removeItem(KEY);
}

/** A line's own word beside the name. @param {HTMLElement} line */
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

/** Everything on the page that follows from who is kept. */
function show() {
  const me = kept();
  if (me === null) return;
  for (const line of all("[data-player]")) (me && line.dataset.player === me ? mark : unmark)(line);
  for (const part of all("[data-shown]")) part.hidden = part.dataset.shown !== (me || "nobody");
  const first = document.querySelector(".mine");
  if (first) first.id ||= "my-line";
  if (!place) return;
  place.hidden = !first || Boolean(page());
  place.querySelector("a")?.setAttribute("href", `#${first?.id}`);
}

/** The player's card; one who is gone is forgotten. */
async function fill() {
  const here = page();
  const me = kept();
  if (!here || !me) return;
  const address = `${event}players/${me}/card/`;
  const answer = await fetch(address).catch(() => null);
  if (answer?.status === 404) forget();
  if (!answer?.ok) return;
  here.dataset.refresh = address;
  here.innerHTML = await answer.text();
  here.hidden = false;
  keepUpToDate(here);
}

function forget() {
  keep("");
  page()?.remove(); // what keeps it up to date ends with it
  show();
  document.getElementById("main")?.focus({ preventScroll: true }); // the button is gone
}

document.addEventListener("click", (press) => {
  const button = press.target instanceof Element ? press.target.closest("button[data-me]") : null;
  if (!(button instanceof HTMLElement)) return;
  const number = button.dataset.me ?? "";
  if (!number) return forget();
  keep(number);
  if (location.pathname !== `${event}players/${number}/`) return location.assign(event);
  show();
  /** @type {HTMLElement | null} */ (document.querySelector(`[data-shown="${number}"] button`))?.focus();
});
document.addEventListener("redrawn", show);
show();
void fill();
