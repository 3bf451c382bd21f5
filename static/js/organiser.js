// Print buttons, buttons that copy a field, and buttons that add an empty row to the rows of their form.
//
//   <button class="js-only" data-print>…</button>
//   <button class="js-only" type="button" data-copy="#link" data-done="Copied">…</button> <input id="link">
//   <button class="js-only" type="button" data-add-row="#new-line">…</button> <template id="new-line"><tr>…</tr></template>

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  if (event.target.closest("[data-print]")) window.print();
  const copier = event.target.closest("[data-copy]");
  if (copier) copy(copier, document.querySelector(copier.dataset.copy));
  const button = event.target.closest("[data-add-row]");
  if (button) addRow(button.form, document.querySelector(button.dataset.addRow));
});

async function copy(button, field) {
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.done;
  } catch {
    field.select(); // no permission to copy: select it, to be copied by hand
  }
}

function addRow(form, template) {
  const total = form.querySelector("[name$=TOTAL_FORMS]");
  const rows = form.querySelector("tbody");
  rows.insertAdjacentHTML("beforeend", template.innerHTML.replaceAll("__prefix__", total.value));
  total.value = Number(total.value) + 1;
  rows.lastElementChild.querySelector("input:not([type=hidden])").focus();
}
