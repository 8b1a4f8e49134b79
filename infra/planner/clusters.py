"""Group common English words by meaning: `python -m infra.planner.clusters`.

Writes `assets/reader/word_clusters.txt`, a line a cluster. The words' vectors are the local sentence model's; k-means
has a fixed seed. The training reads the file. Floating-point sums of another processor may group a few words
differently, so it is made anew by hand only.
"""

import numpy as np
from sklearn.cluster import KMeans

from aisha.adapters.embeddings.minilm import MiniLMEmbedder
from aisha.domain.language import words
from infra.planner.labelled import ASSETS

CLUSTERS = 400
SEED = 7


def main() -> None:
    # Sorted, as k-means depends on the order.
    vocabulary = sorted(word for word in words.common_words() if word.isalpha() and word.islower() and len(word) > 1)
    vectors = np.array(MiniLMEmbedder().embed(vocabulary))
    groups = KMeans(CLUSTERS, random_state=SEED, n_init=2).fit_predict(vectors)
    members: dict[int, list[str]] = {}
    for word, group in zip(vocabulary, groups, strict=True):
        members.setdefault(int(group), []).append(word)
    head = (
        "# Clusters of common English words by meaning, made by infra/planner/clusters.py: a number, then its words.\n"
    )
    lines = [f"c{place} {' '.join(group)}" for place, group in enumerate(sorted(members.values()))]
    (ASSETS / "word_clusters.txt").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
