import random

import pytest

from parley_bot.growing_text import GrowingText
from parley_bot.without_mention import without_mention


def test_the_pieces_joined_are_the_text_and_no_piece_splits_a_character() -> None:
    """BOTSDK-5"""
    for seed in range(200):
        chance = random.Random(seed)
        chunks = chance.choices(["a", "é", "\ud83d", "\ude00", "😀", "\ufeff", "€uro"], k=chance.randrange(12))
        text = GrowingText(1_000_000)
        sent = ""
        for chunk in [*chunks, None]:
            if chunk is None:
                text.end()
            else:
                text.push(chunk)
            while text.has_unsent:
                piece = text.next(chance.randrange(4, 8))
                assert piece.delta, seed
                sent += piece.delta
                assert piece.offset == len(sent.encode()), seed
                text.sent_bytes = piece.offset
        expected = "".join(chunks).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        assert sent == text.text == expected, seed


def test_a_text_continues_after_any_character() -> None:
    """BOTSDK-6"""
    text = GrowingText(100)
    text.push("a😀b")
    assert text.continue_from(5)
    assert text.next(100).delta == "b"
    assert not text.continue_from(7)


def test_a_text_is_cut_at_its_limit_between_characters() -> None:
    """BOTSDK-5"""
    text = GrowingText(10)
    assert text.push("1234567")
    assert not text.push("😀")
    assert text.text == "1234567"
    assert not text.push("89012")
    assert text.text == "1234567890"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("@ann:helper what is up?", "what is up?"),
        ("@Ann:Helper, what is up?", "what is up?"),
        ("@ann:helper: what is up?", "what is up?"),
        ("what is up, @ann:helper", "what is up,"),
        ("what is @ann:helper up to?", "what is up to?"),
        ("@ann:helper\nline two", "line two"),
        ("@ann:helperx and @ann", "@ann:helperx and @ann"),
        ("@ann:helper:x", "@ann:helper:x"),
        ("mail x@ann:helper", "mail x@ann:helper"),
        ("`@ann:helper` is my name", "`@ann:helper` is my name"),
        ("@ann:helper", ""),
        ("请@ann:helper看 @ann:helper님", "请看 님"),
        ("ช่วย@ann:helperครับ", "ช่วยครับ"),
        ("e\u0301@ann:helper @ann:helperé", "e\u0301@ann:helper @ann:helperé"),
    ],
)
def test_the_text_without_the_mention(text: str, said: str) -> None:
    """BOTSDK-1"""
    assert without_mention(text, "ann:helper") == said
