"""The umpire's desk under a thumb: taps are counted, the line is cut, a second device interferes."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.browser.desk import PHONE, Desk, Hall
from tests.browser.look import axe_violations
from tests.support.sampling import sample

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

SMALL_PHONE = {"width": 360, "height": 640}


# --- recording ------------------------------------------------------------------------------------------------
def test_taps_of_every_way_to_record(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(1)
    # by tiles, one claimed chow
    desk.seat("South")
    desk.seat("East")
    desk.button("Chow")
    desk.tiles("1m 4p 5p 6p 7s 8s 9s 2m 2m 2m 5s 5s")
    expect(desk.page.locator(".receipt")).to_contain_text("Mixed Straight")
    desk.save()
    desk.expect_saved(1)
    assert desk.taps == 16
    assert sum(desk.scores()) == 0

    # fully concealed and self-drawn
    desk.taps = 0
    desk.seat("East")
    desk.seat("East")
    desk.tiles("1m 1m 3m 3m 5p 5p 7p 7p 2s 2s 4s 4s E E")
    desk.save()
    desk.expect_saved(2)
    assert desk.taps == 17

    # a wash-out
    desk.taps = 0
    desk.record_wash_out()
    desk.expect_saved(3)
    assert desk.taps == 2

    # a foul
    desk.taps = 0
    desk.accuse("False hu")
    expect(desk.page.locator(".sanction")).to_contain_text("20 points to each")
    desk.save()
    expect(desk.page.locator(".pill.ok")).to_have_text("Penalty given")
    assert desk.taps == 4

    state = desk.state()
    assert (state["played"], state["unpaid"], len(state["penalties"])) == (3, 0, 1)
    expect(desk.page.locator(".lines")).to_contain_text("The four scores add up to 0.")


def test_the_hand_of_the_design_with_kong_and_flower(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(2)
    desk.seat("South")
    desk.seat("East")
    desk.button("Chow")
    desk.tiles("1m")
    desk.button("Concealed kong")
    desk.tiles("P")
    expect(desk.page.locator('button[data-key="P"]')).to_have_attribute("aria-disabled", "true")
    desk.tiles("4p 5p 6p 7s 8s N")
    desk.button("Flower +1")
    expect(desk.page.locator(".live b")).not_to_be_empty()
    desk.tiles("N 9s")
    save = desk.page.locator(".savebar .primary")
    for button, points in (("Flower +1", 20), ("Flower −1", 19), ("Change tiles", 19), ("Done", 19)):
        desk.page.get_by_role("button", name=button, exact=True).click()
        value = desk.page.locator(".live b") if button == "Change tiles" else save
        expect(value).to_contain_text(str(points))
    desk.save()
    desk.expect_saved(1)
    assert desk.taps == 16
    assert desk.state()["hands"][0]["points"] == 19
    assert sorted(desk.scores()) == [-27, -8, -8, 43]


def test_a_keyboard_enters_tiles_too(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(3)
    desk.seat("East")
    desk.button("Self-drawn")
    desk.page.keyboard.type("1199m22p55s44sEEC7")
    desk.page.keyboard.press("Backspace")
    desk.page.keyboard.press("Backspace")
    expect(desk.page.locator(".under")).to_contain_text("2 to go")
    desk.page.keyboard.type("CC")
    expect(desk.page.locator(".receipt")).to_contain_text("Seven Pairs")


def test_a_hand_by_its_points_is_five_taps_and_its_tiles_can_follow(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(12)
    desk.button("Points")
    desk.taps = 0
    desk.seat("South")
    desk.seat("East")
    desk.points("19")
    expect(desk.page.locator(".seat.winner .score")).to_contain_text("+43")
    desk.save()
    desk.expect_saved(1)
    assert desk.taps == 5
    assert sorted(desk.scores()) == [-27, -8, -8, 43]

    desk.button("Undo hand 1")
    expect(desk.page.locator(".points output")).to_have_text("19")
    assert set(desk.scores()) == {0}
    desk.points("12")
    expect(desk.page.locator(".points output")).to_have_text("12")
    desk.save()
    desk.expect_saved(1)
    assert sorted(desk.scores()) == [-20, -8, -8, 36]

    desk.page.reload()  # how to record is a habit of the device
    desk.seat("South")
    desk.button("Self-drawn")
    desk.points("7")
    expect(desk.page.get_by_text("7 points do not win: 8 are needed.")).to_be_visible()
    desk.button("Start over")

    desk.page.goto(desk.url + "#hand-1")
    desk.save()
    desk.button("Tiles")
    desk.tiles("1m 1m 2m 2m 3m 3m 4p 4p 5p 5p 6s 6s 7s 7s")
    desk.page.locator("[data-input=reason]").fill("the tiles were still there")
    desk.save()
    expect(desk.page.locator(".pill.ok")).to_have_text("Hand 1 replaced")
    assert [hand["points"] for hand in desk.state()["hands"]] == [25]


def test_seven_points_say_why_and_offer_a_false_hu(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(4)
    desk.seat("West")
    desk.seat("West")
    desk.button("Chow")
    desk.tiles("2m 2p 3p 4p 5p 6p 7p 5s 5s 6s 7s 8s")
    expect(desk.page.locator(".banner.bad")).to_contain_text("7 points: 1 short of the 8 needed")
    expect(desk.page.locator(".savebar")).not_to_contain_text("Save")
    desk.button("Record a false hu")
    expect(desk.page.locator('.pick[aria-pressed="true"]')).to_have_count(1)
    desk.save()
    expect(desk.page.locator(".question")).to_contain_text("Who won hand 1?")
    assert sorted(desk.scores()) == [-60, 20, 20, 20]
    assert desk.state()["played"] == 0


# --- changing what was recorded ---------------------------------------------------------------------------------
def test_a_hand_is_corrected_and_a_penalty_taken_back(hall: Hall, desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(5, context=hall.new_device("uma"))
    desk.record_wash_out()
    desk.expect_saved(1)
    desk.page.goto(desk.url + "#hand-1")
    desk.save()
    desk.enter_seven_pairs()
    expect(desk.page.locator(".effect").first).to_contain_text("+")
    desk.save()
    expect(desk.page.locator(".at")).to_contain_text("reason")
    desk.page.get_by_label("Reason").fill("Wrong button")
    desk.save()
    expect(desk.page.locator("h1")).to_have_text("Hand 1")
    expect(desk.page.locator("main")).to_contain_text("Wrong button")
    expect(desk.page.locator("s").first).to_have_text("Wash-out")
    assert [hand["version"] for hand in desk.state()["hands"]] == [2]

    desk.page.goto(desk.url)
    desk.accuse("Late")
    desk.page.get_by_label("Minutes late").fill("12")
    desk.save()
    expect(desk.page.locator(".lines")).to_contain_text("Penalties paid to nobody: 20")
    desk.page.clock.install()
    desk.page.reload()
    desk.tap('a:has-text("Score sheet")')
    expect(desk.page.get_by_role("button", name="Undo the penalty")).to_be_visible()
    desk.page.clock.fast_forward(61_000)
    desk.tap('a:has-text("Cancel")')
    desk.page.get_by_label("Why is it cancelled?").fill("Not late")
    desk.save()
    expect(desk.page.locator("main")).to_contain_text("Not late")
    assert sum(desk.scores()) == 0


def test_a_correction_without_a_reason_asks_for_it_where_it_is_confirmed(
    desk_at: Callable[..., Desk],
) -> None:
    desk = desk_at(17)
    desk.enter_win("Points")
    desk.points("9")
    desk.save()
    desk.expect_saved(1)
    desk.page.goto(desk.url + "#hand-1")
    desk.save()
    desk.points("90")
    expect(desk.page.locator(".seat.winner .score b")).to_have_text("+81")  # 114 instead of the 33 it has
    desk.save()
    desk.save()
    expect(desk.page.locator(".stack-form:has([data-input=reason]) .at")).to_contain_text("reason")
    desk.page.get_by_label("Reason").fill("Misheard")
    desk.save()
    expect(desk.page.locator("h1")).to_have_text("Hand 1")
    assert [hand["points"] for hand in desk.state()["hands"]] == [90]


def test_a_disputed_hand_is_ruled_on_after_three_more_hands(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(13)
    desk.button("Points")
    desk.seat("South")
    desk.seat("East")
    desk.button("Disputed")
    expect(desk.page.locator('.pick[aria-pressed="true"]')).to_have_count(1)
    expect(desk.page.locator(".savebar .primary")).to_be_disabled()
    desk.tap('.pick:has([aria-label^="West"])')
    desk.page.get_by_label("What each side claims").fill("South: I said hu first. West: so did I.")
    assert axe_violations(desk.page) == []
    desk.save()
    desk.expect_saved(1)
    expect(desk.page.locator(".lines")).to_contain_text("To be ruled on")
    for number in (2, 3, 4):
        desk.record_points("8")
        desk.expect_saved(number)
    assert desk.hands()[0] == (1, "pending", 0)
    expect(desk.page.locator(".lines")).to_contain_text("To be ruled on")

    desk.tap('a:has-text("Score sheet")')
    desk.tap('a[href="#hand-1"]')
    expect(desk.page.locator("main")).to_contain_text("West: so did I.")
    desk.button("Rule on hand 1")
    expect(desk.page.locator("h1")).to_have_text("Rule on hand 1")
    desk.seat("West")
    desk.seat("East")
    desk.button("Points")
    desk.points("24")
    desk.save()
    desk.page.get_by_label("Reason").fill("West is next in turn.")
    desk.save()
    expect(desk.page.locator("h1")).to_have_text("Hand 1")
    expect(desk.page.locator("s").first).to_have_text("To be ruled on")
    assert desk.hands()[0] == (1, "win", 24)
    assert sum(desk.scores()) == 0


# --- fouls --------------------------------------------------------------------------------------------------------


def test_a_grave_sanction_is_chosen_and_confirmed(desk_at: Callable[..., Desk]) -> None:
    """The foul book leaves cheating to the umpire."""
    desk = desk_at(17)
    desk.accuse("Cheating")
    desk.button("Choose the sanction")
    expect(desk.page.locator(".savebar .primary")).to_be_disabled()
    desk.button("Disqualification")
    button = desk.page.locator(".savebar .primary")
    expect(button).to_contain_text("Disqualify")
    button.click()
    question = desk.page.get_by_text("Impose it?").bounding_box()
    confirmed = button.bounding_box()
    assert question
    assert confirmed
    assert question["y"] + question["height"] <= confirmed["y"]
    assert confirmed["width"] > 200
    desk.button("Back")
    button.click()
    desk.save()
    expect(desk.page.locator(".pill.ok")).to_have_text("Penalty given")


def test_a_wash_out_takes_two_taps_without_scrolling(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(18)
    sizes = [(320, 568, 100), (844, 390, 100), (1280, 800, 100), (390, 844, 200)]
    for number, (width, height, percent) in enumerate(sizes, 1):
        desk.page.set_viewport_size({"width": width, "height": height})
        desk.page.evaluate(f"document.documentElement.style.fontSize = '{percent}%'")
        for button in ("wash-out", "save"):
            box = desk.page.locator(f"[data-do={button}]").bounding_box()
            assert box
            assert box["y"] + box["height"] <= height, f"{button} at {width} × {height}, text of {percent} %"
            desk.tap(f"[data-do={button}]")
        desk.expect_saved(number)


def test_once_the_sheet_is_in_no_foul_is_in_a_hand_to_come(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(16)
    desk.record_wash_out()
    desk.expect_saved(1)
    desk.tap('a:has-text("Score sheet")')
    desk.tap('a:has-text("Hand in")')
    desk.button("Hand in table 16")
    desk.button("Hand in without all signatures")
    expect(desk.page.locator("main")).to_contain_text("No more hands")
    desk.page.goto(desk.url)
    desk.accuse("False hu")
    hands = desk.page.get_by_label("In which hand?")
    assert hands.locator("option").all_inner_texts() == ["Hand 1", "Outside a hand"]
    expect(desk.page.locator(".at")).to_have_text("In which hand was it?")
    hands.select_option("Hand 1")
    expect(desk.page.locator(".sanction h3")).to_contain_text("20 points to each")
    desk.save()
    expect(desk.page.locator(".pill.ok")).to_have_text("Penalty given")
    assert [penalty["hand"] for penalty in desk.state()["penalties"]] == [1]


def test_what_a_foul_asks_is_tapped(desk_at: Callable[..., Desk]) -> None:
    """Points and who suffered it, a yes or no, one way of several."""
    desk = desk_at(19)
    for foul, answers in (
        ("Knocking over", ['[data-do="fact-points"] >> nth=1', '[data-do="fact-victim"] >> nth=2']),
        ("Tiles shown after", ['[data-do="fact-hu_was_valid"] >> nth=0']),
        ("Reaching across", ['[data-do="fact-circumstance"] >> nth=0']),
    ):
        desk.accuse(foul)
        for answer in answers:
            desk.tap(answer)
        expect(desk.page.locator(".sanction h3")).to_be_visible()
        desk.save()
        expect(desk.page.locator(".pill.ok")).to_have_text("Penalty given")
    assert len(desk.state()["penalties"]) == 3


def test_fans_and_fouls_are_found_by_what_players_call_them(desk_at: Callable[..., Desk]) -> None:
    """Without a network too; tests/book/test_spoken_words.py has all the words."""
    desk = desk_at(21)
    search = desk.page.get_by_role("searchbox")
    desk.disconnect()
    desk.button("Foul")
    for typed, foul in (("诈胡", "False hu"), ("大相公", "Wrong tile count"), ("Pung, LATE", "Late pung")):
        search.fill(typed)
        expect(desk.page.locator(".foul b")).to_have_text([foul])
    desk.button("Close")
    desk.enter_win("Fans")
    for typed, fan in (
        ("十三么", "Thirteen Orphans"),
        ("三色同順", "Mixed Triple Chow"),
        ("MTC", "Mixed Triple Chow"),
    ):
        search.fill(typed)
        expect(desk.page.locator("[data-fan] .grow > b")).to_have_text([fan])
    desk.connect()


def test_the_umpire_imposes_something_else_and_says_why(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(15)
    desk.accuse("Empty call")
    desk.button("Change the sanction (with a reason)")
    desk.button("20")
    expect(desk.page.locator(".sanction h3")).to_have_text("20 points")
    desk.save()
    expect(desk.page.locator(".at")).to_contain_text("Give a reason")
    desk.page.get_by_label("Why not as in the foul book?").fill("Warned before the session")
    desk.save()
    desk.tap('a:has-text("Score sheet")')
    expect(desk.page.locator("main")).to_contain_text(
        "The foul book says: warning. Warned before the session"
    )


# --- nothing is lost, nothing is doubled ------------------------------------------------------------------------
def test_a_figure_above_a_hundred_is_asked_about_once(desk_at: Callable[..., Desk]) -> None:
    """Two taps on Save are no answer."""
    desk = desk_at(3)
    desk.enter_win("Points")
    desk.points("191")
    desk.page.locator(".savebar .primary:enabled").dblclick()
    expect(desk.page.locator(".points")).to_contain_text("More than 100 points are rare.")
    expect(desk.page.locator(".savebar .primary")).to_have_text("Yes, 191 points")
    assert desk.state()["played"] == 0
    desk.tap('[data-do="digit-less"]')
    expect(desk.page.locator(".savebar .primary")).to_have_text("Save hand 1 · 19 points")
    desk.points("1")
    desk.save()
    desk.button("Yes, 191 points")
    desk.expect_saved(1)
    assert [hand["points"] for hand in desk.state()["hands"]] == [191]


def test_two_taps_on_save_are_one_hand(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(6)
    desk.enter_seven_pairs()
    desk.page.locator(".savebar .primary:enabled").dblclick()
    expect(desk.page.locator(".question")).to_contain_text("Who won hand 2?")
    assert desk.state()["played"] == 1


def enter_unchecked(desk: Desk, figure: str) -> Callable[[], None]:
    """Enter a hand of so many points while the server does not answer; return a function that lets it answer."""
    desk.page.evaluate(
        """() => {
            const { fetch } = window;
            const released = new Promise((release) => { window.release = release; });
            window.fetch = async (...request) => {
                if (String(request[0]).includes("preview")) await released;
                return fetch(...request);
            };
        }"""
    )
    desk.enter_win("Points")
    desk.points(figure)
    return lambda: desk.page.evaluate("() => window.release()")


def press_enter(desk: Desk) -> None:
    """Press Enter while no key of the keypad has the focus."""
    desk.page.evaluate("document.activeElement.blur()")
    desk.page.keyboard.press("Enter")


def test_save_waits_for_the_answer_to_a_changed_figure(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(20)
    answer = enter_unchecked(desk, "24")
    expect(desk.page.locator(".savebar .primary")).to_have_text("Save hand 1 · 24 points")
    expect(desk.page.locator(".savebar .primary")).to_be_disabled()
    answer()
    desk.save()
    desk.expect_saved(1)
    assert [hand["points"] for hand in desk.state()["hands"]] == [24]


def test_enter_pressed_before_the_check_refuses_saves_nothing(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(21)
    answer = enter_unchecked(desk, "7")
    press_enter(desk)
    expect(desk.page.locator(".savebar .primary")).to_have_text(re.compile("^Saving"))
    answer()
    expect(desk.page.get_by_role("button", name="Record a false hu")).to_be_visible()
    assert desk.state()["played"] == 0


def test_leaving_the_screen_before_the_check_saves_nothing(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(21)
    answer = enter_unchecked(desk, "24")
    press_enter(desk)
    desk.page.evaluate("() => { location.hash = '#appeal'; }")
    expect(desk.page.locator(".keys")).to_have_count(0)
    answer()
    desk.page.go_back()
    expect(desk.page.locator(".savebar .primary")).to_have_text("Save hand 1 · 24 points")
    expect(desk.page.locator(".savebar .primary")).to_be_enabled()
    assert desk.state()["played"] == 0


def test_an_answer_lost_on_the_way_is_not_a_second_hand(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(7)
    desk.enter_seven_pairs()

    def swallow(route: Route) -> None:
        route.fetch()
        route.abort()

    desk.page.route("**/hands/", swallow, times=1)
    desk.save()
    expect(desk.page.locator(".lines")).to_contain_text("waiting")
    expect(desk.page.locator(".pill.ok")).to_be_visible()
    expect(desk.page.locator(".lines")).not_to_contain_text("waiting")
    assert desk.state()["played"] == 1


def test_a_reload_in_the_middle_loses_no_tile(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(8)
    desk.seat("North")
    desk.seat("West")
    desk.button("Pung")
    desk.tiles("C 1m 2m 3m")
    desk.page.reload()
    expect(desk.page.locator(".cell .tile")).to_have_count(6)
    expect(desk.page.locator("header p").first).to_contain_text("from")


def test_another_device_moves_the_scores_and_not_the_tiles(desk_at: Callable[..., Desk]) -> None:
    mine, theirs = desk_at(9), desk_at(9, "una")
    mine.seat("East")
    mine.seat("South")
    mine.tiles("1m 1m")
    theirs.accuse("False hu")
    theirs.save()
    mine.page.locator(".back").click()
    expect(mine.page.locator(".seat .score").filter(has_text="−60")).to_have_count(1)
    mine.button("Enter the tiles")
    expect(mine.page.locator(".cell .tile")).to_have_count(2)


def test_two_devices_record_the_same_hand_differently(desk_at: Callable[..., Desk]) -> None:
    mine, theirs = desk_at(10), desk_at(10, "una")
    mine.enter_seven_pairs()
    theirs.record_wash_out()
    expect(mine.page.locator("h2").first).to_have_text("Someone else changed this table")
    expect(mine.page.locator(".four > .side").first).to_contain_text("Wash-out")
    expect(mine.page.locator(".savebar")).to_have_count(0)  # a second tap on Save hits neither
    mine.button("Keep mine for review")
    expect(mine.page.locator(".cell .tile")).to_have_count(14)
    mine.save()
    expect(mine.page.locator("h1")).to_have_text("Hand 1")
    state = mine.state()
    assert [(hand["version"], hand["outcome"]) for hand in state["hands"]] == [(2, "win")]
    assert [old["outcome"] for old in state["hands"][0]["before"]] == ["draw"]


def test_a_stale_device_without_the_live_line_is_told_too(desk_at: Callable[..., Desk]) -> None:
    mine = desk_at(11)
    mine.page.route("**/desk/", lambda route: route.abort())
    mine.enter_seven_pairs()
    theirs = desk_at(11, "una")
    theirs.record_wash_out()
    theirs.expect_saved(1)
    mine.save()
    expect(mine.page.locator("h2").first).to_have_text("Someone else changed this table")
    expect(mine.page.locator(".banner")).to_have_count(0)  # it said to save again, beside the question
    mine.button("Use theirs")
    mine.page.goto(mine.url)
    expect(mine.page.locator(".question")).to_contain_text("Who won hand 2?")


# --- for everybody's eyes and thumbs ------------------------------------------------------------------------------
TOO_SMALL = """() => [...document.querySelectorAll("button, a[href], input, select, summary")]
  .filter((one) => !one.matches(".skip") && one.getClientRects().length)
  .map((one) => [one.getBoundingClientRect(), one.outerHTML.slice(0, 80)])
  .filter(([box]) => box.width < 43.9 || box.height < 43.9).map(([, html]) => html)"""

WITH_AXE_ELSEWHERE = ("table", "points", "fans", "tiles", "fouls", "sanction", "the sheet again")
"""Screens that test_accessibility.py gives to axe."""


def test_every_screen_fits_a_small_phone_and_every_reader(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(12, viewport=SMALL_PHONE)
    seen: dict[str, Callable[[], object]] = {"table": lambda: None}
    seen["points"] = lambda: (desk.button("Points"), desk.seat("East"), desk.seat("South"), desk.points("19"))
    seen["fans"] = lambda: (desk.button("Fans"), desk.fans("mixed_straight all_types flower_tiles"))
    seen["tiles"] = lambda: (desk.button("Tiles"), desk.tiles("1m 1m 2m"))
    seen["receipt"] = lambda: desk.tiles("2m 3m 3m 4p 4p 5p 5p 6s 6s 7s 7s")
    seen["saved"] = lambda: desk.save()
    seen["fouls"] = lambda: desk.button("Foul")
    seen["sanction"] = lambda: (desk.tap(".pick"), desk.tap('.foul:has-text("Empty call")'))
    seen["own sanction"] = lambda: (
        desk.button("Change the sanction (with a reason)"),
        desk.button("20"),
    )
    seen["sheet"] = lambda: desk.page.goto(desk.url + "#sheet")
    seen["stand-in"] = lambda: (
        desk.page.goto(desk.url + "#late"),
        desk.page.locator(".pick").first.wait_for(),
    )
    seen["the sheet again"] = lambda: desk.page.goto(desk.url + "#sheet")
    seen["hand"] = lambda: desk.tap(".lines a")
    seen["correction"] = lambda: desk.save()
    seen["hand in"] = lambda: (desk.page.goto(desk.url), desk.page.goto(desk.url + "#hand-in"))
    faults = {}
    looked_at = sample([name for name in seen if name not in WITH_AXE_ELSEWHERE], 3)
    for name, go in seen.items():
        go()
        desk.page.wait_for_timeout(400)
        wide = desk.page.evaluate("document.documentElement.scrollWidth > innerWidth")
        faults[name] = (
            (["scrolls sideways"] if wide else [])
            + desk.page.evaluate(TOO_SMALL)
            + (axe_violations(desk.page) if name in looked_at else [])
        )
    assert {name: problems for name, problems in faults.items() if problems} == {}


def test_who_won_and_who_discarded_stay_in_the_picture_and_large_text_within_its_places(
    desk_at: Callable[..., Desk],
) -> None:
    desk = desk_at(12)
    desk.button("Points")
    desk.tap(".seat.left")
    desk.tap(".seat.right")
    expect(desk.page.locator(".seat.discarder")).to_contain_text("discarded")
    for width in (390, 320):
        desk.page.set_viewport_size({"width": width, "height": 844})
        edges = desk.page.evaluate(
            "['.table', '.seat.left', '.seat.right'].map((one) => document.querySelector(one).getBoundingClientRect())"
            ".flatMap((box) => [box.left, box.right])"
        )
        left, right, winner, _, _, discarder = edges
        assert winner - left == pytest.approx(right - discarder, abs=0.5), width

    desk.page.set_viewport_size(PHONE)
    desk.page.evaluate("document.documentElement.style.fontSize = '200%'")
    desk.points("104")
    expect(desk.page.locator(".seat.discarder .score b")).to_have_text("−112")
    wide = desk.page.evaluate(
        "[...document.querySelectorAll('.phone, .bar, .seat, .wind, .savebar, .btn')]"
        ".filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.className)"
    )
    assert wide == []
