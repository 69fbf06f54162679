"""What attempts used and cost, added up."""
