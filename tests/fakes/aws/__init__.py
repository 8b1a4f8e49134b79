"""Fakes of AWS's services around the functions."""
