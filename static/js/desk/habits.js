// What this device wins with: the fans used most, and lately, stand first, so that a usual hand needs no searching.

const PLACE = "hule-desk:fans";
const FADING = 0.97; // what one more hand leaves of all before it

/** @returns {Record<string, number>} */
function used() {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? "{}");
  } catch {
    return {};
  }
}

/** A hand with these fans was saved. @param {Record<string, number>} fans */
export function learn(fans) {
  const faded = Object.entries(used()).map(([key, weight]) => [key, weight * FADING]);
  const weights = Object.fromEntries(faded);
  for (const key of Object.keys(fans)) weights[key] = (weights[key] ?? 0) + 1;
  try {
    localStorage.setItem(PLACE, JSON.stringify(weights));
  } catch {
    // storage is full or forbidden: the order stays as it is
  }
}

/** The fans in the order to list them. @template {{key: string}} T @param {T[]} fans as the server sent them @returns {T[]} */
export function ordered(fans) {
  const weights = used();
  return [...fans].sort((one, other) => (weights[other.key] ?? 0) - (weights[one.key] ?? 0));
}
