// What was entered outlives a reload, in this tab and for this table only.

/** @typedef {import("./view.js").View} View */

const habit = "hule-desk:by"; // of this device, at every table
const place = `hule-desk:${location.pathname}`;

/** @param {View} view */
export function remember(view) {
  try {
    localStorage.setItem(habit, view.by);
    sessionStorage.setItem(place, JSON.stringify({ draft: view.draft, fix: view.fix, foul: view.foul }));
  } catch {
    // storage is full or forbidden: the page works without it
  }
}

/** @param {View} view */
export function recall(view) {
  try {
    if (localStorage.getItem(habit) === "points") view.by = "points";
    const kept = JSON.parse(sessionStorage.getItem(place) ?? "null");
    if (kept?.draft) Object.assign(view, kept);
  } catch {
    sessionStorage.removeItem(place);
  }
}
