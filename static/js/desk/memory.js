// What was entered outlives a reload and the closing of the browser, for this table; so does the table as it was last told,
// for a page that opens without a network.

import { emptyDraft } from "./draft.js";

/** @typedef {import("./view.js").View} View */

const habit = "hule-desk:by"; // of this device, at every table
const place = `hule-desk:${location.pathname}`;

/** @param {View} view */
export function remember(view) {
  const { draft, fix, foul, kept, server, setup } = view;
  try {
    localStorage.setItem(habit, view.by);
    localStorage.setItem(place, JSON.stringify({ draft, fix, foul, kept, server, skew: setup.skew, ends: setup.ends }));
  } catch {
    // storage is full or forbidden: the page works without it
  }
}

/** @param {View} view @param {boolean} isOld the page is as it was last seen, not as the server has it now */
export function recall(view, isOld) {
  try {
    const by = localStorage.getItem(habit);
    if (by === "points" || by === "fans") view.by = by;
    const { server, skew, ends, ...entered } = JSON.parse(localStorage.getItem(place) ?? "{}");
    if (entered.draft) Object.assign(view, entered, { draft: whole(entered.draft), fix: entered.fix && whole(entered.fix) });
    if (!isOld || !server) return;
    if (server.urls && server.version > view.server.version) view.server = server;
    Object.assign(view.setup, { skew, ends });
  } catch {
    localStorage.removeItem(place);
  }
}

/** A draft that an older page left may lack what has come since. @param {import("./draft.js").Draft} kept */
const whole = (kept) => ({ ...emptyDraft(kept.number), ...kept });
