"""The hint at the prompt: the best turn with its reasons, and what the game itself teaches."""

from companion.commands.play.prompt_session import Sitting


def hint(sitting: Sitting) -> None:
    """Print a hint, then what the game itself teaches a learner."""
    from companion.players.hints import hint_of
    from companion.players.thinking import thorough

    position = sitting.now
    taught = position.teaching()
    chosen = position.awaits.kind == "choice" or not taught
    said = hint_of(position, thorough()).sentences if chosen else ()
    for sentence in (*said, *taught):
        sitting.print_sentence(sentence)
