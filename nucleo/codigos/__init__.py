"""Official codes: NIF, CPV, NUTS and the CODICE code lists, with their labels."""
