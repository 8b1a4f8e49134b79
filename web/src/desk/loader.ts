/** What a view loads: the value, or the words of the error. */

import type { ReactiveController, ReactiveControllerHost, TemplateResult } from "lit";
import { wordsOf } from "./desk.js";
import { failed, skeleton } from "./ui.js";

export class Loader<T> implements ReactiveController {
  value: T | null = null;
  error = "";
  private attempt = 0;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly ask: () => Promise<T>,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    void this.load();
  }

  /** Load anew. What is shown stays until the answer is there; a later load replaces one under way. */
  async load(): Promise<void> {
    const attempt = (this.attempt += 1);
    this.error = "";
    try {
      const value = await this.ask();
      if (attempt === this.attempt) this.value = value;
    } catch (error) {
      if (attempt === this.attempt) this.error = wordsOf(error);
    }
    this.host.requestUpdate();
  }

  /** Return the value's template; before it is there a placeholder, and for an error its words with another try. */
  show(template: (value: T) => TemplateResult): TemplateResult {
    if (this.error) return failed(this.error, () => this.load());
    return this.value === null ? skeleton() : template(this.value);
  }
}
