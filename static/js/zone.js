// Preselects the browser's time zone for a new tournament.
//
//   <div data-zone-of-browser><input list="zones">…<datalist id="zones">…</datalist></div>

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const place of document.querySelectorAll("[data-zone-of-browser]")) {
  const input = place.querySelector("input");
  const known = [...place.querySelectorAll("option")].some((option) => option.value === zone);
  if (input && known) input.value = zone;
}
