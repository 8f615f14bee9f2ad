"""The shape of what a page is sent, part by part: builders return it, the described interface and the tests hold it."""
