// A page as a customer writes it; the query sets the element's attributes, `user` signs in as another user.
const query = new URLSearchParams(location.search);
const element = document.querySelector("aisha-assistant");
for (const [name, value] of query) if (!["user", "lang"].includes(name)) element.setAttribute(name, value);
if (query.has("lang")) document.documentElement.lang = query.get("lang");
window.heard = [];
window.tokens = [];
element.token = async (isRenewal) => {
  window.tokens.push(isRenewal);
  const response = await fetch(`/local/token?tenant=demo&user=${query.get("user") ?? "alice"}`);
  return (await response.json()).token;
};
for (const name of ["navigate", "recordchanged", "confirmationneeded"]) {
  element.addEventListener(name, (event) => window.heard.push({ name, detail: event.detail }));
}
