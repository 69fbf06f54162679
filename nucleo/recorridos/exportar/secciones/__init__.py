"""The parts of the page, each from the whole evidence to its markup."""
