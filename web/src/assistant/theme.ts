/** The design tokens: one type scale, one spacing scale, and colours by meaning for two themes. */

import { css } from "lit";

/** Variables of `<aisha-assistant>`, which its parts inherit. A page can set any of them on the element. */
export const tokens = css`
  :host {
    --aisha-font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
    --aisha-mono: ui-monospace, "SF Mono", Menlo, Consolas, monospace;

    /* Type: 12, 13, 15, 18 px. */
    --aisha-text-xs: 12px;
    --aisha-text-s: 13px;
    --aisha-text-m: 15px;
    --aisha-text-l: 18px;

    /* Space: multiples of 4 px. */
    --aisha-1: 4px;
    --aisha-2: 8px;
    --aisha-3: 12px;
    --aisha-4: 16px;
    --aisha-5: 24px;
    --aisha-6: 32px;

    --aisha-radius-s: 8px;
    --aisha-radius: 12px;
    --aisha-radius-l: 16px;
    --aisha-speed: 160ms;
  }

  :host,
  :host([data-theme="midnight"]) {
    color-scheme: dark;
    --aisha-bg: #0e1424;
    --aisha-raised: #171f33;
    --aisha-sunken: #0a0f1b;
    --aisha-hover: #202a43;
    --aisha-line: #2a3550;
    --aisha-line-strong: #64728f;
    --aisha-ink: #e8ecf6;
    --aisha-muted: #a3aec6;
    --aisha-accent: #8ab0ff;
    --aisha-accent-fill: #3b6cf0;
    --aisha-on-accent: #ffffff;
    --aisha-accent-soft: #1b2a4d;
    --aisha-good: #6fd6a6;
    --aisha-warn: #f0c05f;
    --aisha-warn-soft: #2d2718;
    --aisha-danger: #ff9a93;
    --aisha-danger-fill: #c93a36;
    --aisha-danger-soft: #331b22;
    --aisha-shadow: 0 12px 40px rgb(0 0 0 / 45%);
  }

  :host([data-theme="light"]) {
    color-scheme: light;
    --aisha-bg: #ffffff;
    --aisha-raised: #f4f6fa;
    --aisha-sunken: #eef1f6;
    --aisha-hover: #e8ecf4;
    --aisha-line: #dde2ec;
    --aisha-line-strong: #7d899f;
    --aisha-ink: #18202f;
    --aisha-muted: #55607a;
    --aisha-accent: #2454c7;
    --aisha-accent-fill: #2f5fdc;
    --aisha-on-accent: #ffffff;
    --aisha-accent-soft: #e8eefc;
    --aisha-good: #14724a;
    --aisha-warn: #7c5200;
    --aisha-warn-soft: #fdf4de;
    --aisha-danger: #b3261e;
    --aisha-danger-fill: #c0322b;
    --aisha-danger-soft: #fdecea;
    --aisha-shadow: 0 12px 40px rgb(24 32 47 / 18%);
  }
`;

/** What every part shares: box sizes, focus rings, buttons, and no motion for those who ask for none. */
export const base = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  :host([hidden]),
  [hidden] {
    display: none !important;
  }

  /* The words are English where there is no catalogue: in a mirrored panel they keep their order, at its start. */
  :where(h1, h2, h3, p, strong, span, button, legend, label, summary):not([dir]) {
    unicode-bidi: plaintext;
  }

  :where(h1, h2, h3, p, strong, span, legend, label, summary):not([dir]) {
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }

  :focus-visible {
    outline: 2px solid var(--aisha-accent);
    outline-offset: 2px;
  }

  button {
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    padding: 0;
    cursor: pointer;
    border-radius: var(--aisha-radius-s);
  }

  button:disabled {
    cursor: default;
    opacity: 0.5;
  }

  .icon-button {
    display: inline-grid;
    place-items: center;
    inline-size: 36px;
    block-size: 36px;
    flex: none;
    color: var(--aisha-muted);
    transition: background var(--aisha-speed);
  }

  .icon-button.small {
    inline-size: 28px;
    block-size: 28px;
  }

  .icon-button:hover:not(:disabled),
  .icon-button[aria-expanded="true"],
  .icon-button[aria-pressed="true"] {
    background: var(--aisha-hover);
    color: var(--aisha-ink);
  }

  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: var(--aisha-2);
    min-block-size: 36px;
    padding: 6px 14px;
    font-size: var(--aisha-text-s);
    font-weight: 600;
    line-height: 1.3;
    border: 1px solid var(--aisha-line-strong);
    transition: background var(--aisha-speed);
  }

  .button:hover:not(:disabled) {
    background: var(--aisha-hover);
  }

  .button.primary {
    background: var(--aisha-accent-fill);
    border-color: transparent;
    color: var(--aisha-on-accent);
  }

  .button.danger {
    background: var(--aisha-danger-fill);
    border-color: transparent;
    color: #ffffff;
  }

  .button.primary:hover:not(:disabled),
  .button.danger:hover:not(:disabled) {
    filter: brightness(1.08);
  }

  input,
  select,
  textarea {
    font: inherit;
    color: var(--aisha-ink);
    background: var(--aisha-bg);
    border: 1px solid var(--aisha-line-strong);
    border-radius: var(--aisha-radius-s);
    padding: var(--aisha-2) var(--aisha-3);
    min-block-size: 36px;
  }

  input[type="radio"] {
    appearance: none;
    min-block-size: 0;
    inline-size: 16px;
    block-size: 16px;
    padding: 0;
    flex: none;
    border-radius: 50%;
  }

  input[type="radio"]:checked {
    border: 5px solid var(--aisha-accent-fill);
    background: var(--aisha-on-accent);
  }

  ::placeholder {
    color: var(--aisha-muted);
    opacity: 1;
  }

  .hidden-text {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation-duration: 1ms !important;
      animation-iteration-count: 1 !important;
      transition-duration: 1ms !important;
      scroll-behavior: auto !important;
    }
  }

  @media (forced-colors: active) {
    .button,
    .icon-button {
      border: 1px solid ButtonText;
    }
  }
`;
