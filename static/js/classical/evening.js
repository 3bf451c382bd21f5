// The evening stays on this device: what the page carries is kept after every hand, and offered when one comes back. The page
// works without it.

const KEY = "classical evening";
const carried = /** @type {HTMLInputElement | null} */ (document.querySelector("form input[name=evening][value^='{']"));
const offer = /** @type {HTMLFormElement | null} */ (document.getElementById("kept"));

/** The evening as text; "" for none, or where a browser keeps nothing. */
function kept() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} evening */
function keep(evening) {
  try {
    if (evening) localStorage.setItem(KEY, evening);
    else localStorage.removeItem(KEY);
  } catch {
    // A full or closed store: the page still carries the evening.
  }
}

/** Who plays in an evening; "" for what is none. @param {string} evening @returns {string} */
function namesOf(evening) {
  try {
    return JSON.parse(evening).names.join(" · ");
  } catch {
    return "";
  }
}

if (carried) keep(carried.value);
if (offer && namesOf(kept())) {
  /** @type {HTMLInputElement} */ (offer.querySelector("[name=evening]")).value = kept();
  /** @type {HTMLElement} */ (offer.querySelector("[data-names]")).textContent = namesOf(kept());
  offer.hidden = false;
  offer.querySelector("[data-forget]")?.addEventListener("click", () => {
    keep("");
    offer.hidden = true;
  });
}
