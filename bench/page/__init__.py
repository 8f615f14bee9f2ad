"""The page under load: first visits, many pages, hostile programs, six hours of a kiosk."""
