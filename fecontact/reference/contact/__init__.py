"""Contact without friction or with ideal stick."""
