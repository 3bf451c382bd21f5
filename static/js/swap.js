// Two players change seats by tapping their seats, or by dragging one seat onto the other (a finger has to press for a moment
// first, so that the page still scrolls). Enter chooses too, Escape clears. The choice is written to the form, and htmx loads
// the effect of the exchange.
//
//   <form id="choice" hx-trigger="change" hx-target="#effect">…<select name="first">…<select name="second">…<select name="session">
//   <form id="seats"><input name="shown" value="3">…<button class="pick" value="12" data-name="Ada Byron" aria-pressed="false">
//   <p id="swap-status" data-none data-one data-two>   <button id="swap-clear" hidden>   <div id="effect">

const HOLD = 250; // ms until the press of a finger starts a drag
const SLOP = 8; // px that a press may wander and still be a tap
const EDGE = 72; // px from the top or bottom of the window where a drag scrolls

const choice = /** @type {HTMLFormElement | null} */ (document.getElementById("choice"));
const seats = /** @type {HTMLFormElement | null} */ (document.getElementById("seats"));
const statusText = document.getElementById("swap-status");
const clearButton = document.getElementById("swap-clear");

/** The seats chosen, at most two. @type {HTMLButtonElement[]} */
let chosen = [];
/** A press that may become a drag. @type {{seat: HTMLButtonElement, x: number, y: number, timer: number, ghost?: HTMLElement} | null} */
let press = null;
let dragged = false;

/** @param {string} name @param {string} value */
function setField(name, value) {
  const field = choice?.elements.namedItem(name);
  if (field instanceof HTMLSelectElement) field.value = value;
}

/** @param {string} text @param {Record<string, string>} names */
const fillPlaceholders = (text, names) => text.replace(/\{(\w+)\}/g, (_, name) => names[name] ?? "");

function showStatus() {
  const [first, second] = chosen.map((seat) => seat.dataset.name ?? "");
  const { none = "", one = "", two = "" } = statusText?.dataset ?? {};
  if (statusText) {
    const text = second ? two : first ? one : none;
    statusText.textContent = fillPlaceholders(text, { name: first, one: first, other: second });
  }
  if (clearButton) clearButton.hidden = !first;
}

/** @param {HTMLButtonElement[]} selection */
function setChosen(selection) {
  chosen = selection;
  for (const seat of seats?.querySelectorAll(".pick") ?? [])
    seat.setAttribute("aria-pressed", String(selection.some((selected) => selected === seat)));
  document.getElementById("effect")?.replaceChildren(); // it shows the effect of the previous choice
  showStatus();
}

/** The seats of the players chosen in the lists. @returns {HTMLButtonElement[]} */
function seatsOfLists() {
  const values = ["first", "second"].map((name) => choice?.elements.namedItem(name));
  const numbers = values.map((field) => (field instanceof HTMLSelectElement ? field.value : ""));
  const buttons = numbers.map((number) => number && seats?.querySelector(`.pick[value="${number}"]`));
  return buttons.filter((seat) => seat instanceof HTMLButtonElement);
}

/** @param {HTMLButtonElement[]} selection */
function choose(selection) {
  setChosen(selection);
  setField("first", selection[0]?.value ?? "");
  setField("second", selection[1]?.value ?? "");
  if (selection.length < 2) return;
  const session = choice?.elements.namedItem("session");
  const shown = seats?.elements.namedItem("shown");
  // Unless every session is chosen, the seats pointed at are those of the session that is shown.
  if (session instanceof HTMLSelectElement && session.value && shown instanceof HTMLInputElement) session.value = shown.value;
  choice?.dispatchEvent(new Event("change", { bubbles: true }));
}

/** @param {HTMLButtonElement} seat */
function tap(seat) {
  if (chosen.length === 1 && chosen[0] === seat) choose([]);
  else choose(chosen.length === 1 ? [chosen[0], seat] : [seat]);
}

/** The seat under a point, other than the one dragged. @param {PointerEvent} event @returns {HTMLButtonElement | null} */
function seatUnder(event) {
  const seat = document.elementFromPoint(event.clientX, event.clientY)?.closest(".pick");
  return seat instanceof HTMLButtonElement && seat !== press?.seat ? seat : null;
}

function startDrag() {
  if (!press || press.ghost) return;
  dragged = true;
  choose([press.seat]);
  press.ghost = document.createElement("div");
  press.ghost.className = "ghost";
  press.ghost.setAttribute("aria-hidden", "true");
  press.ghost.textContent = press.seat.dataset.name ?? "";
  document.body.append(press.ghost);
  moveGhost(press.x, press.y);
}

/** @param {number} x @param {number} y */
function moveGhost(x, y) {
  if (press?.ghost) press.ghost.style.transform = `translate(${x}px, ${y}px)`;
  if (y < EDGE) window.scrollBy(0, -EDGE / 6);
  else if (y > window.innerHeight - EDGE) window.scrollBy(0, EDGE / 6);
}

function endPress() {
  if (!press) return;
  window.clearTimeout(press.timer);
  press.ghost?.remove();
  press = null;
  for (const seat of seats?.querySelectorAll(".over") ?? []) seat.classList.remove("over");
  window.setTimeout(() => (dragged = false));
}

/** @param {PointerEvent} event */
function onPointerDown(event) {
  const seat = event.target instanceof Element && event.target.closest(".pick");
  if (!(seat instanceof HTMLButtonElement) || event.button || !event.isPrimary) return;
  const timer = event.pointerType === "mouse" ? 0 : window.setTimeout(startDrag, HOLD);
  press = { seat, x: event.clientX, y: event.clientY, timer };
}

/** @param {PointerEvent} event */
function onPointerMove(event) {
  if (!press || !event.isPrimary) return;
  const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLOP;
  if (!press.ghost && far && event.pointerType !== "mouse") return endPress(); // the finger scrolls
  if (!press.ghost && far) startDrag();
  if (!press.ghost) return;
  moveGhost(event.clientX, event.clientY);
  const over = seatUnder(event);
  for (const seat of seats?.querySelectorAll(".pick") ?? []) seat.classList.toggle("over", seat === over);
}

/** @param {PointerEvent} event */
function onPointerUp(event) {
  const target = press?.ghost && seatUnder(event);
  if (press && target) choose([press.seat, target]);
  endPress();
}

/** @param {KeyboardEvent} event */
function onKeyDown(event) {
  if (event.key !== "Escape" || !chosen.length) return;
  const [first] = chosen;
  endPress();
  choose([]);
  first.focus();
}

/** A player was chosen from a list; htmx sees the event only once there are two. @param {Event} event */
function onChange(event) {
  if (event.target === choice) return;
  setChosen(seatsOfLists());
  const pair = ["first", "second"].map((name) => choice?.elements.namedItem(name));
  if (pair.some((field) => field instanceof HTMLSelectElement && !field.value)) event.stopPropagation();
}

function start() {
  if (!choice) return;
  const lists = choice.querySelector("details.lists");
  if (lists instanceof HTMLDetailsElement) lists.open = false;
  chosen = seatsOfLists();
  showStatus();
  choice.addEventListener("change", onChange, { capture: true });
  clearButton?.addEventListener("click", () => choose([]));
  seats?.addEventListener("click", (event) => {
    const seat = event.target instanceof Element && event.target.closest(".pick");
    event.preventDefault();
    if (seat instanceof HTMLButtonElement && !dragged) tap(seat);
  });
  seats?.addEventListener("pointerdown", onPointerDown);
  seats?.addEventListener("touchmove", (event) => press?.ghost && event.preventDefault(), { passive: false });
  seats?.addEventListener("contextmenu", (event) => press && event.preventDefault());
  document.addEventListener("pointermove", onPointerMove);
  document.addEventListener("pointerup", onPointerUp);
  document.addEventListener("pointercancel", endPress);
  document.addEventListener("keydown", onKeyDown);
}

start();
