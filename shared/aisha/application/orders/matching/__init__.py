"""A call beside the user's words: were its record and its values said, and said together?"""
