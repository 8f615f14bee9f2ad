"""Players without a name of their own: every reader meets them in the own language."""

import json

from flask.testing import FlaskClient


def test_names_of_seats_come_with_the_texts_of_each_language(client: FlaskClient) -> None:
    english, french = (
        json.loads(client.get(f"/api/setup?language={one}").text)["texts"]["names"] for one in ("en", "fr")
    )
    assert english == {}
    assert french["Player 1"] == "Joueur 1"
    assert french["The program"] == "Le programme"
    assert french["The program 2"] == "Le programme 2"
