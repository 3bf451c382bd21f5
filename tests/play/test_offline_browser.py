"""The desk without a network: hands are kept and checked, and arrive once and in order."""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from scoring.engine import Hand, score
from tests.browser.desk import Desk, Hall
from tests.scoring.random_hands import random_record
from tests.support.sampling import EXHAUSTIVE, SEED
from tournament.base.engine.rules import rules_named
from tournament.play.engine.preview import preview, read_entry

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


TYPICAL_HANDS = {"Points": 19, "Fans": 13, "Tiles": 24}
"""How a hand may be entered, and what `record_typical_hand` is worth then."""


def record_typical_hand(desk: Desk, depth: str) -> None:
    """South wins from East."""
    desk.enter_win(depth)
    match depth:
        case "Points":
            desk.points("19")
        case "Fans":
            desk.fans("mixed_straight all_chows concealed_hand mixed_double_chow")
        case "Tiles":
            desk.tiles("1m 1m 3m 3m 5p 5p 7p 7p 2s 2s 4s 4s E E")
    desk.save()


# --- without the engine -------------------------------------------------------------------------------------------
def test_hands_recorded_without_a_network_arrive_once_and_in_order(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(1)
    desk.record_points("12")
    desk.expect_saved(1)
    desk.disconnect()
    desk.record_points("24", "West", "South")
    expect(desk.pill).to_have_text("1 waiting")
    expect(desk.page.locator('.seat:has([aria-label^="West"]) .score')).to_have_text("−28")
    desk.record_wash_out()
    expect(desk.pill).to_have_text("2 waiting")
    desk.record_points("8", "North", "East")
    expect(desk.pill).to_have_text("3 waiting")
    expect(desk.page.locator(".question")).to_contain_text("Who won hand 5?")
    desk.connect()
    expect(desk.pill).to_have_class("pill ok")
    assert desk.hands() == [(1, "win", 12), (2, "win", 24), (3, "draw", 0), (4, "win", 8)]


def test_a_disputed_hand_waits_for_the_network_like_any_other(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(4)
    desk.disconnect()
    desk.tap('a:has-text("Score sheet")')
    desk.button("Refer hand 1 to the committee")
    desk.page.get_by_label("What each side claims").fill("Both said hu.")
    desk.save()
    expect(desk.pill).to_have_text("1 waiting")
    desk.record_wash_out()
    expect(desk.pill).to_have_text("2 waiting")
    desk.connect()
    expect(desk.pill).to_have_class("pill ok")
    assert desk.hands() == [(1, "pending", 0), (2, "draw", 0)]
    assert desk.state()["hands"][0]["dispute"] == "Both said hu."


def test_a_reload_without_a_network_loses_nothing_and_shows_the_table(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(2, offline=True)
    desk.wait_until_stored()
    desk.disconnect()
    desk.record_points("16")
    desk.record_wash_out()
    expect(desk.pill).to_have_text("2 waiting")
    desk.page.reload()
    expect(desk.pill).to_have_text("2 waiting")
    expect(desk.page.locator(".question")).to_contain_text("Who won hand 3?")
    expect(desk.page.locator(".banner").first).to_contain_text("No connection")
    desk.record_points("9")
    desk.connect()
    expect(desk.pill).to_have_class("pill ok")
    assert desk.hands() == [(1, "win", 16), (2, "draw", 0), (3, "win", 9)]


AN_UPDATED_SERVER = """
    const moved = (text) => text.replaceAll("/api/v1/", "/api/v2/");
    const parse = JSON.parse;
    JSON.parse = (text) => parse(moved(String(text)));
    Response.prototype.json = async function () { return JSON.parse(await this.text()); };
"""
"""The page and all answers of a server whose addresses are others than they were."""


@pytest.mark.parametrize("after", ["this table is opened", "another table is opened"])
def test_what_waits_reaches_a_server_whose_addresses_have_changed(
    hall: Hall, desk_at: Callable[..., Desk], after: str
) -> None:
    table = 13 if after.startswith("this") else 14
    desk = desk_at(table, context=hall.new_device("uma"))
    desk.record_wash_out()
    desk.expect_saved(1)
    desk.disconnect()
    desk.record_points("16")
    desk.record_wash_out()
    expect(desk.pill).to_have_text("2 waiting")

    desk.page.goto("about:blank")
    desk.context.add_init_script(AN_UPDATED_SERVER)
    desk.context.route("**/api/v1/**", lambda route: route.fulfill(status=404))
    desk.context.route(
        "**/api/v2/**", lambda route: route.continue_(url=route.request.url.replace("v2", "v1"))
    )
    desk.connect()
    here = desk.url if after.startswith("this") else desk.url.replace("/14/", "/15/")
    desk.page.goto(here)

    expect(desk.page.locator(".actions")).to_be_visible()
    expected = [(1, "draw", 0), (2, "win", 16), (3, "draw", 0)]
    for _ in range(50):
        if desk.hands() == expected:
            break
        desk.page.wait_for_timeout(100)
    assert desk.hands() == expected


OLD_PAGE = """
async () => {
  const store = await caches.open("hule-desk-1");
  const page = "<html><script type=module src=/static/js/desk/main.0123456789ab.js></script>as it was";
  await store.put(location.href, new Response(page, { headers: { "Content-Type": "text/html" } }));
}
"""


def test_a_desk_of_an_older_version_goes_on_with_the_new_one(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(19, offline=True)
    desk.wait_until_stored()
    desk.page.evaluate(OLD_PAGE)
    desk.page.reload()
    expect(desk.page.locator(".actions")).to_be_visible()
    desk.disconnect()
    desk.page.reload()
    expect(desk.page.locator(".actions")).to_be_visible()


def test_closing_the_browser_loses_nothing(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(3)
    desk.disconnect()
    desk.record_points("16")
    expect(desk.pill).to_have_text("1 waiting")
    desk.page.close()
    desk.connect()
    desk.page = desk.context.new_page()
    desk.page.goto(desk.url)
    expect(desk.page.locator(".lines")).to_contain_text("16")
    expect(desk.pill).to_have_class("pill ok")
    assert desk.hands() == [(1, "win", 16)]


def test_without_the_engine_a_hand_is_taken_unchecked_and_marked(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(5)
    desk.disconnect()
    desk.enter_win("Tiles")
    desk.button("Chow")
    desk.tiles("1m 4p 5p 6p 7s 8s 9s 2m 2m 2m 5s 5s")
    expect(desk.page.locator("main")).to_contain_text("You can save it anyway")
    desk.save()
    expect(desk.page.locator(".lines")).to_contain_text("waiting, not checked yet")
    desk.connect()
    expect(desk.pill).to_have_class("pill ok")
    assert [number for number, _, _ in desk.hands()] == [1]


def scores_shown(desk: Desk) -> list[int]:
    """As they stand at the seats, lowest first."""
    texts = desk.page.locator(".seat .score").all_inner_texts()
    return sorted(int(text.replace("−", "-")) for text in texts)


def test_points_and_fans_are_in_the_running_scores_without_the_engine(desk_at: Callable[..., Desk]) -> None:
    """Corrections too; what only the engine can count is named."""
    desk = desk_at(17)
    desk.record_points("12")
    desk.expect_saved(1)
    desk.disconnect()
    desk.record_points("24", "West", "South")
    expect(desk.pill).to_have_text("1 waiting")
    record_typical_hand(desk, "Fans")
    expect(desk.pill).to_have_text("2 waiting")
    desk.page.evaluate("() => { location.hash = '#hand-1'; }")
    desk.save()
    desk.points("48")
    desk.save()
    desk.page.get_by_label("Reason").fill("Misheard")
    desk.save()
    expect(desk.pill).to_have_text("3 waiting")
    desk.page.evaluate("() => { location.hash = ''; }")
    expect(desk.page.locator(".seat .unsent")).to_have_count(4)
    shown = scores_shown(desk)
    record_typical_hand(desk, "Tiles")
    expect(desk.pill).to_have_text("4 waiting")
    desk.accuse("Empty call")
    desk.save()
    sum_line = desk.page.locator(".lines [data-key=sum]")
    expect(sum_line).to_contain_text("Hand 4 is not in the scores yet")
    expect(sum_line).to_contain_text("The penalty of")
    desk.connect()
    expect(desk.pill).to_have_class("pill ok")
    expect(desk.page.locator(".unsent")).to_have_count(0)
    sent: Counter[str] = Counter()
    for hand in desk.state()["hands"][:3]:
        sent.update(hand["payments"])
    assert shown == sorted(sent.values())


def test_what_another_device_wrote_meanwhile_is_shown_beside_and_never_overwritten(
    desk_at: Callable[..., Desk],
) -> None:
    mine, theirs = desk_at(6), desk_at(6, "una")
    mine.disconnect()
    mine.record_points("24", "West", "South")
    mine.record_wash_out()
    theirs.record_points("12")
    theirs.expect_saved(1)
    mine.page.route("**/desk/", lambda route: route.abort())  # the refusal of the hand is the first answer
    mine.connect()
    expect(mine.page.locator("main")).to_contain_text("Yours")
    expect(mine.page.locator(".banner")).to_have_count(0)  # it said that there is no connection
    mine.page.unroute("**/desk/")
    assert mine.hands() == [(1, "win", 12)]
    mine.button("Use theirs")
    mine.page.goto(mine.url)
    expect(mine.pill).to_have_class("pill ok")
    assert mine.hands() == [(1, "win", 12), (2, "draw", 0)]


# --- with the engine ----------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def opened_offline(hall: Hall) -> Iterator[Desk]:
    """A desk that was opened without a network, from what its device had stored, and whose engine has loaded so."""
    stored = Desk(hall, 4, offline=True)
    stored.wait_until_stored()
    stored.page.close()
    stored.disconnect()
    desk = Desk(hall, 4, offline=True, engine=True)
    expect(desk.page.locator("html")).to_have_attribute("data-engine", "ready", timeout=60_000)
    yield desk
    assert desk.faults == []


@pytest.fixture
def desk(opened_offline: Desk) -> Iterator[Desk]:
    """The same desk for every test, which leaves nothing in its forms: loading the engine takes ten seconds."""
    opened_offline.connect()
    expect(opened_offline.pill).to_have_class("pill ok")
    yield opened_offline
    opened_offline.connect()


def test_hands_of_every_depth_go_through_a_lost_network(desk: Desk) -> None:
    """They are counted on the device meanwhile, and arrive once and in order."""
    before = len(desk.hands())
    for number, depth in enumerate([*TYPICAL_HANDS] * 3, before + 1):
        if number == before + 3:
            desk.disconnect()
        if number == before + 7:
            expect(desk.pill).to_have_text("4 waiting")
            expect(desk.page.locator(".lines")).not_to_contain_text("not checked yet")
            desk.connect()
            expect(desk.pill).to_have_class("pill ok")
        record_typical_hand(desk, depth)
        expect(desk.page.locator(".lines .no").first).to_have_text(str(number))
    expect(desk.pill).to_have_class("pill ok")
    expected = enumerate([*TYPICAL_HANDS.values()] * 3, before + 1)
    assert desk.hands()[before:] == [(number, "win", points) for number, points in expected]


def texts_of_hand(desk: Desk, flag: str) -> list[str]:
    """Enter a hand; return what the desk says about it."""
    desk.enter_win("Tiles")
    if flag:
        desk.button(flag)
    desk.tiles("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 3p 4p 5s 5s")
    expect(desk.page.locator(".at" if flag else "details summary")).to_be_visible()
    texts = desk.page.locator(".receipt, .pays, details, .at").all_text_contents()
    desk.tap(".back")
    desk.button("Start over")
    return texts


@pytest.mark.parametrize(
    ("flag", "text"),
    [
        ("", "Not counted"),
        (
            "Last of its kind",
            "5 of Bamboos is not the last of its kind: another one is concealed in this hand.",
        ),
    ],
)
def test_without_a_network_the_desk_says_the_same_word_for_word(desk: Desk, flag: str, text: str) -> None:
    online = texts_of_hand(desk, flag)
    assert text in " ".join(online)
    desk.disconnect()
    assert texts_of_hand(desk, flag) == online


def test_penalties_given_without_a_network_cost_what_the_foul_book_says(desk: Desk) -> None:
    desk.accuse("Empty call")
    desk.save()
    expect(desk.page.locator(".pill.ok")).to_have_text("Penalty given")
    desk.disconnect()
    for foul, costs in (("Empty call", "5 points"), ("Empty call", "10 points"), ("False hu", "60 points")):
        desk.accuse(foul)
        expect(desk.page.locator(".sanction h3")).to_contain_text(costs)
        desk.save()
    desk.accuse("False chow", '.pick:has([aria-label^="South"])')
    desk.save()
    expect(desk.pill).to_have_text("4 waiting")
    expect(desk.page.locator('.seat:has([aria-label^="South"])')).to_contain_text("Dead hand")
    desk.seat("South")
    expect(desk.page.locator(".at")).to_contain_text("may not win hand")
    expect(desk.page.locator(".lines [data-key=sum]")).to_contain_text("Penalties paid to nobody: 15")
    shown = scores_shown(desk)
    desk.connect()
    expect(desk.pill).to_have_class("pill ok")
    assert shown == sorted(desk.scores())
    desk.record_wash_out()  # South may win the next hand


def test_the_browser_s_engine_judges_hands_as_the_server_does(desk: Desk) -> None:
    """By their tiles, and some by their fans."""
    setup = json.loads(desk.page.locator("#desk-setup").inner_text())["offline"]
    chance, rules = random.Random(SEED), rules_named("mcr")
    questions = [random_question(chance, rules.to_json()) for _ in range(500 if EXHAUSTIVE else 60)]
    questions += [by_fans(question, chance) for question in questions[: 40 if EXHAUSTIVE else 8]]
    here = [
        preview(rules, question["seats"], question["number"], read_entry(question["hand"]))
        for question in questions
    ]
    there = desk.page.evaluate(IN_THE_WORKER, {"offline": setup, "questions": questions})
    assert there == json.loads(json.dumps(here))
    assert {bool(judgement["problems"]) for judgement in here} == {True, False}


def by_fans(question: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The same hand by the fans it counts, one of which may be forgotten."""
    hand = question["hand"]
    drawn = hand["discarder"] is None
    tiles = {**hand["tiles"], "seat_wind": "E", "prevalent_wind": "E", "self_drawn": drawn}
    for flag in ("replacement", "robbing_kong"):
        tiles[flag] = False
    fans = {line.fan.key: line.count for line in score(Hand.from_json(tiles)).fans}
    if chance.random() < 0.4:
        fans.popitem()
    return {**question, "hand": {**hand, "tiles": None, "fans": fans or {"chicken_hand": 1}}}


def random_question(chance: random.Random, rules: Any) -> dict[str, Any]:
    """A random hand at a random moment, as a desk sends it."""
    derived_fields = ("seat_wind", "prevalent_wind", "self_drawn")
    tiles = {name: value for name, value in random_record(chance).items() if name not in derived_fields}
    winner, discarder = chance.sample((1, 2, 3, 4), 2)
    hand = {
        "outcome": "win",
        "winner": winner,
        "discarder": chance.choice((discarder, None)),
        "tiles": tiles,
    }
    seats = {"E": 1, "S": 2, "W": 3, "N": 4}
    return {"rules": rules, "seats": seats, "number": chance.randint(1, 16), "hand": hand}


IN_THE_WORKER = """({ offline: { pyodide, engines }, questions }) => new Promise((resolve) => {
  const answers = [];
  const take = ({ data }) => {
    answers[Number(data.id.slice(5))] = data.answer ?? data.fault;
    if (answers.length < questions.length) return;
    engine.removeEventListener("message", take);
    resolve(answers);
  };
  engine.addEventListener("message", take);
  questions.forEach((question, at) => engine.postMessage({ id: `test-${at}`, pyodide, engines, question }));
})"""
