"""Markdown as text to be spoken: plain sentences, at most 75 words (C-X9)."""

from aisha.renderers.speech.languages import Language, language_of
from aisha.renderers.speech.markdown import paragraphs
from aisha.renderers.speech.sentences import sentences, word_count

MAX_WORDS = 75
"""About half a minute (N-040), with the offer to go on."""
_PAUSES = ",;:—–"


def spoken(text: str, locale: str = "en") -> str:
    """Return Markdown as plain speech in the language of `locale` (BCP 47).

    A text of more than 75 words is cut at a sentence's end and followed by the offer to go on, both together within
    75. A text that leaves nothing to say, such as code alone, becomes the offer.
    """
    language = language_of(locale)
    sentences = _sentences(text, language)
    if not sentences:
        return language.offer if text.strip() else ""
    if sum(map(word_count, sentences)) <= MAX_WORDS:
        return language.joint.join(sentences)
    return language.joint.join([*_split(sentences, language)[0], language.offer])


def unspoken(text: str, locale: str = "en") -> tuple[str, str]:
    """Return the offer to go on, and as plain speech what `spoken` left out of a text; empty if that is nothing."""
    language = language_of(locale)
    sentences = _sentences(text, language)
    rest = _split(sentences, language)[1] if sum(map(word_count, sentences)) > MAX_WORDS else []
    return language.offer, language.joint.join(rest)


def plain_speech(text: str, locale: str = "en") -> str:
    """Return the whole of a Markdown text as plain speech; empty when it leaves nothing to say."""
    language = language_of(locale)
    return language.joint.join(_sentences(text, language))


def _sentences(text: str, language: Language) -> list[str]:
    return [sentence for paragraph in paragraphs(text, language) for sentence in sentences(paragraph, language)]


def _split(sentences: list[str], language: Language) -> tuple[list[str], list[str]]:
    """Return the first sentences that leave room for the offer, or the beginning of a first too long, and the rest."""
    room, first = MAX_WORDS - word_count(language.offer), list[str]()
    for sentence in sentences:
        room -= word_count(sentence)
        if room < 0:
            break
        first.append(sentence)
    # An announcement ("Here they are:") whose list is cut off is left out.
    while len(first) > 1 and first[-1].endswith(":"):
        first.pop()
    if not first:
        beginning = _beginning(sentences[0], MAX_WORDS - word_count(language.offer))
        return [beginning + language.stop], [sentences[0][len(beginning) :].lstrip(f"{_PAUSES} "), *sentences[1:]]
    rest = sentences[len(first) :]
    if first[-1].endswith(":"):
        first[-1] = first[-1][:-1] + language.stop
    return first, rest


def _beginning(sentence: str, max_words: int) -> str:
    """Return at most `max_words` words of the sentence, ending at a pause if there is one in their second half."""
    tokens, room = list[str](), max_words
    for token in sentence.split():
        if (size := word_count(token)) > room:
            if not tokens:
                tokens.append(token[: 2 * room])  # A script without spaces: two characters count as a word.
            break
        tokens.append(token)
        room -= size
    end = next((end for end in range(len(tokens), len(tokens) // 2, -1) if tokens[end - 1][-1] in _PAUSES), len(tokens))
    return " ".join(tokens[:end]).rstrip(_PAUSES + ".!?… ")
