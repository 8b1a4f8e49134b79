/** Styles and small templates that the desk's views share. */

import { css, html, nothing, type TemplateResult } from "lit";
import { ownName, valueName } from "./records.js";
import { say } from "./words.js";

export const ui = css`
  :host {
    display: block;
    font-size: var(--aisha-text-s);
    color: var(--aisha-ink);
  }

  h1 {
    margin: 0;
    font-size: 20px;
    letter-spacing: -0.01em;
  }

  h2 {
    margin: 0 0 var(--aisha-3);
    font-size: var(--aisha-text-m);
  }

  p {
    margin: 0;
  }

  a {
    color: var(--aisha-accent);
  }

  .muted {
    color: var(--aisha-muted);
  }

  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--aisha-3);
  }

  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--aisha-3);
    margin-block-end: var(--aisha-4);
  }

  .row .end,
  .head .end {
    margin-inline-start: auto;
  }

  .card {
    background: var(--aisha-raised);
    border: 1px solid var(--aisha-line);
    border-radius: var(--aisha-radius);
    padding: var(--aisha-4);
  }

  .grid {
    display: grid;
    gap: var(--aisha-4);
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr));
  }

  .stack {
    display: grid;
    align-content: start;
    gap: var(--aisha-3);
  }

  .stack > h2 {
    margin: 0;
  }

  .scroll {
    overflow: auto;
    border: 1px solid var(--aisha-line);
    border-radius: var(--aisha-radius);
  }

  table {
    inline-size: 100%;
    border-collapse: collapse;
  }

  th {
    position: sticky;
    inset-block-start: 0;
    background: var(--aisha-raised);
    color: var(--aisha-muted);
    font-weight: 600;
    text-align: start;
    white-space: nowrap;
  }

  th,
  td {
    padding: 9px var(--aisha-3);
    border-block-end: 1px solid var(--aisha-line);
    vertical-align: top;
  }

  tr:last-child td {
    border-block-end: 0;
  }

  /* As in the panel: English words keep their order in a mirrored page, at its start. */
  :where(dd, dt, li, td):not([dir]) {
    unicode-bidi: plaintext;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }

  td[dir],
  dd[dir],
  h1[dir] {
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }

  .number,
  td.number {
    text-align: end;
    unicode-bidi: isolate;
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }

  td.name {
    overflow-wrap: anywhere;
    min-inline-size: 16ch;
    max-inline-size: 48ch;
  }

  .tool {
    overflow-wrap: break-word;
  }

  input::file-selector-button {
    margin-inline-end: var(--aisha-3);
    padding: 2px 10px;
    font: inherit;
    font-weight: 600;
    color: inherit;
    background: var(--aisha-hover);
    border: 0;
    border-radius: var(--aisha-radius-s);
    cursor: pointer;
  }

  progress {
    appearance: none;
    display: block;
    inline-size: 100%;
    block-size: 8px;
    border: 0;
    border-radius: 4px;
    overflow: hidden;
    background: var(--aisha-hover);
  }

  progress::-webkit-progress-bar {
    background: var(--aisha-hover);
  }

  progress::-webkit-progress-value {
    background: var(--aisha-accent-fill);
  }

  progress::-moz-progress-bar {
    background: var(--aisha-accent-fill);
  }

  .badge {
    display: inline-block;
    padding: 2px 8px;
    border-radius: 999px;
    font-size: var(--aisha-text-xs);
    font-weight: 600;
    background: var(--aisha-hover);
    color: var(--aisha-ink);
    white-space: nowrap;
  }

  .badge.good {
    color: var(--aisha-good);
  }

  .badge.warn {
    color: var(--aisha-warn);
    background: var(--aisha-warn-soft);
  }

  .badge.bad {
    color: var(--aisha-danger);
    background: var(--aisha-danger-soft);
  }

  .badge.accent {
    color: var(--aisha-accent);
    background: var(--aisha-accent-soft);
  }

  .link {
    color: var(--aisha-accent);
    font-weight: 600;
    text-align: start;
    text-decoration: none;
    border-radius: 4px;
  }

  .link:hover {
    text-decoration: underline;
  }

  .marked {
    background: var(--aisha-accent-soft);
    box-shadow: inset 3px 0 0 var(--aisha-accent);
  }

  .empty {
    display: grid;
    gap: var(--aisha-3);
    justify-items: center;
    padding: var(--aisha-6);
    text-align: center;
    color: var(--aisha-muted);
    border: 1px dashed var(--aisha-line-strong);
    border-radius: var(--aisha-radius);
  }

  .error {
    color: var(--aisha-danger);
  }

  .skeleton {
    block-size: 220px;
    border-radius: var(--aisha-radius);
    background: var(--aisha-raised);
    border: 1px solid var(--aisha-line);
    animation: wait 1.6s ease-in-out infinite alternate;
  }

  @keyframes wait {
    to {
      opacity: 0.55;
    }
  }

  .tabs {
    display: flex;
    flex-wrap: wrap;
    gap: var(--aisha-1);
  }

  .tabs a,
  .tabs button {
    padding: 7px 12px;
    border-radius: var(--aisha-radius-s);
    color: var(--aisha-muted);
    font-weight: 600;
    text-decoration: none;
  }

  .tabs a:hover,
  .tabs button:hover {
    background: var(--aisha-hover);
    color: var(--aisha-ink);
  }

  .tabs [aria-current="page"],
  .tabs [aria-pressed="true"] {
    background: var(--aisha-accent-soft);
    color: var(--aisha-accent);
  }

  label.field {
    display: grid;
    gap: var(--aisha-1);
    font-weight: 600;
  }

  label.field .muted,
  label.field :is(input, select, textarea) {
    font-weight: 400;
  }

  label.field :is(input, select, textarea) {
    inline-size: 100%;
  }

  dl.fields {
    display: grid;
    grid-template-columns: minmax(9ch, auto) 1fr;
    gap: var(--aisha-2) var(--aisha-4);
    margin: 0;
  }

  dl.fields dt {
    color: var(--aisha-muted);
  }

  dl.fields dd {
    margin: 0;
    overflow-wrap: anywhere;
  }

  code,
  pre {
    font-family: var(--aisha-mono);
    font-size: var(--aisha-text-xs);
    overflow-wrap: anywhere;
    white-space: pre-wrap;
    margin: 0;
  }
`;

const TONES: Record<string, string> = {
  warm: "warn",
  qualified: "good",
  completed: "good",
  executed: "good",
  closed_won: "good",
  healthy: "good",
  ok: "good",
  done: "good",
  open: "accent",
  scheduled: "accent",
  proposal: "accent",
  negotiation: "accent",
  needs_confirmation: "warn",
  pending: "warn",
  at_risk: "warn",
  high: "warn",
  urgent: "bad",
  overdue: "bad",
  critical: "bad",
  failed: "bad",
  rejected: "bad",
  unavailable: "bad",
  stalled: "bad",
  lost: "bad",
  closed_lost: "bad",
};

/** Return a status as a badge. Its word tells the meaning, the colour repeats it. */
export function badge(status: unknown, tone?: string): TemplateResult | typeof nothing {
  if (typeof status !== "string" || !status) return nothing;
  return html`<span class="badge ${tone ?? TONES[status] ?? ""}">${valueName(status)}</span>`;
}

/** The provider and model of a turn that asked none, such as a yes to a question. */
export const NO_MODEL = "none";

/** Return the name of a tool, which a narrow column breaks after an underscore. */
export function toolName(name: string): TemplateResult {
  return html`<span class="tool"
    >${name.split("_").map((part, place) => (place ? html`_<wbr />${part}` : part))}</span
  >`;
}

/** Return a record's stage, status or type as a badge, by the tenant's own name for it. */
export function valueBadge(record: Record<string, unknown>, field: string): TemplateResult | typeof nothing {
  const value = record[field];
  const own = ownName(record, field);
  if (!own && !value) return nothing;
  return html`<span class="badge ${TONES[String(value)] ?? ""}">${own ?? valueName(String(value))}</span>`;
}

export function empty(text: string, action: TemplateResult | typeof nothing = nothing): TemplateResult {
  return html`<div class="empty">
    <p>${text}</p>
    ${action}
  </div>`;
}

export function failed(text: string, retry: () => unknown): TemplateResult {
  return html`<div class="empty" role="alert">
    <p class="error">${text}</p>
    <button class="button" @click=${retry}>${say("try_again")}</button>
  </div>`;
}

export function skeleton(): TemplateResult {
  return html`<div class="skeleton" role="status"><span class="hidden-text">${say("loading")}</span></div>`;
}
