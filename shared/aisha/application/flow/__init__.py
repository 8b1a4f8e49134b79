"""flow-chat: a request is analysed once, planned as steps, confirmed as a whole, executed, and answered."""
