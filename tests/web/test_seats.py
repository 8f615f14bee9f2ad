"""Players without a name of their own: every reader meets them in the own language."""

from flask.testing import FlaskClient


def test_names_of_seats_come_with_the_texts_of_each_language(client: FlaskClient) -> None:
    assert client.get("/api/setup?language=en").json["texts"]["names"] == {}
    french = client.get("/api/setup?language=fr").json["texts"]["names"]
    assert french["Player 1"] == "Joueur 1"
    assert french["The program"] == "Le programme"
    assert french["The program 2"] == "Le programme 2"
