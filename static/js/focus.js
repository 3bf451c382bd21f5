// Moves the focus after a page or a part of it was loaded: to errors, else to messages, else to new content, so that users of
// keyboards and screen readers continue there.

/** @param {Element | null | undefined} element */
function focusOn(element) {
  if (!(element instanceof HTMLElement) || document.activeElement !== document.body) return;
  if (element.tabIndex < 0 && !element.hasAttribute("tabindex")) element.tabIndex = -1;
  element.focus();
}

const feedback = () => document.querySelector("main .error-summary") ?? document.querySelector("main .messages");

// A fragment in the URL has precedence.
if (!location.hash && !document.querySelector("dialog[open]")) focusOn(feedback());

// The pressed button was replaced together with its part.
document.addEventListener("htmx:afterSettle", (event) => {
  const { elt, requestConfig } = /** @type {CustomEvent<{elt: Element, requestConfig: {verb: string}}>} */ (event).detail;
  if (requestConfig?.verb !== "get") focusOn(elt.querySelector(".error-summary, [data-made]") ?? elt);
});
