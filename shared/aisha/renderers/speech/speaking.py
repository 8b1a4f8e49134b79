"""Text to be spoken: plain sentences, at most 75 words (C-X9)."""

from aisha.renderers.speech.languages import Language, language_of
from aisha.renderers.speech.markdown import paragraphs
from aisha.renderers.speech.sentences import sentences, word_count

MOST_WORDS = 75
"""About half a minute (N-040). The offer is among them."""
_PAUSES = ",;:—–"


def spoken(text: str, locale: str = "en") -> str:
    """`text`, which is Markdown, as plain speech in the language of `locale` (BCP 47).

    What has more than 75 words is cut at a sentence's end and followed by the offer to go on, both together within 75.
    Of a text that leaves nothing to say, such as code alone, the offer is left.
    """
    language = language_of(locale)
    whole = _sentences(text, language)
    if not whole:
        return language.offer if text.strip() else ""
    if sum(map(word_count, whole)) <= MOST_WORDS:
        return language.joint.join(whole)
    return language.joint.join([*_shortened(whole, language), language.offer])


def plain_speech(text: str, locale: str = "en") -> str:
    """The whole of a Markdown text as plain speech; empty when it leaves nothing to say."""
    language = language_of(locale)
    return language.joint.join(_sentences(text, language))


def _sentences(text: str, language: Language) -> list[str]:
    return [one for paragraph in paragraphs(text, language) for one in sentences(paragraph, language)]


def _shortened(whole: list[str], language: Language) -> list[str]:
    """The first sentences that fit; of a first one that does not, its beginning."""
    room, kept = MOST_WORDS - word_count(language.offer), list[str]()
    for sentence in whole:
        room -= word_count(sentence)
        if room < 0:
            break
        kept.append(sentence)
    while len(kept) > 1 and kept[-1].endswith(":"):
        kept.pop()
    if not kept:
        return [_beginning(whole[0], MOST_WORDS - word_count(language.offer)) + language.stop]
    if kept[-1].endswith(":"):
        kept[-1] = kept[-1][:-1] + language.stop
    return kept


def _beginning(sentence: str, words: int) -> str:
    """At most `words` of it, up to a pause when there is one in their second half."""
    kept, room = list[str](), words
    for token in sentence.split():
        if (size := word_count(token)) > room:
            if not kept:
                kept.append(token[: 2 * room])
            break
        kept.append(token)
        room -= size
    pause = next((at for at in range(len(kept), len(kept) // 2, -1) if kept[at - 1][-1] in _PAUSES), len(kept))
    return " ".join(kept[:pause]).rstrip(_PAUSES + ".!?… ")
