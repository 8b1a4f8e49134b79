export { AishaAssistant } from "./assistant.js";
