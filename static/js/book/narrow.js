// Narrows a list while a search is typed; without a script the form asks the server for the same (scoring/book/terms.py).
//
//   <form data-narrows="words"> name=q, name=tag
//   <div id="words">  <section> … <… data-find="meld fu lu fulu" data-tags="mcr "> … </section>
//                     <… data-tags="mcr ">     another name: there as long as nothing is searched
//                     <p data-none hidden>     shown when nothing is left

const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-narrows]"));
const list = /** @type {HTMLElement} */ (document.getElementById(form.dataset.narrows ?? ""));
const lines = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[data-tags]")]);
const parts = [...list.querySelectorAll("section")];
const none = list.querySelector("[data-none]");
const opened = new URLSearchParams(location.search);

/** The words to look for, as data-find has them. @param {string} text */
const sought = (text) =>
  text.normalize("NFKD").toLowerCase().replace(/[\p{M}'’]/gu, "").replace(/[胡糊]/g, "和").split(/[^\p{L}\p{N}]+/u).filter(Boolean);

const asked = () => {
  const said = new FormData(form);
  return { words: sought(String(said.get("q") ?? "")), tag: String(said.get("tag") ?? "") };
};

function narrow() {
  const { words, tag } = asked();
  for (const line of lines) {
    const { find, tags = "" } = line.dataset;
    const named = find === undefined ? !words.length : words.every((word) => find.includes(word));
    line.hidden = !named || !tags.includes(tag);
  }
  for (const part of parts) part.hidden = !part.querySelector("[data-tags]:not([hidden])");
  none?.toggleAttribute("hidden", parts.some((part) => !part.hidden));
}

/** A link to what is hidden shows everything first. */
function show() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || target.checkVisibility()) return;
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement) field.type === "radio" ? (field.checked = !field.value) : (field.value = "");
  }
  narrow();
  target.scrollIntoView();
}

// What the server has narrowed is not all there: only a new page can widen it.
if (!opened.get("q") && !opened.get("tag")) {
  form.addEventListener("input", narrow);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    narrow();
  });
  window.addEventListener("hashchange", show);
  narrow();
  show();
}
