"""The door for people: the login page, the session's cookie, and the open sockets that end with it."""
