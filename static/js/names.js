// What a search for names is for, as tournament/base/engine/names.py (search_words), which prepares the texts it is held against.

const LETTERS = /** @type {Record<string, string>} */ ({
  ø: "o", œ: "o", æ: "a", ł: "l", đ: "d", ð: "d", þ: "th", ħ: "h", ŧ: "t", ı: "i", ß: "ss", ς: "σ",
});
const UNSPACED = /[々-〇ぁ-ゖゝ-ゟァ-ヺー-ヿㇰ-ㇿ㐀-䶿一-鿿가-힣豈-﫿\u{20000}-\u{3ffff}]/gu;

/** @param {string} text */
const folded = (text) =>
  text.replaceAll("´", "'").toLowerCase().normalize("NFKD").toLowerCase()
    .replace(/(?![\u3099\u309a])[\p{M}\p{Cf}'’‘‛ʼʻʽʹʾʿ′`׳]/gu, "")
    .normalize("NFC")
    .replace(/[øœæłđðþħŧıßς]/g, (char) => LETTERS[char])
    .replace(/(?<=a)[ae]+|(?<=o)e+|(?<=u)(?<![qx]u)e+(?=[\p{L}])(?!e)/gu, "");

/** The words, each maybe the beginning of one, or one character of Han, kana or hangul. @param {string} query */
export const searchWords = (query) =>
  folded(query).replace(UNSPACED, " $& ").split(/[^\p{L}\p{N}@.]+/u)
    .map((word) => word.replace(/^\.+|\.+$/g, "").replace(/(?<=u)e+$/, ""))
    .filter(Boolean);
