"""Values of services outside: email, issue trackers, providers of realtime voice."""
