// Finds tables without a name, controls without a focus ring or with a clipped one, and a missing skip link. Evaluated by
// look.py after a Tab, so that the browser shows the focus; returns {unnamed, unseen, cut, skip}, each a list of sentences.
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
  /** The ring may be around the control, its field or its label, or around its pseudo-element. */
  const ringed = (element) => [element, element.closest(".field"), ...(element.labels ?? [])].find((part) => part && hasOutline(part));
  const hasRing = (element) => Boolean(ringed(element)) || hasOutline(element, "::after");
  /** Return the container that hides a part of the ring around an element that is itself whole; undefined for none. */
  const cutBy = (element) => {
    const { outlineOffset, outlineWidth } = getComputedStyle(element);
    const reach = parseFloat(outlineOffset) + parseFloat(outlineWidth) - 1;
    const box = element.getBoundingClientRect();
    const isWithin = (outer, margin) =>
      box.left - margin >= outer.left - 1 && box.right + margin <= outer.right + 1 &&
      box.top - margin >= outer.top - 1 && box.bottom + margin <= outer.bottom + 1;
    for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
      const outer = parent.getBoundingClientRect();
      if (getComputedStyle(parent).overflow !== "visible" && isWithin(outer, 0) && !isWithin(outer, reach)) return parent;
    }
  };
  const unseen = [];
  const cut = [];
  for (const element of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")) {
    if (!isShown(element) || element.disabled) continue;
    element.focus({ preventScroll: true });
    if (document.activeElement !== element) continue;
    if (!hasRing(element)) unseen.push(describe(element));
    const ring = ringed(element);
    const container = ring && cutBy(ring);
    if (container) cut.push(`${describe(element)} by ${describe(container)}`);
  }

  const link = [...document.querySelectorAll("a.skip")].at(-1);
  const skip = link && document.querySelector(link.hash)?.closest("#main") ? [] : ["no link to the content"];
  document.activeElement?.blur();
  return { unnamed, unseen, cut, skip };
}
