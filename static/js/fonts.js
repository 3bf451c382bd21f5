// Whether this machine can draw Chinese names. Where it cannot, fonts/chinese.css fetches our own font, as far as a page needs
// it: a phone that has one under a name no style sheet knows must not fetch half a megabyte for nothing.
//
//   <meta name="chinese-fonts" content="…/chinese.css">

const SIZE = 40;

/** How much ink is in a band of the picture. @param {CanvasRenderingContext2D} pen @param {number} from @param {number} to */
const ink = (pen, from, to) => pen.getImageData(0, from, SIZE, to - from).data.filter((value, at) => at % 4 === 3 && value > 64).length;

/** 一 is one stroke in the middle; the box drawn for want of a font has an edge above it, an empty one has nothing. */
function hasChinese() {
  const pen = Object.assign(document.createElement("canvas"), { width: SIZE, height: SIZE }).getContext("2d", { willReadFrequently: true });
  if (!pen) return true;
  pen.font = `${SIZE}px sans-serif`;
  pen.textBaseline = "middle";
  pen.fillText("一", 0, SIZE / 2);
  const middle = SIZE * 0.3;
  return ink(pen, 0, middle) === 0 && ink(pen, middle, SIZE) > 0;
}

const own = /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name="chinese-fonts"]'))?.content;
if (own && !hasChinese()) document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: own }));
