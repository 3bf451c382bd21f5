// Two players change seats: the seats themselves are what one chooses with. Tap one and then another, or drag one onto the other
// (a finger holds for a moment first, so that the page still scrolls); Enter does the same, Escape lets go. The two go into
// the form, and htmx asks it what the exchange does.
//
//   <form id="choice" hx-trigger="change" hx-target="#effect">…<select name="one">…<select name="other">…<select name="session">
//   <form id="seats"><input name="shown" value="3">…<button class="pick" value="12" data-name="Ada Byron" aria-pressed="false">
//   <p id="held" data-none data-one data-two>   <button id="let-go" hidden>   <div id="effect">

const HOLD = 250; // ms until a finger lifts a seat
const SLOP = 8; // px that a press may wander and still be a tap
const EDGE = 72; // px from the top or bottom of the window where a drag scrolls

const choice = /** @type {HTMLFormElement | null} */ (document.getElementById("choice"));
const seats = /** @type {HTMLFormElement | null} */ (document.getElementById("seats"));
const held = document.getElementById("held");
const letGo = document.getElementById("let-go");

/** The seats chosen, at most two. @type {HTMLButtonElement[]} */
let chosen = [];
/** A press that may become a drag. @type {{seat: HTMLButtonElement, x: number, y: number, timer: number, ghost?: HTMLElement} | null} */
let press = null;
let dragged = false;

/** @param {string} name @param {string} value */
function fill(name, value) {
  const field = choice?.elements.namedItem(name);
  if (field instanceof HTMLSelectElement) field.value = value;
}

/** @param {string} text @param {Record<string, string>} names */
const worded = (text, names) => text.replace(/\{(\w+)\}/g, (_, name) => names[name] ?? "");

function tell() {
  const [one, other] = chosen.map((seat) => seat.dataset.name ?? "");
  const { none = "", one: first = "", two = "" } = held?.dataset ?? {};
  if (held) held.textContent = other ? worded(two, { one, other }) : one ? worded(first, { name: one }) : none;
  if (letGo) letGo.hidden = !one;
}

/** @param {HTMLButtonElement[]} wanted */
function mark(wanted) {
  chosen = wanted;
  for (const seat of seats?.querySelectorAll(".pick") ?? [])
    seat.setAttribute("aria-pressed", String(wanted.some((one) => one === seat)));
  document.getElementById("effect")?.replaceChildren(); // what it did for others would mislead
  tell();
}

/** The seats of those whom the lists name. @returns {HTMLButtonElement[]} */
function listed() {
  const values = ["one", "other"].map((name) => choice?.elements.namedItem(name));
  const numbers = values.map((field) => (field instanceof HTMLSelectElement ? field.value : ""));
  const found = numbers.map((number) => number && seats?.querySelector(`.pick[value="${number}"]`));
  return found.filter((seat) => seat instanceof HTMLButtonElement);
}

/** @param {HTMLButtonElement[]} wanted */
function choose(wanted) {
  mark(wanted);
  fill("one", wanted[0]?.value ?? "");
  fill("other", wanted[1]?.value ?? "");
  if (wanted.length < 2) return;
  const session = choice?.elements.namedItem("session");
  const shown = seats?.elements.namedItem("shown");
  // Whoever wants every session says so; any other session is not the one that was pointed at.
  if (session instanceof HTMLSelectElement && session.value && shown instanceof HTMLInputElement) session.value = shown.value;
  choice?.dispatchEvent(new Event("change", { bubbles: true }));
}

/** @param {HTMLButtonElement} seat */
function tap(seat) {
  if (chosen.length === 1 && chosen[0] === seat) choose([]);
  else choose(chosen.length === 1 ? [chosen[0], seat] : [seat]);
}

/** The seat under a point, other than the one dragged. @param {PointerEvent} event @returns {HTMLButtonElement | null} */
function under(event) {
  const seat = document.elementFromPoint(event.clientX, event.clientY)?.closest(".pick");
  return seat instanceof HTMLButtonElement && seat !== press?.seat ? seat : null;
}

function lift() {
  if (!press || press.ghost) return;
  dragged = true;
  choose([press.seat]);
  press.ghost = document.createElement("div");
  press.ghost.className = "ghost";
  press.ghost.setAttribute("aria-hidden", "true");
  press.ghost.textContent = press.seat.dataset.name ?? "";
  document.body.append(press.ghost);
  move(press.x, press.y);
}

/** @param {number} x @param {number} y */
function move(x, y) {
  if (press?.ghost) press.ghost.style.transform = `translate(${x}px, ${y}px)`;
  if (y < EDGE) window.scrollBy(0, -EDGE / 6);
  else if (y > window.innerHeight - EDGE) window.scrollBy(0, EDGE / 6);
}

function drop() {
  if (!press) return;
  window.clearTimeout(press.timer);
  press.ghost?.remove();
  press = null;
  for (const seat of seats?.querySelectorAll(".over") ?? []) seat.classList.remove("over");
  window.setTimeout(() => (dragged = false));
}

/** @param {PointerEvent} event */
function pressed(event) {
  const seat = event.target instanceof Element && event.target.closest(".pick");
  if (!(seat instanceof HTMLButtonElement) || event.button || !event.isPrimary) return;
  const timer = event.pointerType === "mouse" ? 0 : window.setTimeout(lift, HOLD);
  press = { seat, x: event.clientX, y: event.clientY, timer };
}

/** @param {PointerEvent} event */
function moved(event) {
  if (!press || !event.isPrimary) return;
  const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLOP;
  if (!press.ghost && far && event.pointerType !== "mouse") return drop(); // the finger scrolls
  if (!press.ghost && far) lift();
  if (!press.ghost) return;
  move(event.clientX, event.clientY);
  const over = under(event);
  for (const seat of seats?.querySelectorAll(".pick") ?? []) seat.classList.toggle("over", seat === over);
}

/** @param {PointerEvent} event */
function released(event) {
  const target = press?.ghost && under(event);
  if (press && target) choose([press.seat, target]);
  drop();
}

/** @param {KeyboardEvent} event */
function typed(event) {
  if (event.key !== "Escape" || !chosen.length) return;
  const [first] = chosen;
  drop();
  choose([]);
  first.focus();
}

/** Something was chosen from a list; until there are two, htmx has nothing to ask. @param {Event} event */
function changed(event) {
  if (event.target === choice) return;
  mark(listed());
  const pair = ["one", "other"].map((name) => choice?.elements.namedItem(name));
  if (pair.some((field) => field instanceof HTMLSelectElement && !field.value)) event.stopPropagation();
}

function start() {
  if (!choice) return;
  const lists = choice.querySelector("details.lists");
  if (lists instanceof HTMLDetailsElement) lists.open = false;
  chosen = listed();
  tell();
  choice.addEventListener("change", changed, { capture: true });
  letGo?.addEventListener("click", () => choose([]));
  seats?.addEventListener("click", (event) => {
    const seat = event.target instanceof Element && event.target.closest(".pick");
    event.preventDefault();
    if (seat instanceof HTMLButtonElement && !dragged) tap(seat);
  });
  seats?.addEventListener("pointerdown", pressed);
  seats?.addEventListener("touchmove", (event) => press?.ghost && event.preventDefault(), { passive: false });
  seats?.addEventListener("contextmenu", (event) => press && event.preventDefault());
  document.addEventListener("pointermove", moved);
  document.addEventListener("pointerup", released);
  document.addEventListener("pointercancel", drop);
  document.addEventListener("keydown", typed);
}

start();
