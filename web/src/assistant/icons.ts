/** Line icons on a grid of 24, drawn in the colour of the text around them. */

import { svg, type SVGTemplateResult } from "lit";

const PATHS = {
  send: "M12 19V5M5 12l7-7 7 7",
  stop: "M7 7h10v10H7z",
  close: "M6 6l12 12M18 6L6 18",
  minimise: "M6 12h12",
  plus: "M12 5v14M5 12h14",
  history: "M3 12a9 9 0 1 0 3-6.7L3 8M3 3v5h5M12 7v5l3 2",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4",
  check: "M5 12.5l4.5 4.5L19 7.5",
  alert: "M12 8v5M12 16.5v.01M10.3 3.9L2.4 17.5A2 2 0 0 0 4.1 20.5h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0z",
  chevron: "M6 9l6 6 6-6",
  down: "M12 5v14M5 12l7 7 7-7",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  retry: "M20 11A8 8 0 1 0 18 17M20 4v7h-7",
  mic: "M12 3a3 3 0 0 0-3 3v6a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5 11a7 7 0 0 0 14 0M12 18v3",
  speak: "M4 10v4h3l5 4V6l-5 4zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  mute: "M4 10v4h3l5 4V6l-5 4zM16 9.5l5 5M21 9.5l-5 5",
  plan: "M4 6.5l1.5 1.5L8 5M4 12.5L5.5 14 8 11M11 6.5h9M11 12.5h9M11 18.5h9M5.5 18.5h1",
  call: "M4 10v4M8 7v10M12 4v16M16 7v10M20 10v4",
  up: "M7 11v9H4v-9zM7 11l4-8a2 2 0 0 1 2 2v4h5a2 2 0 0 1 2 2l-1.5 7a2 2 0 0 1-2 2H7",
  thumbDown: "M17 13V4h3v9zM17 13l-4 8a2 2 0 0 1-2-2v-4H6a2 2 0 0 1-2-2l1.5-7a2 2 0 0 1 2-2H17",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  edit: "M4 20h4L19 9l-4-4L4 16zM13.5 6.5l4 4",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5.5 1.1.5 2.1h6c0-1 0-1.6.5-2.1A6 6 0 0 0 12 3z",
  source: "M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2",
  offline: "M3 3l18 18M8.5 15.5a5 5 0 0 1 6 0M5 12a10 10 0 0 1 3.5-2.3M19 12a10 10 0 0 0-6.5-2.9M12 19v.01",
  lead: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM5 20a7 7 0 0 1 14 0",
  account: "M4 20V6l8-3v17M12 9h8v11M2 20h20M8 8v.01M8 12v.01M8 16v.01M16 13v.01M16 17v.01",
  opportunity: "M4 18l6-6 4 4 7-8M15 8h6v6",
  activity: "M5 6h14v14H5zM5 10h14M9 3v4M15 3v4",
  note: "M5 4h14v10l-5 6H5zM14 20v-6h5",
} as const;

export type IconName = keyof typeof PATHS;

/** Return an icon of `size` pixels, hidden from screen readers: its button or text says what it means. */
export function icon(name: IconName, size = 18): SVGTemplateResult {
  return svg`<svg width=${size} height=${size} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8"
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}

/** Return the icon of a type of record. */
export function recordIcon(type: string, size = 14): SVGTemplateResult {
  const name = type === "contact" ? "lead" : type in PATHS ? (type as IconName) : "source";
  return icon(name, size);
}
