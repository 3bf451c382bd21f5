// What one look at a page finds: whether it scrolls sideways, which controls are too small, and which are covered.
// Evaluated by look.py; gives {sideways, small, covered}, each a list of sentences.
() => {
  const LEAST = 43.5; // 44 CSS px, but for what a fraction of a pixel rounds away
  const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [tabindex='0']";
  const root = document.scrollingElement;

  /** What may be smaller, or lie under something, and why. */
  const EXEMPT = {
    ".vh, .skip": "for those who hear, or seen once it has the focus",
    "[hidden], [inert]": "not there",
    "canvas, .scroll[tabindex='0']": "scrolled with the arrows, not hit",
  };
  const exempt = Object.keys(EXEMPT).join(", ");
  /** WCAG 2.5.8: a link within a sentence is as high as its line. */
  const inSentence = (one) =>
    one.tagName === "A" && getComputedStyle(one).display === "inline" && one.closest("p, dd, figcaption, caption");
  /** The whole of its box is the target, by a pseudo-element that has no box of its own to measure. */
  const covers = (one) => one.matches(".linked .cover");

  const named = (one) => `<${one.outerHTML.replace(/\s+/g, " ").slice(1, 110)}`;
  const seen = [...document.querySelectorAll(CONTROLS)].filter(
    (one) => one.checkVisibility({ checkVisibilityCSS: true }) && !one.closest(exempt) && one.getClientRects().length,
  );

  const sideways = [];
  if (root.scrollWidth > innerWidth) {
    const shut = (one) => one && (getComputedStyle(one).overflowX !== "visible" || shut(one.parentElement));
    const out = [...document.body.querySelectorAll("*")].filter(
      (one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".vh, svg *") && !shut(one.parentElement),
    );
    sideways.push(`${root.scrollWidth} > ${innerWidth}: ${out.slice(-2).map(named).join(" and ")}`);
  }

  const reached = (one) =>
    [one, ...(one.labels ?? [])]
      .map((part) => part.getBoundingClientRect())
      .some((box) => box.width >= LEAST && box.height >= LEAST);
  const small = seen
    .filter((one) => !inSentence(one) && !covers(one) && !reached(one))
    .map((one) => {
      const { width, height } = one.getBoundingClientRect();
      return `${Math.round(width)}×${Math.round(height)} ${named(one)}`;
    });

  /** What a press in the middle of it meets: "" where that is the control itself, its label or something in it. */
  const meets = (one) => {
    const boxes = [...one.getClientRects()].sort((a, b) => b.width * b.height - a.width * a.height);
    const box = boxes[0];
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return "the edge";
    const hit = document.elementFromPoint(x, y);
    const mine = hit && [one, ...(one.labels ?? [])].some((part) => part.contains(hit));
    return mine ? "" : hit ? named(hit) : "nothing";
  };
  const centred = { block: "center", inline: "center", behavior: "instant" };
  const before = [root.scrollLeft, root.scrollTop];
  let left = seen.filter((one) => getComputedStyle(one).pointerEvents !== "none");
  // Most are met as the page is read through; each that is not is brought to the middle by itself.
  for (let top = 0; top < root.scrollHeight && left.length; top += innerHeight * 0.7) {
    root.scrollTo({ top, behavior: "instant" });
    left = left.filter(meets);
  }
  const covered = left.flatMap((one) => {
    one.scrollIntoView(centred);
    const what = meets(one);
    return what ? [`${named(one)} under ${what}`] : [];
  });
  root.scrollTo({ left: before[0], top: before[1], behavior: "instant" });
  return { sideways, small, covered };
}
