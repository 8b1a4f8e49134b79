"""flow-chat: a request is analysed once, planned as steps, confirmed as one, run, and answered from what came of it."""
