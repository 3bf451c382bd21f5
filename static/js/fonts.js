// Loads Chinese characters if the device has no font for them. Tested by drawing, as a phone may have a font under any name and
// should load nothing for nothing. A page in another language gets a font of the characters in its names, a few kilobytes;
// one in Chinese, or with very many of them, a style sheet of fonts of half a megabyte and more.
//
//   <meta name="chinese-fonts" content="…/chinese.css" data-font="/chinese.woff2">

const SIZE = 40;
const CHINESE = /[\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]/g;
const MAX_CHARACTERS = 500; // characters of one font, as tournament/web/display.py has it

/** Count the drawn pixels in a band of rows. @param {CanvasRenderingContext2D} pen @param {number} from @param {number} to */
const ink = (pen, from, to) => pen.getImageData(0, from, SIZE, to - from).data.filter((value, at) => at % 4 === 3 && value > 64).length;

/** 一 is one stroke in the middle; the box for a missing glyph has an edge above it, or nothing is drawn. */
function hasChinese() {
  const pen = Object.assign(document.createElement("canvas"), { width: SIZE, height: SIZE }).getContext("2d", { willReadFrequently: true });
  if (!pen) return true;
  pen.font = `${SIZE}px sans-serif`;
  pen.textBaseline = "middle";
  pen.fillText("一", 0, SIZE / 2);
  const middle = SIZE * 0.3;
  return ink(pen, 0, middle) === 0 && ink(pen, middle, SIZE) > 0;
}

const meta = /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name="chinese-fonts"]'));
/** @type {Set<string>} */
const loaded = new Set();

const loadAll = () => document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: meta?.content }));

/** Load a font of the characters on the page that no other has. */
async function loadPage() {
  const text = [...document.body.children].map((part) => (part instanceof HTMLScriptElement ? "" : part.textContent)).join("");
  const characters = [...new Set(text.match(CHINESE))].filter((character) => !loaded.has(character)).sort();
  const isFull = loaded.size > MAX_CHARACTERS;
  characters.forEach((character) => loaded.add(character));
  if (characters.length === 0 || isFull) return;
  if (loaded.size > MAX_CHARACTERS) return loadAll();
  const url = `${meta?.dataset.font}?text=${encodeURIComponent(characters.join(""))}`;
  const unicodeRange = characters.map((character) => `U+${character.charCodeAt(0).toString(16)}`).join();
  await new FontFace("Hule Names", `url("${url}")`, { unicodeRange }).load().then((font) => document.fonts.add(font), loadAll);
}

if (meta && !hasChinese()) {
  if (!meta.dataset.font || document.documentElement.lang.startsWith("zh")) loadAll();
  else {
    void loadPage();
    document.addEventListener("redrawn", () => void loadPage());
  }
}
