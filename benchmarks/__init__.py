"""Scripts behind ``docs/measurements.md``: each prints the figures it is named after."""
