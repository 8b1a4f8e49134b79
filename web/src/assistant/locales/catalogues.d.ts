// What the build makes of the JSON catalogues.
declare module "*/locales/de.js" {
  const catalogue: Record<string, string>;
  export default catalogue;
}
declare module "*/locales/es.js" {
  const catalogue: Record<string, string>;
  export default catalogue;
}
declare module "*/locales/fr.js" {
  const catalogue: Record<string, string>;
  export default catalogue;
}
