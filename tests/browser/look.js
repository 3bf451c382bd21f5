// Finds whether a page scrolls sideways, which controls are too small or covered, which letters are clipped and which words
// broken. Evaluated by look.py; returns {sideways, small, covered, clipped, broken}, each a list of sentences.
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
    const isCutOff = (element) =>
      element && (getComputedStyle(element).overflowX !== "visible" || isCutOff(element.parentElement));
    const overflowing = [...document.body.querySelectorAll("*")].filter(
      (element) =>
        element.getBoundingClientRect().right > innerWidth + 1 &&
        !element.closest(".vh, svg *") &&
        !isCutOff(element.parentElement),
    );
    sideways.push(`${root.scrollWidth} > ${innerWidth}: ${overflowing.slice(-2).map(describe).join(" and ")}`);
  }

  /** The target of a link within a row may be enlarged by a pseudo-element (css/controls.css). */
  const targetOf = (element) => {
    const { content, position, width, height } = getComputedStyle(element, "::before");
    return content !== "none" && position === "absolute" ? { width: parseFloat(width), height: parseFloat(height) } : { width: 0, height: 0 };
  };
  const isLargeEnough = (element) =>
    [targetOf(element), ...[element, ...(element.labels ?? [])].map((part) => part.getBoundingClientRect())].some(
      (box) => box.width >= LEAST && box.height >= LEAST,
    );
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

  // --- Letters and words -----------------------------------------------------------------------------------
  const LETTERS = "Gjpqyç Орлова";
  const LONGEST = 20;
  const CODE = "code, pre, .code, .secret, .vh, svg, script, style, textarea, select, option";
  const ADDRESS = /[^\s][@/\\_.:][^\s]|\d/; // parts of an address or of a key have nothing to do with words
  const WORD = /[\p{Script=Latin}\p{Script=Cyrillic}\p{M}]{2,}/gu;
  const context = document.createElement("canvas").getContext("2d");
  const fontOf = (element) => {
    const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(element);
    return `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  };
  /** The element that cuts off what is below it; null if a scroll bar reaches it. */
  const clippingParent = (element) => {
    const { overflowY } = element ? getComputedStyle(element) : { overflowY: "auto" };
    if (overflowY === "visible") return clippingParent(element.parentElement);
    return overflowY === "hidden" || overflowY === "clip" ? element : null;
  };
  const isClipped = (element, lines) => {
    const parent = clippingParent(element);
    if (!parent || parent === document.body || parent === root) return false;
    context.font = fontOf(element);
    const { fontBoundingBoxAscent: ascent, actualBoundingBoxDescent: descent } = context.measureText(LETTERS);
    const bottom = parent.getBoundingClientRect().bottom - parseFloat(getComputedStyle(parent).borderBottomWidth);
    return lines.some((line) => line.top + line.height / 2 < bottom && line.top + ascent + descent > bottom + 0.5);
  };
  /** Words that a column cannot be made for: longer than any in the interface, or half as wide as a screen. */
  const isWideWord = (element, word) => {
    context.font = fontOf(element);
    return word.length > LONGEST || context.measureText(word).width > innerWidth / 2;
  };
  const hasLargeText = parseFloat(getComputedStyle(document.documentElement).fontSize) > 16; // words may break then
  /** Text for screen readers alone is clipped to nothing. */
  const isClippedAway = (element) => element && (getComputedStyle(element).clipPath === "inset(50%)" || isClippedAway(element.parentElement));
  const isShown = (element) => element.checkVisibility({ checkVisibilityCSS: true }) && !isClippedAway(element);
  const clipped = [];
  const broken = [];
  const range = document.createRange();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    if (!text.data.trim() || element.closest(CODE) || !isShown(element)) continue;
    range.selectNodeContents(text);
    const lines = [...range.getClientRects()];
    if (/\p{L}/u.test(text.data) && isClipped(element, lines)) clipped.push(`${text.data.trim()} in ${describe(element)}`);
    if (lines.length < 2 || hasLargeText) continue;
    for (const token of text.data.matchAll(/\S+/gu)) {
      if (ADDRESS.test(token[0])) continue;
      for (const word of token[0].matchAll(WORD)) {
        range.setStart(text, token.index + word.index);
        range.setEnd(text, token.index + word.index + word[0].length);
        if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size < 2) continue;
        if (!isWideWord(element, word[0])) broken.push(`${word[0]} in ${describe(element)}`);
      }
    }
  }
  return { sideways, small, covered, clipped, broken };
}
