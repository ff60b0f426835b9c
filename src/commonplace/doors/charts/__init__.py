"""Plots as inline SVG: values in, markup out; no file, clock or template.

May import: `shared`.
"""
