// Finds tables without a name, controls without a focus ring, and a missing skip link. Evaluated by look.py after a Tab, so
// that the browser shows the focus; returns {unnamed, unseen, skip}, each a list of sentences.
() => {
  const describe = (element) => `<${element.outerHTML.replace(/\s+/g, " ").slice(1, 110)}`;
  const isShown = (element) => element.checkVisibility({ checkVisibilityCSS: true }) && element.getClientRects().length;

  const unnamed = [...document.querySelectorAll("table:not([role=presentation])")]
    .filter((table) => isShown(table) && !table.caption?.textContent.trim() && !table.getAttribute("aria-label"))
    .map(describe);

  const hasOutline = (element, pseudo) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element, pseudo);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  };
  /** The ring may be around the control, its pseudo-element, its field or its label. */
  const hasRing = (element) =>
    hasOutline(element) ||
    hasOutline(element, "::after") ||
    [element.closest(".field"), ...(element.labels ?? [])].some((part) => part && hasOutline(part));
  const unseen = [];
  for (const element of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")) {
    if (!isShown(element) || element.disabled) continue;
    element.focus({ preventScroll: true });
    if (document.activeElement === element && !hasRing(element)) unseen.push(describe(element));
  }

  const link = [...document.querySelectorAll("a.skip")].at(-1);
  const skip = link && document.querySelector(link.hash)?.closest("#main") ? [] : ["no link to the content"];
  document.activeElement?.blur();
  return { unnamed, unseen, skip };
}
