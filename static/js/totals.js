// Totals typed from paper (templates/play/paper.html): checks each table's sum while typing, shows the fourth total that follows,
// and moves to the next field on Enter. Without a script the server checks when the page is sent.
//
//   <form id="paper" data-right data-more data-less data-missing data-comma data-none>
//   <fieldset data-open data-table="3" data-unpaid="0"> input.number[name$="points_12"] … <output>

const MINUS = /[−–—]/g;
const page = /** @type {HTMLFormElement | null} */ (document.getElementById("paper"));

/** @param {ParentNode} table */
const totals = (table) =>
  /** @type {HTMLInputElement[]} */ ([...table.querySelectorAll('input.number[name*="points_"]:not([name$="best_points"])')]);

/** The number in a field; null if it is empty, NaN if it is not an integer. @param {HTMLInputElement} field */
function parsed(field) {
  const text = field.value.normalize("NFKC").replace(MINUS, "-").replace(/\s/g, "");
  if (!text) return null;
  return /^[+-]?\d{1,9}$/.test(text) ? Number(text) : NaN;
}

/** Format with a minus sign. @param {number} n */
const formatted = (n) => String(n).replace("-", "−");

/** @param {HTMLElement} table */
function check(table) {
  const fields = totals(table);
  const figures = fields.map(parsed);
  const out = table.querySelector("output");
  const right = -Number(table.dataset.unpaid ?? 0);
  const empty = figures.filter((figure) => figure === null).length;
  const sum = figures.reduce((/** @type {number} */ all, figure) => all + (figure ?? 0), 0);
  fields.forEach((field, at) => {
    field.placeholder = empty === 1 && figures[at] === null && !Number.isNaN(sum) ? formatted(right - sum) : "";
  });
  if (!out || !page) return;
  out.className = "";
  out.textContent = "";
  if (Number.isNaN(sum) || empty > 1) return;
  const off = empty === 1 ? 0 : sum - right;
  out.className = off ? "wrong" : "right";
  const text = off > 0 ? page.dataset.more : off < 0 ? page.dataset.less : page.dataset.right;
  out.textContent = (text ?? "").replace("{n}", String(Math.abs(off)));
}

/** Whether a table is complete: at least three valid totals. @param {HTMLElement} table */
const isComplete = (table) => {
  const figures = totals(table).map(parsed);
  return figures.filter((figure) => figure === null).length <= 1 && !figures.some(Number.isNaN);
};

function showMissing() {
  const place = document.getElementById("missing");
  if (!place || !page) return;
  const open = /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("fieldset[data-open][data-table]"));
  const left = [...open].filter((table) => !isComplete(table)).map((table) => table.dataset.table);
  const tables = left.join(page.dataset.comma);
  place.textContent = (left.length ? page.dataset.missing?.replace("{tables}", tables) : page.dataset.none) ?? "";
}

/** The next field; a fourth total that follows by itself is skipped. @param {HTMLElement} field */
function nextField(field) {
  const all = /** @type {HTMLElement[]} */ ([
    ...(page?.querySelectorAll("input.number, select, .savebar button, .form-actions button") ?? []),
  ]);
  const follows = (/** @type {HTMLElement} */ other) =>
    other instanceof HTMLInputElement && other.placeholder !== "" && !other.value;
  return all.slice(all.indexOf(field) + 1).find((other) => !follows(other));
}

page?.addEventListener("input", (event) => {
  const table = event.target instanceof Element && event.target.closest("fieldset[data-open]");
  if (!(table instanceof HTMLElement)) return;
  check(table);
  showMissing();
});
page?.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Enter" || event.isComposing || !(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) return;
  const following = nextField(field);
  if (!following) return;
  event.preventDefault();
  following.focus();
  if (following instanceof HTMLInputElement) following.select();
});
for (const table of /** @type {NodeListOf<HTMLElement>} */ (page?.querySelectorAll("fieldset[data-open]") ?? [])) check(table);
if (page && !document.querySelector(".error-summary")) totals(page)[0]?.focus({ preventScroll: true });
