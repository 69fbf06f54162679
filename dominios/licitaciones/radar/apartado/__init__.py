"""What could not be taken in, and what a person should look at."""
