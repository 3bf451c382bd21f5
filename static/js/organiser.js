// Print buttons.
//
//   <button class="js-only" data-print>…</button>

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-print]")) window.print();
});
