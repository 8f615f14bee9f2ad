"""Judge one die by itself from its account."""

from companion.fairness.account import Account
from companion.fairness.verdict import Judgement, judge, judge_counts


def judged_alone(account: Account) -> Judgement:
    """Return the judgement on a die, throw by throw if their order is known."""
    smallest, reader, stakes = account.smallest, account.reader, account.stakes
    if account.seen is None:
        return judge_counts(account.counts, account.outcomes, smallest=smallest, reader=reader, stakes=stakes)
    return judge(
        account.seen, account.outcomes, smallest=smallest, reader=reader, stakes=stakes, together=account.together
    )
