// Stores the evening on this device after every hand, and offers it on the start page. The pages work without it.

const KEY = "classical evening";
const carried = /** @type {HTMLInputElement | null} */ (document.querySelector("form input[name=evening][value^='{']"));
const offer = /** @type {HTMLFormElement | null} */ (document.getElementById("saved-evening"));

/** The stored evening as text; "" for none, or without storage. */
function load() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} evening */
function store(evening) {
  try {
    if (evening) localStorage.setItem(KEY, evening);
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is full or disabled: the page still carries the evening.
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

if (carried) store(carried.value);
if (offer && namesOf(load())) {
  /** @type {HTMLInputElement} */ (offer.querySelector("[name=evening]")).value = load();
  /** @type {HTMLElement} */ (offer.querySelector("[data-names]")).textContent = namesOf(load());
  offer.hidden = false;
  offer.querySelector("[data-forget]")?.addEventListener("click", () => {
    store("");
    offer.hidden = true;
  });
}
