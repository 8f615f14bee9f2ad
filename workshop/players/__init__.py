"""What makes the players of tables games: games against themselves, many at once, from which weights are learnt."""
