/** Whether the browser is online, and what to do when it is again. */

import type { ReactiveController, ReactiveControllerHost } from "lit";

export class Network implements ReactiveController {
  isOnline = navigator.onLine;

  constructor(
    private readonly panel: ReactiveControllerHost,
    private readonly returned: () => void,
  ) {
    panel.addController(this);
  }

  hostConnected(): void {
    addEventListener("online", this.changed);
    addEventListener("offline", this.changed);
  }

  hostDisconnected(): void {
    removeEventListener("online", this.changed);
    removeEventListener("offline", this.changed);
  }

  private readonly changed = (): void => {
    this.isOnline = navigator.onLine;
    this.panel.requestUpdate();
    if (this.isOnline) this.returned();
  };
}
