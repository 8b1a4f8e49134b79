/** What the panels in the open tabs of one browser tell each other: which records' changes were taken back. */

import type { ReactiveController, ReactiveControllerHost } from "lit";

export class Tabs implements ReactiveController {
  private channel: BroadcastChannel | undefined;

  constructor(
    panel: ReactiveControllerHost,
    private readonly takenBack: (ids: readonly string[]) => void,
  ) {
    panel.addController(this);
  }

  hostConnected(): void {
    try {
      this.channel = new BroadcastChannel("aisha.taken_back");
      this.channel.onmessage = ({ data }) => this.takenBack(data);
    } catch {
      // In a frame without storage some browsers refuse it: there an undo that comes too late says why.
    }
  }

  hostDisconnected(): void {
    this.channel?.close();
  }

  tell(ids: readonly string[]): void {
    this.channel?.postMessage(ids);
  }
}
