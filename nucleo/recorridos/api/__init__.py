"""The API of the runs, whatever carries it: routes as data, strict bodies, one answer for each request."""
