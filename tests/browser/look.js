// Finds whether a page scrolls sideways, and which controls are too small or covered. Evaluated by look.py; returns
// {sideways, small, covered}, each a list of sentences.
() => {
  const LEAST = 43.5; // 44 CSS px, with tolerance for fractions of a pixel
  const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [tabindex='0']";
  const root = document.scrollingElement;

  /** Elements that may be smaller or covered, with the reason. */
  const EXEMPT = {
    ".vh, .skip": "for screen readers, or visible only with the focus",
    "[hidden], [inert]": "not shown",
    "canvas, .scroll[tabindex='0']": "scrolled with the arrow keys, not pressed",
  };
  const exempt = Object.keys(EXEMPT).join(", ");
  /** WCAG 2.5.8: links within a sentence are exempt. */
  const inSentence = (element) =>
    element.tagName === "A" && getComputedStyle(element).display === "inline" && element.closest("p, dd, figcaption, caption");
  /** Links whose target is the whole card, by a pseudo-element that cannot be measured. */
  const covers = (element) => element.matches(".linked .cover");

  const describe = (element) => `<${element.outerHTML.replace(/\s+/g, " ").slice(1, 110)}`;
  const controls = [...document.querySelectorAll(CONTROLS)].filter(
    (element) => element.checkVisibility({ checkVisibilityCSS: true }) && !element.closest(exempt) && element.getClientRects().length,
  );

  const sideways = [];
  if (root.scrollWidth > innerWidth) {
    const isClipped = (element) =>
      element && (getComputedStyle(element).overflowX !== "visible" || isClipped(element.parentElement));
    const overflowing = [...document.body.querySelectorAll("*")].filter(
      (element) =>
        element.getBoundingClientRect().right > innerWidth + 1 &&
        !element.closest(".vh, svg *") &&
        !isClipped(element.parentElement),
    );
    sideways.push(`${root.scrollWidth} > ${innerWidth}: ${overflowing.slice(-2).map(describe).join(" and ")}`);
  }

  const isLargeEnough = (element) =>
    [element, ...(element.labels ?? [])]
      .map((part) => part.getBoundingClientRect())
      .some((box) => box.width >= LEAST && box.height >= LEAST);
  const small = controls
    .filter((element) => !inSentence(element) && !covers(element) && !isLargeEnough(element))
    .map((element) => {
      const { width, height } = element.getBoundingClientRect();
      return `${Math.round(width)}×${Math.round(height)} ${describe(element)}`;
    });

  /** Return what covers the middle of a control; "" if that is the control itself, its label or a part of it. */
  const coveredBy = (element) => {
    const boxes = [...element.getClientRects()].sort((a, b) => b.width * b.height - a.width * a.height);
    const box = boxes[0];
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return "the edge";
    const hit = document.elementFromPoint(x, y);
    const isOwn = hit && [element, ...(element.labels ?? [])].some((part) => part.contains(hit));
    return isOwn ? "" : hit ? describe(hit) : "nothing";
  };
  const centred = { block: "center", inline: "center", behavior: "instant" };
  const before = [root.scrollLeft, root.scrollTop];
  let remaining = controls.filter((element) => getComputedStyle(element).pointerEvents !== "none");
  // Most controls are uncovered while the page is scrolled through; each of the others is then scrolled to the centre.
  for (let top = 0; top < root.scrollHeight && remaining.length; top += innerHeight * 0.7) {
    root.scrollTo({ top, behavior: "instant" });
    remaining = remaining.filter(coveredBy);
  }
  const covered = remaining.flatMap((element) => {
    element.scrollIntoView(centred);
    const cover = coveredBy(element);
    return cover ? [`${describe(element)} under ${cover}`] : [];
  });
  root.scrollTo({ left: before[0], top: before[1], behavior: "instant" });
  return { sideways, small, covered };
}
