"""Measurements that a change must not make worse."""
