"""Speech: plain, short, whole sentences."""

from aisha.renderers.voice import MORE, spoken


def test_markdown_is_not_read_aloud() -> None:
    text = "## Next steps\n\n1. **Call** Jack _today_\n2. Send `the` [quote](https://x.example) 📧\n- done"
    assert spoken(text) == "Next steps. 1: Call Jack today. 2: Send the quote. done."


def test_a_long_text_ends_with_a_whole_sentence_and_an_offer() -> None:
    said = spoken(" ".join(f"Sentence number {n} has six words." for n in range(40)))
    assert len(said.split()) <= 75
    assert said.endswith(f"has six words. {MORE}")


def test_75_words_are_left_whole() -> None:
    text = " ".join(["word"] * 74) + " end."
    assert spoken(text) == text


def test_one_endless_sentence_is_cut() -> None:
    said = spoken(" ".join(["word"] * 200))
    assert len(said.split()) <= 75
    assert said.endswith(MORE)
