// Stores and shows quiz results on this device: streaks of right answers, best times, days in a row.
//
//   <form data-puzzle="/quiz/worth/easy/17/">                       the time runs from here
//   <section data-answered="/quiz/worth/easy/17/" data-group="worth easy" data-grade="80">
//     <p data-says="in a row {n}, best {maximum}" data-time="{time} this time, fastest {best}" hidden>
//   <small data-group="worth easy" data-says="…" data-time="fastest {time}" hidden>     on the first page
//   <section data-day="2026-05-02" data-so="100-80-60-0-100" data-today>            a whole set
//   <a data-result="2026-05-02" hidden>     leads to the stored result   <span data-days data-says="Days in a row: {n}" hidden>
//   <button data-forget data-done="Forgotten." hidden>

import { answered, finished, forget, load } from "./quiz-memory.js";

const puzzle = /** @type {HTMLElement | null} */ (document.querySelector("[data-puzzle]"));
const answer = /** @type {HTMLElement | null} */ (document.querySelector("[data-answered]"));
const set = /** @type {HTMLElement | null} */ (document.querySelector("[data-day]"));
/** @param {string} selector @returns {NodeListOf<HTMLElement>} */
const all = (selector) => document.querySelectorAll(selector);
/** @param {string} address */
const startKey = (address) => `quiz began ${address}`;

/** @param {string} text @param {Record<string, unknown>} values */
const format = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));

/** 7 s, 1:05. @param {number} seconds */
function clock(seconds) {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** @param {HTMLElement} place @param {string[]} parts */
function show(place, parts) {
  place.textContent = parts.filter(Boolean).join(" · ");
  place.hidden = !place.textContent;
}

/** Store when a puzzle was first seen in this window. @param {string} address */
function start(address) {
  try {
    if (!sessionStorage.getItem(startKey(address))) sessionStorage.setItem(startKey(address), String(Date.now()));
  } catch {
    // no storage: no time
  }
}

/** Seconds since the puzzle was first seen, only once. @param {string} address */
function elapsed(address) {
  try {
    const at = Number(sessionStorage.getItem(startKey(address)));
    sessionStorage.removeItem(startKey(address));
    return at ? (Date.now() - at) / 1000 : null;
  } catch {
    return null;
  }
}

/** @param {HTMLElement} section */
function count(section) {
  const { answered: address = "", group = "", grade = "" } = section.dataset;
  if (!grade) return; // what the source does not grade is neither right nor wrong
  const time = elapsed(address);
  const record = answered(address, group, Number(grade), time);
  const place = /** @type {HTMLElement | null} */ (section.querySelector("[data-says]"));
  if (!place) return;
  const { says = "", time: timed = "" } = place.dataset;
  const times = { time: clock(time ?? 0), best: clock(record.best ?? 0) };
  show(place, [record.maximum ? format(says, { n: record.row, maximum: record.maximum }) : "", time === null || record.best === null ? "" : format(timed, times)]);
}

/** Show what is stored in the elements for it. */
function showStored() {
  const { groups, days } = load();
  for (const place of all("small[data-group]")) {
    const record = groups[place.dataset.group ?? ""];
    const { says = "", time = "" } = place.dataset;
    const best = record?.best == null ? "" : format(time, { time: clock(record.best) });
    show(place, record?.maximum ? [format(says, { n: record.row, maximum: record.maximum }), best] : []);
  }
  for (const place of all("[data-days]")) show(place, days.row ? [format(place.dataset.says ?? "", { n: days.row })] : []);
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-result]"))) {
    const grades = days.results[link.dataset.result ?? ""];
    link.hidden = !grades;
    if (grades) link.search = `?so=${grades}`;
  }
}

if (puzzle) start(puzzle.dataset.puzzle ?? "");
if (answer) count(answer);
if (set) finished(set.dataset.day ?? "", set.dataset.so ?? "", set.dataset.today !== undefined);
showStored();
for (const button of all("[data-forget]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    forget();
    showStored();
    button.replaceWith(button.dataset.done ?? "");
  });
}
