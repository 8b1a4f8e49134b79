/** How a reply's Markdown looks. */

import { css } from "lit";

export const prose = css`
  .prose {
    overflow-wrap: anywhere;
    line-height: 1.55;
  }

  .prose > :first-child {
    margin-block-start: 0;
  }

  .prose > :last-child {
    margin-block-end: 0;
  }

  .prose p,
  .prose ul,
  .prose ol,
  .prose pre,
  .prose blockquote,
  .prose .table {
    margin-block: var(--aisha-2);
  }

  .prose ul,
  .prose ol {
    padding-inline-start: 22px;
  }

  .prose li {
    margin-block: 2px;
  }

  .prose li::marker {
    color: var(--aisha-muted);
  }

  .prose h3,
  .prose h4,
  .prose h5 {
    margin-block: var(--aisha-3) var(--aisha-1);
    font-size: var(--aisha-text-m);
    line-height: 1.35;
  }

  .prose a {
    color: var(--aisha-accent);
    text-underline-offset: 2px;
  }

  .prose .link-host {
    color: var(--aisha-muted);
    font-size: var(--aisha-text-xs);
  }

  .prose code {
    font-family: var(--aisha-mono);
    font-size: 0.9em;
    background: var(--aisha-sunken);
    padding: 1px 4px;
    border-radius: 4px;
  }

  .prose pre {
    overflow-x: auto;
    padding: var(--aisha-3);
    background: var(--aisha-sunken);
    border-radius: var(--aisha-radius-s);
  }

  .prose pre code {
    padding: 0;
    background: none;
  }

  .prose blockquote {
    margin-inline: 0;
    padding-inline-start: var(--aisha-3);
    border-inline-start: 3px solid var(--aisha-line-strong);
    color: var(--aisha-muted);
  }

  .prose hr {
    border: 0;
    border-block-start: 1px solid var(--aisha-line);
  }

  .prose .table {
    overflow-x: auto;
    border: 1px solid var(--aisha-line);
    border-radius: var(--aisha-radius-s);
  }

  .prose table {
    border-collapse: collapse;
    min-inline-size: 100%;
    font-size: var(--aisha-text-s);
  }

  .prose th,
  .prose td {
    padding: 6px 10px;
    text-align: start;
    vertical-align: top;
    white-space: nowrap;
  }

  .prose [align="right"] {
    text-align: end;
    font-variant-numeric: tabular-nums;
  }

  .prose th {
    background: var(--aisha-raised);
    font-weight: 600;
  }

  .prose tr + tr td,
  .prose tbody tr:first-child td {
    border-block-start: 1px solid var(--aisha-line);
  }
`;
