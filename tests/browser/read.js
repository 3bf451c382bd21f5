// What a page is to somebody who hears it or goes through it with the keyboard. Evaluated by look.py after a Tab, so that the
// browser shows where the focus is; gives {unnamed, unseen, skip}, each a list of sentences.
() => {
  const named = (one) => `<${one.outerHTML.replace(/\s+/g, " ").slice(1, 110)}`;
  const shown = (one) => one.checkVisibility({ checkVisibilityCSS: true }) && one.getClientRects().length;

  const unnamed = [...document.querySelectorAll("table:not([role=presentation])")]
    .filter((one) => shown(one) && !one.caption?.textContent.trim() && !one.getAttribute("aria-label"))
    .map(named);

  const drawn = (one, part) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one, part);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  };
  /** The ring is around the control, the line that a link covers, or the field or choice that a control stands in. */
  const ringed = (one) =>
    drawn(one) || drawn(one, "::after") || [one.closest(".field"), ...(one.labels ?? [])].some((part) => part && drawn(part));
  const unseen = [];
  for (const one of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")) {
    if (!shown(one) || one.disabled) continue;
    one.focus({ preventScroll: true });
    if (document.activeElement === one && !ringed(one)) unseen.push(named(one));
  }

  const to = [...document.querySelectorAll("a.skip")].at(-1);
  const skip = to && document.querySelector(to.hash)?.closest("#main") ? [] : ["no link to the content"];
  document.activeElement?.blur();
  return { unnamed, unseen, skip };
}
