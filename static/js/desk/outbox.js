// What was written and is not with the server yet: kept on this device, in order, until the server has it.
//
// An entry is one write: what is to be done, its own name (uuid), and the draft it came from, should it come back. Where
// it goes is not kept: wire.js knows that when it goes.

/** @typedef {import("./draft.js").Draft} Draft */
/**
 * @typedef {object} Entry
 * @property {number} [order]    the outbox's own number: entries go in this order
 * @property {string} place      which table, among all there are
 * @property {"hand" | "correction" | "penalty"} kind
 * @property {string} uuid
 * @property {object} body       without the table's version, which is only known when it goes
 * @property {number} version    the table's version it was written at
 * @property {number} number     of the hand; 0 for a penalty
 * @property {any} draft         what was being entered
 * @property {any} shown         how the table looks with it: a hand or a penalty as the state has them
 */

const NAME = "hule-desk";
const ENTRIES = "outbox";

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
function written(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

/** @returns {Promise<IDBDatabase | null>} null where the browser keeps nothing: entries then last as long as the page */
async function database() {
  try {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(ENTRIES, { keyPath: "order", autoIncrement: true });
    return await done(opening);
  } catch {
    return null;
  }
}

const open = database();

/** Every entry on this device, in order. @returns {Promise<Entry[]>} */
export async function entries() {
  const base = await open;
  return base ? done(base.transaction(ENTRIES).objectStore(ENTRIES).getAll()) : [];
}

/** Keep an entry; it is on the disk when this returns. @param {Entry} entry */
export async function keep(entry) {
  const base = await open;
  if (!base) return;
  const transaction = base.transaction(ENTRIES, "readwrite", { durability: "strict" });
  const order = transaction.objectStore(ENTRIES).put(entry);
  await written(transaction);
  entry.order = Number(order.result);
}

/** The server has it, or it is being changed. @param {Entry} entry */
export async function drop(entry) {
  const base = await open;
  if (!base || entry.order === undefined) return;
  const transaction = base.transaction(ENTRIES, "readwrite");
  transaction.objectStore(ENTRIES).delete(entry.order);
  await written(transaction);
}
