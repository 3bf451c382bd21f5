// The desk: the list narrows while a name is typed; after a tap the next one can be typed at once. Without a script the form
// asks the server for the same (players/selectors/check_in.py, Line.find).
//
//   <form id="find-arrival"> name=q
//   <ul id="arrivals"> <li data-find="12 bjorn lindqvist">     <div id="none-fits" hidden>

const PLAIN = /** @type {Record<string, string>} */ ({ ø: "o", ł: "l", đ: "d", æ: "ae", œ: "oe", ı: "i", þ: "th", ß: "ss" });

/** The page may be drawn anew: it is looked up each time. @returns {HTMLInputElement | null} */
const field = () => document.querySelector("#find-arrival input[type=search]");

/** As scoring/texts.py. @param {string} text */
const folded = (text) =>
  text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replace(/[øłđæœıþß]/g, (one) => PLAIN[one]);

function narrow() {
  const words = folded(field()?.value ?? "").split(/\s+/).filter(Boolean);
  const number = words.length === 1 && /^\d+$/.test(words[0]) ? words[0] : "";
  let left = 0;
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#arrivals > [data-find]"))) {
    const { find = "" } = line.dataset;
    line.hidden = number ? !find.startsWith(`${number} `) : !words.every((word) => find.includes(word));
    if (!line.hidden) left += 1;
  }
  document.getElementById("none-fits")?.toggleAttribute("hidden", left > 0);
}

let tapped = false;

/**
 * After a tap what was typed stays, marked, so that the next letter begins the next name. Either may come first: the answer to
 * the tap, or the list drawn anew because of it, with which the line that was tapped goes.
 */
function next() {
  narrow();
  const typed = field();
  if (!typed || !tapped || document.activeElement === typed) return;
  typed.focus({ preventScroll: true });
  typed.select();
}

document.addEventListener("submit", (event) => {
  if (!(event.target instanceof HTMLFormElement) || event.target.id !== "find-arrival") return;
  event.preventDefault();
  narrow();
});
document.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  tapped = false;
  narrow();
});
document.addEventListener("keydown", () => (tapped = false)); // who goes on by the keyboard is not called back
document.addEventListener("click", (event) => {
  tapped = event.target instanceof Element && Boolean(event.target.closest("#arrivals button"));
});
document.addEventListener("redrawn", next);
document.addEventListener("htmx:afterSettle", next);
narrow();
