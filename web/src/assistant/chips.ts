/** How rows of records and of sentences to send look. */

import { css } from "lit";

export const chips = css`
  .section {
    margin-block-start: var(--aisha-3);
  }

  .label {
    margin: 0 0 var(--aisha-1);
    font-size: var(--aisha-text-xs);
    font-weight: 600;
    color: var(--aisha-muted);
  }

  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: var(--aisha-2);
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .chips li {
    max-inline-size: 100%;
  }

  .chip {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    max-inline-size: 100%;
    min-block-size: 28px;
    padding: 3px 10px;
    font-size: var(--aisha-text-s);
    line-height: 1.35;
    text-align: start;
    border: 1px solid var(--aisha-line);
    border-radius: 14px;
    background: var(--aisha-bg);
    transition: background var(--aisha-speed);
  }

  .chip:hover:not(:disabled) {
    background: var(--aisha-hover);
  }

  .chip span {
    overflow: hidden;
    text-overflow: ellipsis;
    display: -webkit-box;
    -webkit-line-clamp: 2;
    -webkit-box-orient: vertical;
    overflow-wrap: anywhere;
  }

  .chip svg {
    flex: none;
    color: var(--aisha-accent);
  }
`;
