// Stands in for a record's page of HubSpot and for its package @hubspot/ui-extensions: two components and the dialog with a frame.
export const fragment = () => document.createDocumentFragment();
export const Text = () => document.createElement("p");
export const Button = ({ onClick }) => Object.assign(document.createElement("button"), { onclick: onClick });

export function element(component, properties, ...children) {
  const node = component(properties ?? {});
  node.append(...children);
  return node;
}

const query = new URLSearchParams(location.search);
const crm = { objectTypeId: query.get("type"), objectId: query.get("id") };
const actions = {
  openIframeModal({ uri, title, width, height }) {
    const dialog = document.createElement("dialog");
    dialog.append(Object.assign(document.createElement("iframe"), { src: uri, title, width, height }));
    document.body.append(dialog);
    dialog.showModal();
  },
};

export const hubspot = {
  extend: (render) => document.body.append(render({ context: { crm, portal: { id: 1 } }, actions })),
};
