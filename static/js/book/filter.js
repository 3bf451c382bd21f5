// Filters a list while a search is typed; without a script the form asks the server for the same (scoring/book/terms.py).
//
//   <form data-narrows="words"> name=q, name=tag
//   <div id="words">  <section> … <… data-find="meld fu lu fulu" data-tags="mcr "> … </section>
//                     <… data-tags="mcr ">     another name: shown while nothing is searched
//                     <p data-none hidden>     shown when nothing is left

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-narrows]"));
const list = /** @type {HTMLElement} */ (document.getElementById(form.dataset.narrows ?? ""));
const lines = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[data-tags]")]);
const parts = [...list.querySelectorAll("section")];
const none = list.querySelector("[data-none]");
const query = new URLSearchParams(location.search);

/** The search words of a text, normalised like data-find. @param {string} text */
const searchWords = (text) =>
  text.normalize("NFKD").toLowerCase().replace(/[\p{M}'’]/gu, "").replace(/[胡糊]/g, "和").replaceAll("么", "幺").split(/[^\p{L}\p{N}]+/u).filter(Boolean);

const readFilter = () => {
  const data = new FormData(form);
  return { words: searchWords(String(data.get("q") ?? "")), tag: String(data.get("tag") ?? "") };
};

function applyFilter() {
  const { words, tag } = readFilter();
  for (const line of lines) {
    const { find, tags = "" } = line.dataset;
    const matches = find === undefined ? !words.length : words.every((word) => find.includes(word));
    line.hidden = !matches || !tags.includes(tag);
  }
  for (const part of parts) part.hidden = !part.querySelector("[data-tags]:not([hidden])");
  none?.toggleAttribute("hidden", parts.some((part) => !part.hidden));
}

/** A link to a hidden term clears the filter first. */
function show() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || target.checkVisibility()) return;
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement) field.type === "radio" ? (field.checked = !field.value) : (field.value = "");
  }
  applyFilter();
  target.scrollIntoView();
}

// A list filtered by the server is incomplete: only a new page can widen it.
if (!query.get("q") && !query.get("tag")) {
  form.addEventListener("input", applyFilter);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    applyFilter();
  });
  window.addEventListener("hashchange", show);
  applyFilter();
  show();
}
