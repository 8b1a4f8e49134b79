"""Vary labelled lines by other names, no capitals, typos and text around them.

The reader learns sentences from them, and not spellings.
"""

import random
import re
from collections.abc import Callable, Sequence

HURRIED_SHARE, BESIDE_SHARE = 0.7, 0.4
_NAMED = re.compile(r"\{(?P<tag>name|new|org|owner):(?P<text>[^{}]*)\}")
_PUNCTUATION = re.compile(r"[.,!?;](?=\s|$|\})")
_WORD_OUTSIDE = re.compile(r"(?<![\w{:@.])[a-z]{5,}(?![\w:}@.])")
_OUTSIDE = re.compile(r"\{[^{}]*\}|(?:^|\|\|)\s*[a-z_]+:|[^{|]+|\|\||[{|]")
FIRST = (
    "Aaliyah Amara Anders Anja Ben Bianca Carlos Chen Chloe Daan Dmitri Elif Emre Fatima Finn Gita Hana Hugo Ines "
    "Ivan Jamal Jonas Kaia Kofi Lars Leila Luca Mei Mila Nadia Nils Noor Olga Omar Paolo Petra Quinn Rafael Rosa "
    "Sam Sanjay Sofia Tariq Thandi Uma Viktor Wanda Xavier Yuki Zara Mark Bill Grace Will Faith Dean Rob Art Sue "
    "Drew Hope Jack May April Summer Chase Pat Lance Miles"
).split()
LAST = (
    "Abara Becker Castillo Costa Dubois Eriksen Fischer Garcia Hansen Ito Jansen Kaur Kowalski Lindqvist Mensah "
    "Moreau Nakamura Novak Okafor Olsen Patel Petrescu Quark Rossi Russel Sanchez Schmidt Silva Tanaka Ueda Vance "
    "Weber Yilmaz Zhou Price Field Stone Marsh Banks Call Close Deal Page Wood Young Long Short Rich Bond Case "
    "O'Brien van den Berg de la Cruz Park Reed"
).split()
COMPANY = (
    "Acme,Globex,Initech,Umbra Labs,Northwind,Brightline,Vertex Foods,Redwood Capital,Blue Fjord,Solaris Energy,"
    "Quantum Leap,Harbor & Sons,Pine Street Bakery,TechNova,Delta Freight,Omni Health,Kestrel Air,Lumen Optics,"
    "Stark Steel,Copper Creek,Zenith,Ironclad Security,First Choice Insurance,Green Valley Farms,Open Road Travel,"
    "Atlas,Hooli,Nordlys,Ravenswood Hotels,Mindful Media,3Points,Bluebird,Monarch Textiles,Sunrise Dental,"
    "Pacific Rim Trading,Moby Motors,Orbit,Clearwater Utilities,Titan Tools,Maple & Main"
).split(",")


def variants(line: str, rng: random.Random, others: Sequence[str]) -> list[str]:
    """Return a further line: with other names and as typed in a hurry, or beside a segment of another message."""
    # Two asks in one message, which people write more often than they label them.
    if rng.random() < BESIDE_SHARE:
        return [_beside(line, rng, others)]
    renamed = _NAMED.sub(lambda match: f"{{{match['tag']}:{_name(match['text'], match['tag'], rng)}}}", line)
    return [_hurry(renamed, rng) if rng.random() < HURRIED_SHARE else renamed]


def _name(old: str, tag: str, rng: random.Random) -> str:
    """Return another name of the same kind, in the same case: a company, a first name, or a full name."""
    # Names in the data have no kind: a known company, or more than two words, is one.
    is_company = (
        tag == "org" or old.replace(".", "").lower() in {one.lower() for one in COMPANY} or len(old.split()) > 2
    )
    if is_company or (tag == "name" and rng.random() < 0.15):
        new = rng.choice(COMPANY)
    elif len(old.split()) == 1:
        new = rng.choice(FIRST) if rng.random() < 0.8 else rng.choice(LAST)
    else:
        new = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
    return new.lower() if old.islower() else new


def _hurry(line: str, rng: random.Random) -> str:
    if rng.random() < 0.7:
        # People in a hurry leave out capitals and marks together.
        line = line.lower()
    if rng.random() < 0.7:
        line = _PUNCTUATION.sub("", line)
    if rng.random() < 0.4:
        # Outside of slots only: a name with a typo would be another name.
        line = _outside(line, lambda text: _WORD_OUTSIDE.sub(lambda match: _typo(match[0], rng), text))
    return line


def _outside(line: str, change: Callable[[str], str]) -> str:
    return "".join(
        piece if piece.startswith("{") or re.fullmatch(r"(?:\|\|)?\s*[a-z_]+:", piece) else change(piece)
        for piece in _OUTSIDE.findall(line)
    )


def _typo(word: str, rng: random.Random) -> str:
    if rng.random() > 0.15:
        return word
    at = rng.randrange(1, len(word) - 1)
    return rng.choice(
        (
            word[:at] + word[at + 1 :],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
            word[:at] + word[at] + word[at:],
        )
    )


def _beside(line: str, rng: random.Random, others: Sequence[str]) -> str:
    other = rng.choice(others)
    before, after = (other, line) if rng.random() < 0.6 else (line, other)
    last = before[-1:]
    if last not in ".!?":
        before += rng.choice((".", ",", ";", "", " and", ", and", ". Then", ", also", "!", " -"))
        # The connecting word belongs to the segment that it opens.
        for joint in (" and", " Then", " also"):
            if before.endswith(joint):
                act, _, text = after.partition(": ")
                before, after = before.removesuffix(joint), f"{act}: {joint.strip()} {text}"
    return f"{before} || {after}"
