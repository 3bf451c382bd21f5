// Where the focus goes when a page, or a part of it, answers: to what is to be mended, else to what was said, else to what was
// made. Who works with the keyboard goes on from there, and who listens hears it, instead of beginning at the top again.

/** @param {Element | null | undefined} place */
function lead(place) {
  if (!(place instanceof HTMLElement) || document.activeElement !== document.body) return;
  if (place.tabIndex < 0 && !place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.focus();
}

const said = () => document.querySelector("main .error-summary") ?? document.querySelector("main .messages");

// A page that was asked for at one of its places is shown there.
if (!location.hash && !document.querySelector("dialog[open]")) lead(said());

// The button that was pressed went with the part it stood in.
document.addEventListener("htmx:afterSettle", (event) => {
  const { elt, requestConfig } = /** @type {CustomEvent<{elt: Element, requestConfig: {verb: string}}>} */ (event).detail;
  if (requestConfig?.verb !== "get") lead(elt.querySelector(".error-summary, [data-made]") ?? elt);
});
