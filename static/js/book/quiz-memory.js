// What this device remembers of the quiz, and nobody else: rows of right answers, best times, days. One key, one button forgets it.
//
//   {"groups": {"worth easy": {"row": 3, "most": 7, "best": 12.4}}, "answered": ["/quiz/worth/easy/17/"],
//    "days": {"row": 2, "last": "2026-05-02", "results": {"2026-05-02": "100-80-100-60-0"}}}

const KEY = "hule quiz";
const RIGHT = 100;
const ANSWERED = 300; // addresses kept, so that a page that is loaded again is not counted again
const RESULTS = 60; // days kept
const DAY = 86_400_000; // ms

const nothing = () => ({ groups: {}, answered: [], days: { row: 0, last: "", results: {} } });

/** All of it; nothing where a browser keeps nothing, or somebody else wrote there. */
export function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return kept && kept.groups && Array.isArray(kept.answered) && kept.days?.results ? kept : nothing();
  } catch {
    return nothing();
  }
}

/** @param {object} all */
function keep(all) {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // a browser that keeps nothing: the quiz goes on without
  }
}

export function forget() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // nothing was kept
  }
}

/** Counts an answer once. @param {string} address @param {string} group @param {number} grade @param {number | null} seconds */
export function answered(address, group, grade, seconds) {
  const all = remembered();
  const so = all.groups[group] ?? { row: 0, most: 0, best: null };
  if (all.answered.includes(address)) return so;
  so.row = grade === RIGHT ? so.row + 1 : 0;
  so.most = Math.max(so.most, so.row);
  if (grade === RIGHT && seconds !== null) so.best = Math.min(so.best ?? seconds, seconds);
  all.groups[group] = so;
  all.answered = [...all.answered, address].slice(-ANSWERED);
  keep(all);
  return so;
}

/** Keeps a day's result, the first one; today's adds to the days in a row. @param {string} day @param {string} so @param {boolean} isToday */
export function finished(day, so, isToday) {
  const all = remembered();
  const { days } = all;
  if (days.results[day]) return;
  const kept = Object.entries({ ...days.results, [day]: so }).sort().slice(-RESULTS);
  days.results = Object.fromEntries(kept);
  if (isToday) {
    days.row = Date.parse(day) - Date.parse(days.last) === DAY ? days.row + 1 : 1;
    days.last = day;
  }
  keep(all);
}
