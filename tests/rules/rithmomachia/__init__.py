"""Proofs of Rithmomachia."""
