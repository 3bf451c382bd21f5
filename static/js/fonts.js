// Whether this machine can draw Chinese names. Where it cannot, the style sheets (css/base.css) may fetch our own font: a phone
// that has one under a name no style sheet knows must not fetch half a megabyte for nothing.

const SIZE = 40;

/** How much ink is in a band of the picture. @param {CanvasRenderingContext2D} pen @param {number} from @param {number} to */
const ink = (pen, from, to) => pen.getImageData(0, from, SIZE, to - from).data.filter((value, at) => at % 4 === 3 && value > 64).length;

/** 一 is one stroke in the middle; the box drawn for want of a font has an edge above it, an empty one has nothing. */
function hasChinese() {
  const pen = Object.assign(document.createElement("canvas"), { width: SIZE, height: SIZE }).getContext("2d");
  if (!pen) return true;
  pen.font = `${SIZE}px sans-serif`;
  pen.textBaseline = "middle";
  pen.fillText("一", 0, SIZE / 2);
  const middle = SIZE * 0.3;
  return ink(pen, 0, middle) === 0 && ink(pen, middle, SIZE) > 0;
}

if (!hasChinese()) document.documentElement.classList.add("no-chinese");
