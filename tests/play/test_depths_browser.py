"""One hand, three depths: fans by name, with the taps counted; what was announced against the tiles."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.desk import Desk
from tests.support.sampling import sample

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


# --- fans by name --------------------------------------------------------------------------------------------------
HANDS: list[tuple[str, str, str, int, int]] = [
    # winner, discarder or the winner again, fans, points, taps
    ("South", "East", "mixed_straight all_chows concealed_hand mixed_double_chow", 13, 7),
    ("West", "West", "mixed_shifted_chows all_chows fully_concealed_hand flower_tiles", 13, 7),
    ("North", "South", "all_pungs dragon_pung half_flush flower_tiles flower_tiles", 16, 8),
    ("East", "North", "mixed_triple_chow no_honors", 9, 5),
]


def test_taps_of_hands_by_their_fans(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(2)
    desk.button("Fans")
    for number, (winner, discarder, fans, points, taps) in enumerate(HANDS, 1):
        desk.taps = 0
        desk.seat(winner)
        desk.seat(discarder)
        desk.fans(fans)
        desk.save()
        desk.expect_saved(number)
        assert (desk.taps, desk.state()["hands"][-1]["points"]) == (taps, points)
    assert sum(desk.scores()) == 0


def test_a_picked_fan_strikes_what_cannot_stand_beside_it(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(4)
    desk.enter_win("Fans")
    page = desk.page
    expect(page.locator('[data-fan="self_drawn"]')).to_contain_text("only when self-drawn")
    desk.fans("dragon_pung all_types")
    for struck in ("no_honors", "all_chows"):
        expect(page.locator(f'[data-fan="{struck}"]')).to_have_attribute("aria-disabled", "true")
    expect(page.locator('[data-fan="no_honors"]')).to_contain_text("not combined with All Types")
    expect(page.locator(".savebar .primary")).to_be_enabled()
    for words in ("Two Dragon Pungs", "shuāng jiàn", "双箭"):  # as sources name it, with tones, in Chinese
        page.get_by_label("Name, pinyin or points").fill(words)
        expect(page.locator("[data-fan]")).to_have_count(1)
    expect(page.locator('[data-fan="two_dragons"]')).to_contain_text("not combined with All Types")
    desk.button("Remove All Types")
    expect(page.locator('[data-fan="two_dragons"]')).to_contain_text("instead of Dragon Pung")
    desk.fans("two_dragons")
    expect(page.locator('.picked [data-key="dragon_pung"]')).to_have_count(0)
    expect(page.locator(".picked")).to_contain_text("2 short of 8")
    desk.save()
    desk.button("Count it anyway")
    expect(page.locator(".savebar .primary")).to_be_disabled()
    page.get_by_label("Why does it count?").fill("the four agreed")
    desk.save()
    desk.expect_saved(1)
    expect(page.locator(".lines .tag")).to_have_text("overridden")


def test_self_drawn_picks_what_follows_until_another_fan_takes_its_place(
    desk_at: Callable[..., Desk],
) -> None:
    desk = desk_at(10)
    page = desk.page
    desk.enter_win("Fans", "South", "South")
    expect(page.locator('.picked [data-key="self_drawn"]')).to_have_count(1)
    desk.fans("mixed_shifted_chows all_chows")
    expect(page.locator('[data-fan="fully_concealed_hand"]')).to_contain_text("instead of Self-Drawn")
    desk.fans("fully_concealed_hand")
    expect(page.locator('.picked [data-key="self_drawn"]')).to_have_count(0)
    desk.button("Remove Fully Concealed Hand")
    expect(page.get_by_text("such as Self-Drawn or Fully Concealed Hand")).to_be_in_viewport(ratio=1)
    desk.save()
    expect(page.get_by_role("button", name="Count it anyway")).to_be_visible()
    desk.button("Tiles")
    assert desk.page.locator(".picked").count() == 0


def test_fans_that_no_hand_has_together_cannot_be_picked_together(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(11)
    page = desk.page
    desk.enter_win("Fans")
    desk.fans("full_flush")
    struck = page.locator('[data-fan="mixed_straight"]')
    expect(struck).to_have_attribute("aria-disabled", "true")
    expect(struck).to_contain_text("not combined with Full Flush")
    desk.fans("pure_straight")
    reason = page.get_by_text("also counts All Chows or Tile Hog")
    expect(reason).to_be_in_viewport(ratio=1)  # although the list is scrolled
    expect(page.locator(".pays")).to_be_hidden()  # it would be zeros
    green = page.locator('.seg [aria-pressed="true"]').evaluate(
        "tab => getComputedStyle(tab).backgroundColor"
    )
    save = page.locator(".savebar .primary")
    expect(save).not_to_have_css("background-color", green)
    desk.fans("all_chows")
    expect(reason).to_have_count(0)
    expect(page.locator(".pays")).to_contain_text("+")
    expect(save).to_have_css("background-color", green)
    desk.save()
    desk.expect_saved(1)


def test_the_fans_used_last_stand_first(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(5)
    desk.enter_win("Fans")
    desk.fans("thirteen_orphans")
    desk.save()
    desk.expect_saved(1)
    desk.seat("South")
    desk.seat("East")
    expect(desk.page.locator("[data-fan]").first).to_have_attribute("data-fan", "thirteen_orphans")
    desk.page.reload()
    expect(desk.page.locator("[data-fan]").first).to_have_attribute("data-fan", "thirteen_orphans")


@pytest.mark.parametrize("depth", ["Points", "Fans"])
@pytest.mark.parametrize("size", sample([(390, 844), (360, 640), (667, 375)], 1), ids=str)
def test_below_eight_points_save_leads_to_a_false_hu_or_an_override(
    desk_at: Callable[..., Desk], depth: str, size: tuple[int, int]
) -> None:
    desk = desk_at(12, viewport={"width": size[0], "height": size[1]})
    desk.enter_win(depth)
    desk.points("7") if depth == "Points" else desk.fans("all_types")
    expect(desk.page.get_by_role("button", name="Record a false hu")).to_have_count(0)
    desk.save()
    for way in ("Record a false hu", "Count it anyway"):
        expect(desk.page.get_by_role("button", name=way)).to_be_in_viewport(ratio=1)
    desk.button("Record a false hu")
    expect(desk.page.locator('.pick[aria-pressed="true"]')).to_have_count(1)


# --- what was announced, and the tiles -------------------------------------------------------------------------------
def test_tiles_that_contradict_the_announcement_are_shown_beside_it(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(6)
    page = desk.page
    desk.enter_win("Fans")
    desk.fans("seven_pairs all_types")
    desk.save()
    desk.expect_saved(1)
    page.goto(desk.url + "#hand-1")
    desk.button("Add the tiles")
    desk.tiles("1m 1m 2m 2m 3m 3m 4p 4p 5p 5p 6s 6s 7s 7s")
    expect(page.locator(".comparison")).to_contain_text("All Types was announced 1×, but counts 0×.")
    expect(page.locator(".savebar .primary")).to_contain_text("25 points")
    desk.button("As announced: 30")
    expect(page.locator(".savebar .primary")).to_contain_text("30 points")
    expect(page.locator(".savebar .primary")).to_be_disabled()
    page.get_by_label("Why does it count?").fill("mixed up before the count")
    expect(page.get_by_label("Reason")).to_have_count(0)
    desk.save()
    expect(page.locator("main")).to_contain_text("the tiles come to 25: mixed up before the count")
    (hand,) = desk.state()["hands"]
    assert (hand["points"], hand["version"], bool(hand["override"])) == (30, 2, True)


def test_tiles_that_agree_deepen_the_hand_without_a_reason(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(7)
    desk.enter_win("Points")
    desk.points("25")
    desk.save()
    desk.expect_saved(1)
    desk.page.goto(desk.url + "#hand-1")
    desk.button("Add the tiles")
    desk.tiles("1m 1m 2m 2m 3m 3m 4p 4p 5p 5p 6s 6s 7s 7s")
    expect(desk.page.get_by_text("As it was announced.")).to_be_visible()
    expect(desk.page.get_by_label("Reason")).to_have_count(0)
    desk.save()
    expect(desk.page.locator("h1")).to_have_text("Hand 1")
    (hand,) = desk.state()["hands"]
    assert (hand["version"], hand["deepens"], hand["points"]) == (2, True, 25)


# --- corrections, claims -----------------------------------------------------------------------------------------
def test_a_correction_shows_table_points_and_ranks_before_it_is_made(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(8)
    page = desk.page
    desk.enter_win("Points")
    desk.points("19")
    desk.save()
    desk.expect_saved(1)
    page.goto(desk.url + "#hand-1")
    desk.save()
    desk.seat("East")
    desk.seat("South")
    desk.button("What changes")
    card = page.locator(".card", has_text="What changes")
    expect(card.locator('[data-key="Table points"]')).to_be_visible()
    expect(card.locator('[data-key="Rank"] tbody tr')).not_to_have_count(0)
    assert desk.state()["hands"][0]["version"] == 1


def test_of_two_who_claim_the_next_in_turn_wins(desk_at: Callable[..., Desk]) -> None:
    desk = desk_at(9)
    desk.enter_win("Points", "West", "East")
    desk.button("Others claimed it too")
    prompt = desk.page.get_by_text("Tap who else claimed this tile.")
    expect(prompt).to_be_in_viewport()
    assert prompt.evaluate("prompt => prompt.getBoundingClientRect().bottom") < desk.page.locator(
        ".savebar"
    ).evaluate("bar => bar.getBoundingClientRect().top")
    desk.seat("South")
    expect(desk.page.locator(".winner .wind")).to_have_attribute("aria-label", "South")
    expect(desk.page.locator("main")).to_contain_text("is next in turn and wins")
    desk.points("8")
    desk.save()
    desk.expect_saved(1)
    (hand,) = desk.state()["hands"]
    assert len(hand["claimants"]) == 1


def test_a_dead_hand_stands_at_the_seat_does_not_win_and_does_not_come_first(
    desk_at: Callable[..., Desk],
) -> None:
    desk = desk_at(10)
    desk.accuse("False chow", '.pick:has([aria-label^="South"])')
    desk.save()
    expect(desk.page.locator('.seat:has([aria-label^="South"])')).to_contain_text("Dead hand")
    desk.seat("South")
    expect(desk.page.locator(".at")).to_contain_text("may not win hand")
    desk.enter_win("Points", "West", "East")
    desk.button("Others claimed it too")
    desk.seat("South")
    expect(desk.page.locator(".winner .wind")).to_have_attribute("aria-label", "West")
    expect(desk.page.locator("main")).to_contain_text("is next in turn among those who may win")
    desk.seat("West")
    expect(desk.page.locator(".at")).to_contain_text("may not win hand")
    desk.points("8")
    desk.save()
    desk.expect_saved(1)
    (hand,) = desk.state()["hands"]
    assert len(hand["claimants"]) == 1
    desk.page.goto(desk.url + "#hand-1")
    expect(desk.page.locator("main")).to_contain_text("is next in turn among those who may win")
