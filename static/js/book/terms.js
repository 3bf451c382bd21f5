// A glossary term in a text is a link. Hovered or focused it shows its explanation in a popover; the first tap of a finger does
// the same, the second follows the link. Escape closes the popover.
//
//   <a class="term" href="/glossary/#meld" aria-describedby="term-meld">melded</a>   scoring/templatetags/book.py
//   <span class="term-note" popover="manual" id="term-meld">…</span>                 once a page

const EDGE = 8; // px to the edge of the window
/** @type {HTMLElement | null} */
let open = null;

/** @param {EventTarget | null} target @returns {HTMLAnchorElement | null} */
const termOf = (target) => (target instanceof Element ? target.closest("a.term") : null);
/** @param {HTMLAnchorElement} term */
const noteOf = (term) => document.getElementById(term.getAttribute("aria-describedby") ?? "");

function hide() {
  open?.hidePopover();
  open = null;
}

/** Under the word, or above it where there is no room, within the window. @param {HTMLElement} note @param {DOMRect} word */
function place(note, word) {
  const { width, height } = note.getBoundingClientRect();
  const below = word.bottom + height + EDGE <= innerHeight;
  note.style.left = `${Math.max(EDGE, Math.min(word.left, innerWidth - width - EDGE))}px`;
  note.style.top = `${below ? word.bottom : Math.max(EDGE, word.top - height)}px`;
}

/** @param {HTMLAnchorElement} term */
function show(term) {
  const note = noteOf(term);
  if (!note || note === open) return;
  hide();
  note.showPopover();
  place(note, term.getClientRects()[0]);
  open = note;
}

document.addEventListener("pointerover", (event) => {
  const term = termOf(event.target);
  if (event.pointerType === "mouse" && term) show(term);
});
document.addEventListener("pointerout", (event) => {
  const to = event.relatedTarget;
  if (event.pointerType === "mouse" && !termOf(to) && !(to instanceof Node && open?.contains(to))) hide();
});
document.addEventListener("focusin", (event) => {
  const term = termOf(event.target);
  if (term?.matches(":focus-visible")) show(term);
  else hide();
});
document.addEventListener("focusout", hide);
document.addEventListener("click", (event) => {
  const term = termOf(event.target);
  const byFinger = event instanceof PointerEvent && event.pointerType === "touch";
  if (!term) hide();
  else if (byFinger && noteOf(term) !== open) {
    event.preventDefault();
    show(term);
  }
});
document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
document.addEventListener("scroll", hide, { passive: true });
