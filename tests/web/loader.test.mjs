import assert from "node:assert";
import { beforeEach, mock, test } from "node:test";
import { concerns, Loader } from "../../static/js/loader.js";

const answer = (status, headers = {}) => ({ ok: status === 200, status, headers: { get: (name) => headers[name] ?? null } });
let loads, answers, late, isHidden, loader;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  loads = [];
  answers = [];
  late = [];
  isHidden = false;
  const load = async () => {
    loads.push(Date.now() - 1_000_000);
    const next = answers.shift() ?? answer(200);
    if (next instanceof Error) throw next;
    return next;
  };
  loader = new Loader(load, { isHidden: () => isHidden, onLate: (isLate) => late.push(isLate) });
});

/** Let so many milliseconds pass. */
async function pass(milliseconds) {
  for (let step = 0; step < milliseconds; step += 50) {
    mock.timers.tick(50);
    for (let turn = 0; turn < 5; turn++) await null;
  }
}

test("a change concerns a part of its topic and table", () => {
  const hand = { topics: ["event"], session: 4, table: 2 };
  assert(concerns(hand, "event", "all"));
  assert(concerns(hand, "event", "1/9 4/2"));
  assert(concerns(hand, "event", "4/"));
  assert(!concerns(hand, "event", "1/2 4/9 4/22"));
  assert(!concerns(hand, "event", ""));
  assert(!concerns(hand, "clock", "all"));
  assert(concerns({ topics: ["event"], session: 5 }, "event", "4/2"), "a session's change concerns everybody");
  assert(concerns({ version: 9 }, "clock", ""), "after a reset everything is loaded");
});

test("changes soon after each other are loaded together, and the last is not missed", async () => {
  loader.changed();
  loader.changed();
  await pass(400);
  assert.equal(loads.length, 1);
  loader.changed();
  loader.changed();
  await pass(1_500);
  assert.equal(loads.length, 2);
  assert(loads[1] - loads[0] >= 1_000);
});

test("a refused request is repeated after the time that the server asks for", async () => {
  answers = [answer(429, { "retry-after": "4" })];
  loader.changed();
  await pass(400);
  await pass(3_500);
  assert.equal(loads.length, 1);
  await pass(3_000);
  assert.equal(loads.length, 2);
});

for (const failure of [new TypeError("no network"), answer(503), answer(500)]) {
  test(`the reader is told after ten seconds without success: ${failure.status ?? failure.message}`, async () => {
    answers = Array(20).fill(failure);
    loader.changed();
    await pass(9_500);
    assert.deepEqual(late, []);
    await pass(1_000);
    assert.deepEqual(late, [true]);
    answers = [];
    await pass(20_000);
    assert.equal(late.at(-1), false);
  });
}

test("a page that nobody sees loads nothing until it is seen again", async () => {
  isHidden = true;
  loader.changed();
  await pass(20_000);
  assert.deepEqual([loads, late], [[], []]);
  isHidden = false;
  loader.resume();
  await pass(400);
  assert.equal(loads.length, 1);
  loader.resume();
  await pass(2_000);
  assert.equal(loads.length, 1, "nothing has changed since");
});
