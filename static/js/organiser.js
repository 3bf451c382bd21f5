// Pages to print have a button for it.
//
//   <button class="js-only" data-print>…</button>

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-print]")) window.print();
});
