"""The segments of one message: put right, parted where they ask several things, joined where they ask one."""
