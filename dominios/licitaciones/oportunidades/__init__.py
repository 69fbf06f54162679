"""Search and lists over the tenders at hand, quick with hundreds of thousands of them."""
