// The check-in desk: filters the list while a name is typed, and lets the next name be typed right after a tap. Without a
// script the form asks the server for the same (players/selectors/check_in.py, Line.search_text).
//
//   <form id="find-arrival"> name=q
//   <ul id="arrivals"> <li data-find="12 bjorn lindqvist">     <div id="none-fits" hidden>

import { searchWords } from "./names.js";

/** Looked up each time, since the page may be redrawn. @returns {HTMLInputElement | null} */
const field = () => document.querySelector("#find-arrival input[type=search]");

function filter() {
  const words = searchWords(field()?.value ?? "");
  const number = words.length === 1 && /^\d+$/.test(words[0]) ? words[0] : "";
  let count = 0;
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#arrivals > [data-find]"))) {
    const { find = "" } = line.dataset;
    line.hidden = number ? !find.startsWith(`${number} `) : !words.every((word) => find.includes(word));
    if (!line.hidden) count += 1;
  }
  document.getElementById("none-fits")?.toggleAttribute("hidden", count > 0);
}

let wasTapped = false;

/**
 * After a tap the typed text is selected, so that the next letter begins the next name. Called for both the answer to the tap
 * and the redrawn list, which come in any order.
 */
function selectField() {
  filter();
  const input = field();
  if (!input || !wasTapped || document.activeElement === input) return;
  input.focus({ preventScroll: true });
  input.select();
}

document.addEventListener("submit", (event) => {
  if (!(event.target instanceof HTMLFormElement) || event.target.id !== "find-arrival") return;
  event.preventDefault();
  filter();
});
document.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  wasTapped = false;
  filter();
});
document.addEventListener("keydown", () => (wasTapped = false)); // keyboard users keep their focus
document.addEventListener("click", (event) => {
  wasTapped = event.target instanceof Element && Boolean(event.target.closest("#arrivals button"));
});
document.addEventListener("redrawn", selectField);
document.addEventListener("htmx:afterSettle", selectField);
filter();
