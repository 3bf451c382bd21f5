// What was announced of a win beside its tiles: fans by name, points, who else claimed the tile. Steps of a draft.

/** @typedef {any} Draft  the one of draft.js, which imports this file */

/** Whether any fan was named. @param {Draft} draft */
export const hasFans = (draft) => Object.keys(draft.fans).length > 0;

/** Once more of a fan; those it bars go. @param {Draft} draft @param {string} key @param {string[]} [instead] @returns {Draft} */
export function addFan(draft, key, instead = []) {
  const kept = Object.entries(draft.fans).filter(([other]) => !instead.includes(other));
  return { ...draft, fans: { ...Object.fromEntries(kept), [key]: (draft.fans[key] ?? 0) + 1 } };
}

/** @param {Draft} draft @param {string} key @returns {Draft} */
export function removeFan(draft, key) {
  const { [key]: times = 0, ...rest } = draft.fans;
  return { ...draft, fans: times > 1 ? { ...draft.fans, [key]: times - 1 } : rest };
}

/**
 * What follows from the way of winning is picked, until a fan takes its place, and goes when it follows no more.
 * @param {Draft} draft @param {{key: string, won: string, follows: boolean}[]} fans  those of the rulebook @returns {Draft}
 */
export function withWhatFollows(draft, fans) {
  const drawn = draft.by === "fans" && draft.decided && draft.discarder === null;
  const said = fans.some((fan) => fan.won === "drawn" && draft.fans[fan.key]);
  const follows = fans.find((fan) => fan.follows)?.key;
  if (!follows || (drawn && said)) return draft;
  if (drawn) return { ...draft, fans: { ...draft.fans, [follows]: 1 } };
  const alone = Object.keys(draft.fans).length === 1;
  return draft.fans[follows] && (alone || draft.by === "fans") ? removeFan(draft, follows) : draft;
}

/** What was announced is forgotten, and with it that it should count. @param {Draft} draft @returns {Draft} */
export const withoutAnnouncement = (draft) => ({ ...draft, points: 0, fans: {}, overrides: false, override: "" });

/** What was announced: the fans where they were named, else the points. @param {Draft} draft @returns {{fans?: Record<string, number>, points?: number}} */
export function announcedBy(draft) {
  if (draft.by !== "points" && hasFans(draft)) return { fans: draft.fans };
  return draft.points > 0 && draft.by !== "fans" ? { points: draft.points } : {};
}

/** Why it counts against the rulebook, where it does. @param {Draft} draft @returns {{override?: string}} */
export function overrideBy(draft) {
  const announced = Object.keys(announcedBy(draft)).length > 0;
  return draft.overrides && announced ? { override: draft.override.trim() } : {};
}

/**
 * One more who claimed the discard, or one fewer: of those who may win the one next in turn wins.
 * @param {Draft} draft @param {number} player @param {number[]} turn  the players in the order of the turn
 * @param {(player: number) => boolean} isBarred whether somebody may not win @returns {Draft}
 */
export function tapClaimant(draft, player, turn, isBarred) {
  if (draft.winner === null || draft.discarder === null || player === draft.discarder) return draft;
  const all = [draft.winner, ...draft.claimants];
  const left = all.includes(player) ? all.filter((one) => one !== player) : [...all, player];
  if (!left.length) return draft;
  const from = turn.indexOf(draft.discarder);
  const place = (/** @type {number} */ one) => (turn.indexOf(one) - from + turn.length) % turn.length;
  const [winner, ...claimants] = left.sort((one, other) => Number(isBarred(one)) - Number(isBarred(other)) || place(one) - place(other));
  return { ...draft, winner, claimants };
}
