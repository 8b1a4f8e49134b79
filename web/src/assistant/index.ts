export { AishaAssistant } from "./assistant.js";
export type * from "./public.js";
