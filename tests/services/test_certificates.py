"""What certificates say, and the picture behind them: by its content, drawn anew, and gone when another comes."""

from io import BytesIO
from typing import Any

import pytest
from django.core.files.storage import default_storage
from PIL import Image

from tests.support.checks import newest_sentence, refused_codes
from tests.support.factories import SYSTEM, make_tournament
from tournament.models import CertificateDesign, Tournament
from tournament.selectors.certificates import Wording, design_of
from tournament.services.certificates import LONGEST_TEXT, set_certificates
from tournament.services.deletion import delete_tournament
from tournament.services.pictures import MOST_BYTES

pytestmark = pytest.mark.django_db(transaction=True)


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 60), mode: str = "RGB", **how: Any) -> bytes:
    content = BytesIO()
    Image.new(mode, size, "#f8f0d8").save(content, kind, **how)
    return content.getvalue()


@pytest.fixture
def spring() -> Tournament:
    return make_tournament(players=4, sessions=1)


def test_words_and_a_picture_are_kept_until_others_come(spring: Tournament) -> None:
    set_certificates(spring, SYSTEM, Wording("Well played", 1, best_hand=False))
    spring.refresh_from_db()
    before = spring.version
    set_certificates(spring, SYSTEM, Wording(" Well played ", 1, best_hand=False))
    spring.refresh_from_db()
    design = design_of(spring)
    assert (spring.version, design.text, design.places, design.best_hand) == (before, "Well played", 1, False)
    assert newest_sentence(spring) == "The certificates were changed: text, how many places, best hand."
    first = str(set_certificates(spring, SYSTEM, Wording(), picture=picture()).file.name)
    second = str(set_certificates(spring, SYSTEM, Wording(), picture=picture()).file.name)
    assert (default_storage.exists(first), default_storage.exists(second)) == (False, True)
    set_certificates(spring, SYSTEM, Wording("Words alone leave the picture"))
    assert design_of(spring).file
    set_certificates(spring, SYSTEM, Wording(), removes=True)
    assert (default_storage.exists(second), bool(design_of(spring).file)) == (False, False)
    third = str(set_certificates(spring, SYSTEM, Wording(), picture=picture()).file.name)
    delete_tournament(spring, SYSTEM, name=spring.name)
    assert not default_storage.exists(third)


def test_a_picture_is_drawn_anew_as_a_jpeg(spring: Tournament) -> None:
    exif = Image.Exif()
    exif[0x010F] = "A camera that knows where it was"
    for kind in ("PNG", "JPEG", "WEBP"):
        how: dict[str, Any] = {} if kind == "PNG" else {"exif": exif}
        design = set_certificates(spring, SYSTEM, Wording(), picture=picture(kind, (40, 60), **how))
        with design.file.open("rb") as file:
            stored = file.read()
        with Image.open(BytesIO(stored)) as drawn:
            assert (drawn.format, drawn.size, dict(drawn.getexif())) == ("JPEG", (40, 60), {}), kind
        assert b"camera" not in stored, kind


def test_what_is_no_picture_of_a_page_is_refused(spring: Tournament) -> None:
    wrong = Wording("x" * (LONGEST_TEXT + 1), places=101)
    for sent, code in (
        (b"\x89PNG\r\n\x1a\n" + b"x" * MOST_BYTES, "file_too_large"),
        (b"<svg onload='alert(1)'/>", "picture_of_no_kind"),
        (b"%PDF-1.7 a document", "picture_of_no_kind"),
        (b"\x89PNG\r\n\x1a\nand nothing of a picture", "file_unreadable"),
        (b"", "picture_of_no_kind"),
        (picture(size=(9000, 5000), mode="1"), "picture_too_many_pixels"),
    ):
        codes = refused_codes(set_certificates, spring, SYSTEM, wrong, picture=sent)
        assert codes == ["text_too_long", "too_many_certificates", code]
    assert not CertificateDesign.objects.exists()
