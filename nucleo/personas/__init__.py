"""The people of the installation: accounts, passwords, sessions, and the record of what each one did."""
