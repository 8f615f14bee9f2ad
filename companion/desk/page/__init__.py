"""What the page is told of a match or a series: the parts of the snapshot."""
