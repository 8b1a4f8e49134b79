// Stands in for a record's page of Salesforce: the base class, the decorator, and the two modules that a component imports.
export class LightningElement {
  template = document.createElement("div");
}

export const api = () => undefined;
export const heard = (window.heard = { opened: [], updated: [] });

export function NavigationMixin(base) {
  return class extends base {
    [NavigationMixin.Navigate](page) {
      heard.opened.push(page);
    }
  };
}
NavigationMixin.Navigate = Symbol("Navigate");

export const notifyRecordUpdateAvailable = (records) => heard.updated.push(...records);

/** Put a component into the page, with a template whose `{names}` are its properties. */
export function show(Component, template) {
  const query = new URLSearchParams(location.search);
  const component = Object.assign(new Component(), { recordId: query.get("id"), objectApiName: query.get("type") });
  component.template.innerHTML = template.replace(/=\{(\w+)\}/g, (_, name) => `="${component[name]}"`);
  document.body.append(component.template);
  component.connectedCallback();
}
