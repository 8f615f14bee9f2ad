"""What makes the players of tables games: games against themselves, side by side, from which weights are learnt."""
