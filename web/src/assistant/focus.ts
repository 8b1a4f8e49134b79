/** Where the focus goes when the button that had it is gone. */

/** Give a text box the focus; not on a touch screen, where that opens the keyboard over half of the page. */
export function focusBox(box: HTMLElement | null): void {
  if (!matchMedia("(pointer: coarse)").matches) box?.focus();
}
