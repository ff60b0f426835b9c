"""Does a fact support or contradict an opinion? Rules of high precision, and an honest *undecided*.

    prepare(text)             one statement, parsed once: language, clauses, content, polarity, quantities
    weigh(opinion, fact)      the stance, with its reason in words; weigh_prepared for parsed statements
    similarity(a, b)          how much two statements are about the same thing, regardless of polarity
    same_statement(a, b)      whether two statements are the same opinion in other words

Words come from `data/LANGUAGE/stance.json`. A wrong stance changes a belief while an undecided one only waits, so a
rule that is not sure returns nothing.

May import: `text`.
"""

from commonplace.core.stance.clause_comparison import Weighing
from commonplace.core.stance.rule_chain import reverses, same_statement, same_statement_prepared, weigh, weigh_prepared
from commonplace.core.stance.stance_clause import Clause, Quantity
from commonplace.core.stance.statement_reader import Statement, prepare
from commonplace.core.stance.statement_similarity import similarity, similarity_prepared

__all__ = [
    "Clause",
    "Quantity",
    "Statement",
    "Weighing",
    "prepare",
    "reverses",
    "same_statement",
    "same_statement_prepared",
    "similarity",
    "similarity_prepared",
    "weigh",
    "weigh_prepared",
]
