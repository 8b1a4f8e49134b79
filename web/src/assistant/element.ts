/** Register a custom element; a page that loads the script twice keeps the first one. */
export function element(name: string) {
  return (constructor: CustomElementConstructor): void => {
    if (!customElements.get(name)) customElements.define(name, constructor);
  };
}
