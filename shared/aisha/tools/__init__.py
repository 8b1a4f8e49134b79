"""The tools: a module for each toolkit, in a package for each subject. The registry discovers both."""
