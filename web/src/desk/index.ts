/** The desk: a small CRM page with the assistant beside it, and an admin's console. */

// One bundle with the element: a page may create the trusted-types policy of its one Lit only once.
import "../assistant/index.js";
import "./app.js";
