"""Files that steps leave: kept by their content, told by rows, never changed."""
