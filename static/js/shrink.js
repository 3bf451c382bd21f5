// Makes a chosen picture smaller before it is sent: a camera's is too large for a form, and a hall's network is slow.

const LONGEST = 2400; // px of the longer side

document.addEventListener("change", async (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || !("shrink" in input.dataset)) return;
  const chosen = input.files?.[0];
  if (!chosen) return;
  const smaller = await shrink(chosen).catch(() => null); // the server says what is wrong with it
  if (smaller && input.files?.[0] === chosen) input.files = listOf(smaller);
});

/** A picture as a JPEG, upright; null for one that is small enough. @param {File} file */
async function shrink(file) {
  const picture = await createImageBitmap(file);
  const scale = LONGEST / Math.max(picture.width, picture.height);
  if (scale >= 1 && file.type === "image/jpeg") return null;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * Math.min(scale, 1));
  canvas.height = Math.round(picture.height * Math.min(scale, 1));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((/** @type {BlobCallback} */ resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
  return blob && new File([blob], "photograph.jpg", { type: "image/jpeg" });
}

/** @param {File} file */
function listOf(file) {
  const list = new DataTransfer();
  list.items.add(file);
  return list.files;
}
