// Loads fonts/chinese.css if the device has no font for Chinese. Tested by drawing, as a phone may have a font under any name and
// should not load half a megabyte for nothing.
//
//   <meta name="chinese-fonts" content="…/chinese.css">

const SIZE = 40;

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

const own = /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name="chinese-fonts"]'))?.content;
if (own && !hasChinese()) document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: own }));
