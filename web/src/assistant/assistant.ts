import { LitElement, html } from "lit";
import { customElement } from "lit/decorators.js";

@customElement("aisha-assistant")
export class AishaAssistant extends LitElement {
  override render() {
    return html`<p>AiSHA</p>`;
  }
}
