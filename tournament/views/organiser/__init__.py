"""The organiser's pages: thin; services write, selectors read, here it is only translated."""
