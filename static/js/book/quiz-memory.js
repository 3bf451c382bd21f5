// Quiz results stored on this device only: streaks of right answers, best times, days. One storage key, cleared by one button.
//
//   {"groups": {"worth easy": {"row": 3, "maximum": 7, "best": 12.4}}, "answered": ["/quiz/worth/easy/17/"],
//    "days": {"row": 2, "last": "2026-05-02", "results": {"2026-05-02": "100-80-100-60-0"}}}

const KEY = "hule quiz";
const RIGHT = 100;
const MAX_ANSWERED = 300; // URLs stored, so that a reloaded page is not counted again
const MAX_RESULTS = 60; // days stored
const DAY = 86_400_000; // ms

const empty = () => ({ groups: {}, answered: [], days: { row: 0, last: "", results: {} } });

/** Everything stored; empty without storage or for invalid data. */
export function load() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return stored && stored.groups && Array.isArray(stored.answered) && stored.days?.results ? stored : empty();
  } catch {
    return empty();
  }
}

/** @param {object} all */
function store(all) {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // no storage: the quiz works without
  }
}

export function forget() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // no storage
  }
}

/** Count an answer once. @param {string} address @param {string} group @param {number} grade @param {number | null} seconds */
export function answered(address, group, grade, seconds) {
  const all = load();
  const record = all.groups[group] ?? { row: 0, maximum: 0, best: null };
  if (all.answered.includes(address)) return record;
  record.row = grade === RIGHT ? record.row + 1 : 0;
  record.maximum = Math.max(record.maximum, record.row);
  if (grade === RIGHT && seconds !== null) record.best = Math.min(record.best ?? seconds, seconds);
  all.groups[group] = record;
  all.answered = [...all.answered, address].slice(-MAX_ANSWERED);
  store(all);
  return record;
}

/** Store the first result of a day; today's extends the days in a row. @param {string} day @param {string} grades @param {boolean} isToday */
export function finished(day, grades, isToday) {
  const all = load();
  const { days } = all;
  if (days.results[day]) return;
  const results = Object.entries({ ...days.results, [day]: grades }).sort().slice(-MAX_RESULTS);
  days.results = Object.fromEntries(results);
  if (isToday) {
    days.row = Date.parse(day) - Date.parse(days.last) === DAY ? days.row + 1 : 1;
    days.last = day;
  }
  store(all);
}
