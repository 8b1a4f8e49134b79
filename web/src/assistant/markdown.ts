/** A reply's Markdown as safe DOM: no HTML of a model or a record gets through, and nothing loads by itself. */

import DOMPurify from "dompurify";
import { Marked } from "marked";

const TAGS = ["p", "br", "hr", "strong", "em", "del", "code", "pre", "ul", "ol", "li", "blockquote", "a", "span"];
const TABLE_TAGS = ["table", "thead", "tbody", "tr", "th", "td"];
const SAFE_URL = /^(https?:|mailto:|tel:)/i;
const HEADINGS = ["h3", "h4", "h5"];

const escaped = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    // HTML is shown as the text that it is.
    html: ({ text }) => escaped(text),
    // An image would tell its host what the model knows: it becomes its description.
    image: ({ text, href }) => `<span>${escaped(text || href)}</span>`,
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    // The panel has the page's headings above it: a reply's begin at the third level.
    heading({ tokens, depth }) {
      const tag = HEADINGS[Math.min(depth, 3) - 1];
      return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
    },
  },
});

/** Return the DOM of Markdown. `isPartial`: more text follows, so that a mark without its end gets one. */
export function renderMarkdown(text: string, isPartial = false): DocumentFragment {
  const html = marked.parse(isPartial ? closeMarks(text) : text, { async: false });
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [...TAGS, ...TABLE_TAGS, ...HEADINGS],
    ALLOWED_ATTR: ["href", "title", "start", "align"],
    ALLOWED_URI_REGEXP: SAFE_URL,
    // Other attributes would have to look like such an address.
    ADD_URI_SAFE_ATTR: ["start", "align"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  fragment.querySelectorAll("a").forEach(showTarget);
  fragment.querySelectorAll("table").forEach(makeScrollable);
  return fragment;
}

/** Return Markdown as plain text, for screen readers and the browser's voice. */
export function plainText(text: string): string {
  return (renderMarkdown(text).textContent ?? "").replace(/\s+/g, " ").trim();
}

function showTarget(link: HTMLAnchorElement): void {
  const href = link.getAttribute("href") ?? "";
  if (!SAFE_URL.test(href)) {
    link.replaceWith(...link.childNodes);
    return;
  }
  link.rel = "noopener noreferrer nofollow";
  link.referrerPolicy = "no-referrer";
  if (!/^https?:/i.test(href)) return;
  link.target = "_blank";
  // The host that opens, whatever the link's text claims.
  const host = document.createElement("span");
  host.className = "link-host";
  host.textContent = ` (${link.host})`;
  link.append(host);
}

function makeScrollable(table: HTMLTableElement): void {
  const frame = document.createElement("div");
  frame.className = "table";
  frame.tabIndex = 0;
  frame.setAttribute("role", "group");
  table.replaceWith(frame);
  frame.append(table);
}

/** Close what the text so far has opened, so that no asterisks and backticks flash up while it streams. */
function closeMarks(text: string): string {
  const fences = text.match(/^\s*```/gm)?.length ?? 0;
  if (fences % 2 === 1) return `${text}\n\`\`\``;
  const line = text.slice(text.lastIndexOf("\n") + 1);
  let closed = text.replace(/(\*+|`|\[[^\]\n]*)$/, (open) => (open.startsWith("[") ? open.slice(1) : ""));
  if (((line.match(/`/g)?.length ?? 0) & 1) === 1) closed += "`";
  if (((line.match(/\*\*/g)?.length ?? 0) & 1) === 1 && !line.endsWith("**")) closed += "**";
  return closed;
}
