"""``companion texts``: what to translate, what a language lacks, and its faults."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.refusing import refusing

if TYPE_CHECKING:
    from companion.language.texts import Texts


BARE = re.compile(r"[A-Za-z0-9_-]+")


@click.command(short_help="Help to translate the page.")
@click.argument("language", required=False)
@click.option("--missing", is_flag=True, help="Write what LANGUAGE is missing, as a file to fill in.")
@click.option("--all", "everything", is_flag=True, help="With --missing: also write what is already translated.")
@click.option(
    "--for",
    "readers",
    type=click.Choice(["everyone", "visitors", "kiosk"]),
    help="Only what visitors, players and pupils meet, or what a kiosk shows; by default what LANGUAGE is meant for.",
)
@click.option("--game", "slugs", multiple=True, metavar="SLUG", help="With --for: only this game and its family.")
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), help="A folder with further languages.")
def command(
    language: str | None,
    *,
    missing: bool,
    everything: bool,
    readers: str | None,
    slugs: tuple[str, ...],
    folder: Path | None,
) -> None:
    """List the languages of the page, or check one: its folder is called LANGUAGE (de, fr, pt-BR)."""
    from companion.language import checking, texts

    english = texts.load(texts.DEFAULT, folder)
    if language is None:
        _list(folder)
        return
    if not texts.NAME.fullmatch(language):
        raise click.BadParameter(f"Expected the tag of a language, such as de or pt-BR, but got {language!r}.")
    chosen = texts.load(language, folder)
    met, templates = _met(readers or ("visitors" if chosen.visitors else "everyone"), slugs)
    own = met if everything else tuple(key for key in met if key not in chosen.written)
    sentences = tuple(one for one in templates if everything or one not in chosen.sentences)
    if missing:
        click.echo("\n".join(_to_fill_in(chosen, own, {one: templates[one] for one in sentences})))
        return
    wrong = tuple(checking.problems(chosen, english))
    for problem in wrong:
        click.echo(str(problem))
    click.echo(
        f"{chosen.name} ({language}): {len(own)} of {len(met)} texts and {len(sentences)} of {len(templates)} "
        f"sentences are missing, {len(wrong)} are wrong."
    )
    if wrong:
        raise click.exceptions.Exit(1)


def _met(readers: str, slugs: tuple[str, ...]) -> tuple[tuple[str, ...], Mapping[str, tuple[str, ...]]]:
    """Return the keys and the templates that these readers meet where the games of these slugs are offered."""
    from companion.language import checking, texts
    from companion.rules.errors import UnknownGameError
    from companion.rules.registry import game
    from companion.web.spoken import family_of
    from companion.web.visitors import Visitors

    templates = checking.to_translate()
    if readers == "everyone":
        if slugs:
            raise click.UsageError("Expected --for visitors or --for kiosk beside --game.")
        return tuple(texts.load(texts.DEFAULT).own), templates
    with refusing(UnknownGameError):
        families = frozenset(family_of(game(slug).slug) for slug in slugs)
    visitors = Visitors(families, readers == "kiosk")
    return visitors.keys(), {one: templates[one] for one in visitors.sentences()}


def _list(folder: Path | None) -> None:
    from companion.language import texts

    for language in texts.languages(folder):
        click.echo(f"{language}  {texts.name(language, folder)}")


def _to_fill_in(chosen: "Texts", own: tuple[str, ...], sentences: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a file of texts, with the English in the place of each translation."""
    for key in own:
        yield f"{_key(key)} = {_toml(chosen.own[key])}"
    if not sentences:
        return
    yield "\n[sentences]"
    by_file: dict[str, list[str]] = defaultdict(list)
    for template, where in sentences.items():
        by_file[where[0].split(":")[0]].append(template)
    for file, templates in sorted(by_file.items()):
        yield f"\n# {file}"
        for template in templates:
            yield f"{json.dumps(template, ensure_ascii=False)} = {_toml(chosen.sentences.get(template, template))}"


def _key(dotted: str) -> str:
    """Return a dotted key in TOML's form: parts that are no bare words have quotes."""
    return ".".join(word if BARE.fullmatch(word) else json.dumps(word) for word in dotted.split("."))


def _toml(form: str | Mapping[str, str]) -> str:
    if isinstance(form, str):
        return json.dumps(form, ensure_ascii=False)
    return "{" + ", ".join(f"{name} = {json.dumps(text, ensure_ascii=False)}" for name, text in form.items()) + "}"
